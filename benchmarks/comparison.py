"""One function, twenty fixed mazes, three properties of two hundred examples: seconds a submission.

    python -m benchmarks.comparison [--count 200] [--sandbox docker bubblewrap process] [--jobs 2]

The work on which other graders were measured too (benchmarks/README.md). Every submission is a right
one and has other bytes than the others, so nothing is taken from an earlier run. What the batch does
once (the plan, the first box, the class page) is measured with few submissions and taken off.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.batch_class import COMMAND, measured
from grader.course.maze_files import load_maze_folder

RUBRIC = """
title: One function
examples: 200
mazes: mazes
exercises:
  perfection:
    checks:
      perfection.perfect: 25
      perfection.extra-passage: 25
      perfection.missing-passage: 25
      perfection.hidden-mazes: {points: 25, visibility: hidden}
"""
FIXED = 20
FEW = 8
ROOT = Path(__file__).resolve().parents[1]
MAZES = ROOT / "grader" / "mazes"
CHECKER = ROOT / "reference" / "perfection_checker.py"


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--sandbox", nargs="*", default=["docker", "bubblewrap", "process"])
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("sandbox     seconds a submission  CPU seconds a submission, containers not counted")
    for sandbox in options.sandbox:
        with tempfile.TemporaryDirectory() as folder:
            few = grade(Path(folder, "few"), FEW, sandbox, options.jobs)
            all_ = grade(Path(folder, "all"), FEW + options.count, sandbox, options.jobs)
        wall, cpu = ((all_[part] - few[part]) / options.count for part in (0, 1))
        print(f"{sandbox:<12}{wall:>20.3f}{cpu:>26.3f}", flush=True)
    return 0


def grade(folder: Path, count: int, sandbox: str, jobs: int) -> tuple[float, float, float]:
    """Grade ``count`` submissions."""
    code = CHECKER.read_text(encoding="utf-8")
    for number in range(count):
        file = folder / "class" / f"{number:04}" / "perfection_checker.py"
        file.parent.mkdir(parents=True)
        file.write_text(f"{code}\nNUMBER = {number}\n", encoding="utf-8")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "mazes").mkdir()
    for maze in fixed_mazes():
        shutil.copy(maze, folder / "mazes")
    options = ["--rubric", str(folder / "rubric.yaml"), "--sandbox", sandbox, "--jobs", str(jobs)]
    return measured([*COMMAND, str(folder / "class"), "--out", str(folder / "out"), *options])


def fixed_mazes() -> list[Path]:
    """Twenty of the shipped mazes that this function can use."""
    mazes = (
        maze
        for maze in load_maze_folder(MAZES)
        if "perfection" in maze.exercises and maze.visibility == "hidden"
    )
    return [maze.path for maze in mazes][:FIXED]


if __name__ == "__main__":
    sys.exit(main())
