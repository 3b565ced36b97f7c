"""List the figures of the benchmarks whose files have changed since they were measured.

    python scripts/old_figures.py

Above each table of benchmarks/README.md stands "Measured at COMMIT: FILES".
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "benchmarks" / "README.md"
_MEASURED: Final = re.compile(r"Measured at `(\w+)`: `(.*?)`\.", re.DOTALL)
_HEADING: Final = re.compile(r"^## (.*)$", re.MULTILINE)


def main() -> int:
    """Print a line for each figure that may no longer hold."""
    found = [*old_figures(PAGE.read_text(encoding="utf-8"))]
    print("\n".join(found) or "all figures are of the files as they are")
    return 0


def old_figures(page: str) -> Iterator[str]:
    """Yield, for each section whose files have changed, its heading and what has changed."""
    _, *parts = _HEADING.split(page)
    for heading, section in zip(parts[::2], parts[1::2], strict=True):
        for commit, told in _MEASURED.findall(section):
            files = told.split()
            is_known = _git("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0
            changed = _git("diff", "--shortstat", commit, "--", *files).stdout.strip() if is_known else ""
            if not is_known:
                yield f"{heading}: {commit} is not in this clone"
            elif changed:
                yield f"{heading}: since {commit}, {changed}"


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


if __name__ == "__main__":
    sys.exit(main())
