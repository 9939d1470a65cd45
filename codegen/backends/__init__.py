"""Backends: from programs to the text of one language each. They share `formulas.py` and nothing else."""
