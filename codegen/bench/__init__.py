"""Timing: our kernels beside the reference and peers, in one run, as ratios. Not tests: machines and their load differ."""
