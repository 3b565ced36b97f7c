"""Memory of a batch as the class grows: it has to stay flat.

    python -m benchmarks.batch_memory [--counts 100 1000] [--sandbox bubblewrap]

All submissions are alike and the rubric is small, so that a thousand are graded in a minute or two.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.batch_class import COMMAND, measured
from tests.submissions.loader import Case

RUBRIC = """
title: Two checks
examples: 5
mazes: mazes
exercises:
  dfs:
    checks: {dfs.valid-path: 60, dfs.no-way: 40}
"""
ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--counts", nargs="*", type=int, default=[20, 200])
    parser.add_argument("--sandbox", default="bubblewrap")
    options = parser.parse_args()
    print("submissions  wall s  a second  memory MB at the peak, grader and workers")
    for count in options.counts:
        with tempfile.TemporaryDirectory() as folder:
            wall, _, memory = grade(Path(folder), count, options.sandbox)
            print(f"{count:>11}  {wall:>6.1f}  {count / wall:>8.1f}  {memory:>9.0f}", flush=True)
    return 0


def grade(folder: Path, count: int, sandbox: str) -> tuple[float, float, float]:
    """Grade ``count`` submissions with two workers."""
    Case("wrong", "all-solvers-west-first").materialise(folder / "class" / "0000")
    for number in range(1, count):
        shutil.copytree(folder / "class" / "0000", folder / "class" / f"{number:04}")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "mazes").mkdir()
    for name in ("a.yaml", "no-exit.yaml"):
        shutil.copy(ROOT / "grader" / "mazes" / name, folder / "mazes")
    options = ["--rubric", str(folder / "rubric.yaml"), "--sandbox", sandbox, "--jobs", "2"]
    return measured([*COMMAND, str(folder / "class"), "--out", str(folder / "out"), *options])


if __name__ == "__main__":
    sys.exit(main())
