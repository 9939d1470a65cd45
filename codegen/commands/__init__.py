"""One module per sub-command of ``soagen``: `add_arguments(parser)` and `run(options)`, which returns the exit code."""
