"""Kernels that certify themselves: oracles, laws, self-tests, mutants and certificates."""
