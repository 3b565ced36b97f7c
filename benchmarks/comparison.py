"""One function, twenty fixed mazes, three properties of two hundred examples: seconds a submission.

    python -m benchmarks.comparison [--count 40] [--rounds 3] [--sandbox docker bubblewrap process]
                                    [--peers pytest check50 …] [--jobs 2] [--students 60]

This grader and others (``pip install '.[bench]'``) at the same work, in turns. Every submission is a right
one and has other bytes than the others, so nothing is taken from an earlier run. What a batch does once (the
plan, the first box, the class page) is measured with few submissions and taken off. Each figure is printed as
it comes, with how long the others may take.

``--students`` adds a class by the shipped rubric, with all that ``grader batch`` does: of ten submissions
four are right, four wrong, drawn by lot with a fixed seed, one is the untouched template, and one never ends.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from benchmarks.batch_class import COMMAND, MIXED, make_class, measured
from benchmarks.peer_runs import PEERS, Peer, lay_out, missing, seconds_each
from grader.course.maze_files import MazeFile, load_maze_folder

RUBRIC = """
# with half as many of up to 20 x 20, two hundred for each property
title: One function
examples: 134
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
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sandbox", nargs="*", default=["docker", "bubblewrap", "process"])
    parser.add_argument("--peers", nargs="*", default=[peer.name for peer in PEERS])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--students", type=int, default=0)
    options = parser.parse_args()
    peers = [peer for peer in PEERS if peer.name in options.peers]
    count, jobs = options.count, options.jobs
    ways = {sandbox: partial(_of_grader, sandbox, count, jobs) for sandbox in options.sandbox}
    ways |= {peer.name: partial(_of_peer, peer, count, jobs) for peer in peers if not missing(peer)}
    if options.students:
        ways |= {
            f"a class of {options.students}, {sandbox}": partial(_of_class, sandbox, options.students, jobs)
            for sandbox in options.sandbox
        }
    times = _measured(ways, options.rounds)
    print(f"{'seconds a submission':<34}{'median':>8}{'min':>8}{'max':>8}   times as long as")
    for name, values in times.items():
        print(_row(name, values, {sandbox: times[sandbox] for sandbox in options.sandbox}), flush=True)
    for peer in peers:
        if missing(peer):
            print(f"{peer.name}: {missing(peer)}")
    return 0


def _measured(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Measure in turns; print each figure, and how many are left."""
    times: dict[str, list[float]] = {}
    started, count = time.monotonic(), rounds * len(ways)
    for number, (_, name) in enumerate(product(range(rounds), ways), start=1):
        times.setdefault(name, []).append(ways[name]())
        left = (time.monotonic() - started) / number * (count - number) / 60
        told = f"{name:<34}{times[name][-1]:>8.3f}   {number} of {count}, some {left:.1f} min left"
        print(told, flush=True)
    return times


def _row(name: str, values: Sequence[float], ours: dict[str, list[float]]) -> str:
    """Return one grader's figures, and the medians of its ratios to each sandbox, round by round."""
    figures = "".join(f"{value:>8.3f}" for value in (statistics.median(values), min(values), max(values)))
    ratios = {
        sandbox: statistics.median(value / own for value, own in zip(values, times, strict=True))
        for sandbox, times in ours.items()
    }
    return f"{name:<34}{figures}   " + "  ".join(
        f"{sandbox} {ratio:.1f}" for sandbox, ratio in ratios.items()
    )


def _of_grader(sandbox: str, count: int, jobs: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        few = grade(Path(folder, "few"), FEW, sandbox, jobs)
        all_ = grade(Path(folder, "all"), FEW + count, sandbox, jobs)
    return (all_[0] - few[0]) / count


def _of_class(sandbox: str, students: int, jobs: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        count = len([*make_class(Path(folder, "class"), students, MIXED)])
        options = ["--out", str(Path(folder, "out")), "--sandbox", sandbox, "--jobs", str(jobs)]
        return measured([*COMMAND, str(Path(folder, "class")), *options])[0] / count


def _of_peer(peer: Peer, count: int, jobs: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        mazes = [maze.maze for maze in fixed_mazes()]
        folders = lay_out(Path(folder), mazes, CHECKER.read_text(encoding="utf-8"), count)
        return seconds_each(peer, folders, jobs)


def grade(folder: Path, count: int, sandbox: str, jobs: int) -> tuple[float, float, float]:
    """Grade ``count`` submissions; return what ``measured`` returns."""
    code = CHECKER.read_text(encoding="utf-8")
    for number in range(count):
        file = folder / "class" / f"{number:04}" / "perfection_checker.py"
        file.parent.mkdir(parents=True)
        file.write_text(f"{code}\nNUMBER = {number}\n", encoding="utf-8")
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "mazes").mkdir()
    for maze in fixed_mazes():
        text = maze.path.read_text(encoding="utf-8").replace("visibility: public", "visibility: hidden")
        (folder / "mazes" / maze.path.name).write_text(text, encoding="utf-8")
    options = ["--rubric", str(folder / "rubric.yaml"), "--sandbox", sandbox, "--jobs", str(jobs)]
    return measured([*COMMAND, str(folder / "class"), "--out", str(folder / "out"), *options])


def fixed_mazes() -> list[MazeFile]:
    """Return twenty of the shipped mazes that suit this function."""
    return [maze for maze in load_maze_folder(MAZES) if "perfection" in maze.exercises][:FIXED]


if __name__ == "__main__":
    sys.exit(main())
