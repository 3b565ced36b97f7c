"""Feed an input to its target once more, without atheris: ``python -m tests.fuzz TARGET FILE …``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.fuzz.registry import TARGETS

if __name__ == "__main__":
    target, *files = sys.argv[1:]
    for file in files:
        TARGETS[target](Path(file).read_bytes())
        print(f"{file}: nothing is wrong")
