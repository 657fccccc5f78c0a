"""Owns ``python -m tenterhook``; the same as the command ``tenterhook``."""

import sys

from tenterhook.cli import main

if __name__ == "__main__":
    sys.exit(main())
