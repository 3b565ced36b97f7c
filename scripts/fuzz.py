"""Draw new examples for every property until the time is over: ``python scripts/fuzz.py [SECONDS]``.

A failing example is minimised, and written into its test as an ``@example``, which every later run of the
tests tries. Exit status 1 if something was found.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATCHES = ROOT / ".hypothesis" / "patches"
"""Where Hypothesis writes its findings, as patches of the tests."""
PASSED, FAILED = 0, 1
"""How pytest ends where it could run the tests."""
IMPORT, NEEDED = "from hypothesis import given", "from hypothesis import example, given"


def main(seconds: float = 600.0) -> int:
    """Run the properties repeatedly, each time with another seed; return the exit status."""
    end, rounds, found = time.monotonic() + seconds, 0, False
    while not rounds or time.monotonic() < end:
        began = time.time()
        status = draw(random.randrange(2**32))
        if status not in (PASSED, FAILED):
            return status
        keep(began)
        found |= status == FAILED
        rounds += 1
    print(
        f"Rounds: {rounds}. " + ("Something was found: see git diff tests" if found else "Nothing was found.")
    )
    return int(found)


def draw(seed: int) -> int:
    """Draw new examples for every property; return the exit status of pytest."""
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if "@given(" in path.read_text()]
    return subprocess.call(
        [
            *(sys.executable, "-m", "pytest", "--quiet", "--numprocesses", "2", "-m", "hypothesis"),
            *("--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}", *map(str, files)),
        ],
        cwd=ROOT,
    )


def keep(began: float) -> None:
    """Write failures that Hypothesis has found since then into the tests."""
    for patch in sorted(PATCHES.glob("*.patch")):
        if patch.stat().st_mtime >= began:
            subprocess.run(["git", "apply", patch], cwd=ROOT, check=True)
            for name in re.findall(r"^\+\+\+ (.+)$", patch.read_text(encoding="utf-8"), flags=re.MULTILINE):
                path = ROOT / name
                text = path.read_text(encoding="utf-8")
                path.write_text(text.replace(IMPORT, NEEDED, 1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
