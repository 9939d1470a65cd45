"""soagen's compiler and command line: from recursions to specialised C and NumPy kernels."""
