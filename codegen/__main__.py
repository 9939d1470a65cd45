"""``python -m codegen`` is ``soagen``."""

from codegen.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
