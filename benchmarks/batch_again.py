"""What a second run costs in which nothing has changed.

    python -m benchmarks.batch_again [--count 100 1000] [--sandbox bubblewrap]

CPU is that of the grader and its workers. What a look at files costs that are younger than two seconds is not
counted: the class is a little older than that before it is graded.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.batch_class import COMMAND, measured
from benchmarks.clock import yardstick
from grader.batch.change_detection import FRESH_NS
from tests.submissions.loader import Case

RUBRIC = "title: Lab\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 50, dfs.visit-order: 50}}}\n"


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", nargs="*", type=int, default=[100, 1000])
    parser.add_argument("--sandbox", default="bubblewrap")
    options = parser.parse_args()
    unit = yardstick()
    print("submissions  first run, CPU s  again, CPU s  again, yardsticks  again / first")
    for count in options.count:
        with tempfile.TemporaryDirectory() as folder:
            first, again = both_runs(Path(folder), count, options.sandbox)
        print(
            f"{count:>11}{first:>18.1f}{again:>14.2f}{again / unit:>18.1f}{again / first:>15.3f}", flush=True
        )
    return 0


def both_runs(folder: Path, count: int, sandbox: str) -> tuple[float, float]:
    """Grade a class three times; return the processor seconds of the first and the last run."""
    for number in range(count):
        Case("right", "plain").materialise(folder / "class" / f"{number:04}")
        with (folder / "class" / f"{number:04}" / "solvers" / "dfs.py").open("a", encoding="utf-8") as file:
            file.write(f"# {number}\n")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "mazes").symlink_to(Path(__file__).resolve().parents[1] / "grader" / "mazes")
    time.sleep(FRESH_NS / 1e9)
    options = ["--out", str(folder / "out"), "--rubric", str(folder / "rubric.yaml"), "--sandbox", sandbox]
    command = [*COMMAND, str(folder / "class"), *options, "--quiet"]
    first = measured(command)[1]
    time.sleep(FRESH_NS / 1e9)
    measured(command)
    return first, measured(command)[1]


if __name__ == "__main__":
    sys.exit(main())
