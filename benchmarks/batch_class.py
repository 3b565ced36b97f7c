"""What grading a class costs: right, wrong and looping submissions mixed as in a real one.

    python -m benchmarks.batch_class [--count 100] [--sandbox docker bubblewrap] [--jobs 1 2 4]
    python -m benchmarks.batch_class --sandbox bubblewrap --jobs 2 --cluster local:2 --rounds 3

Of twenty submissions one loops without end, six are wrong, thirteen are right in different styles.
CPU is that of the grader, its workers and what runs as their children; what runs in containers is
the engine's, and not in it. Memory is the peak of the grader and its workers together, pages that
they share counted once. With several rounds all are measured in turns, and the last lines hold the medians,
each beside the first.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

import psutil

from tests.submissions.loader import Case, cases

LOOPS = ("bfs-never-marks", "dfs-never-marks", "dijkstra-never-settles", "perfection-endless-on-cycles")
MIX = ("loop", *["wrong"] * 6, *["right"] * 13)
MIXED = (*["right", "wrong"] * 4, "template", "loop")
"""A class in the middle of the course: of 60, 24 are right, 24 wrong, 6 as handed out, and 6 loop."""
COMMAND = [sys.executable, "-c", "import sys; from grader.cli import main; sys.exit(main())", "batch"]


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--sandbox", nargs="*", default=["docker", "bubblewrap"])
    parser.add_argument("--jobs", nargs="*", type=int, default=[1, 2, 4])
    parser.add_argument("--cluster", nargs="*", default=[], help="Dask clusters, such as local:2")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--rubric", type=Path)
    options = parser.parse_args()
    ways = [("--jobs", str(jobs)) for jobs in options.jobs] + [
        ("--cluster", name) for name in options.cluster
    ]
    rubric = ["--rubric", str(options.rubric)] if options.rubric else []
    walls: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        kinds = dict(make_class(Path(folder, "class"), options.count))
        print(f"{options.count} submissions, {list(kinds.values()).count('loop')} of them loop\n")
        print("sandbox         jobs  wall s  a second   CPU s  memory MB  median s: right  wrong   loop")
        for _, sandbox, way in product(range(options.rounds), options.sandbox, ways):
            out = Path(tempfile.mkdtemp(dir=folder))
            wall, told = row(Path(folder, "class"), out, kinds, ["--sandbox", sandbox, *way, *rubric])
            walls[sandbox, way[1]].append(wall)
            print(f"{sandbox:<12}{way[1]:>8}  {told}", flush=True)
    if options.rounds > 1:
        print(*_medians(walls), sep="\n")
    return 0


def _medians(walls: Mapping[tuple[str, str], Sequence[float]]) -> Iterator[str]:
    """Yield each way's median, and the median of its ratios to the first way, round by round."""
    first = next(iter(walls.values()))
    for (sandbox, way), found in walls.items():
        ratio = statistics.median(one / other for one, other in zip(found, first, strict=True))
        yield f"{sandbox:<12}{way:>8}  {statistics.median(found):>6.1f}  {ratio:.3f} times the first"


def make_class(folder: Path, count: int, mix: Sequence[str] = MIX) -> Iterator[tuple[str, str]]:
    """Write the submissions; yield the name and kind of each."""
    rng = random.Random(1)
    wrong = [case for case in cases("wrong") if case.name not in LOOPS and not case.expectation.slow]
    pools = {
        "right": [case for case in cases("right") if not case.expectation.slow],
        "wrong": wrong,
        "loop": [Case("wrong", name) for name in LOOPS],
        "template": [Case("bad", "untouched-template")],
    }
    for number in range(count):
        kind = mix[number % len(mix)]
        case = rng.choice(pools[kind])
        case.materialise(folder / f"{number:04}-{case.name}")
        yield f"{number:04}-{case.name}", kind


def row(folder: Path, out: Path, kinds: dict[str, str], options: Sequence[str]) -> tuple[float, str]:
    """Grade the class once; return the wall seconds, and all figures in a line."""
    wall, cpu, memory = measured([*COMMAND, str(folder), "--out", str(out), *options])
    seconds = {kind: median_of(out, kinds, kind) for kind in ("right", "wrong", "loop")}
    times = "  ".join(f"{seconds[kind]:>5.2f}" for kind in seconds)
    return wall, f"{wall:>6.1f}  {len(kinds) / wall:>8.2f}  {cpu:>6.1f}  {memory:>9.0f}           {times}"


def measured(command: list[str]) -> tuple[float, float, float]:
    """Run the command; return wall seconds, processor seconds, and peak megabytes."""
    before, started, peak = _children(), time.monotonic(), 0.0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        peak = max(peak, _memory(process.pid))
        time.sleep(0.25)
    if process.returncode != 0:
        raise SystemExit(f"the command failed: {' '.join(command)}")
    return time.monotonic() - started, _children() - before, peak


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory(pid: int) -> float:
    """Return the megabytes of the grader and its workers, without what runs in boxes."""
    total = 0.0
    with suppress(psutil.Error):
        grader = psutil.Process(pid)
        for process in (grader, *grader.children()):
            with suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total / 1e6


def median_of(out: Path, kinds: dict[str, str], kind: str) -> float:
    """Return the median seconds of submissions of a kind, from the log."""
    events = map(json.loads, (out / "batch.log.jsonl").read_text(encoding="ascii").splitlines())
    found = [e["seconds"] for e in events if e["event"] == "graded" and kinds[e["submission"]] == kind]
    return statistics.median(found) if found else float("nan")


if __name__ == "__main__":
    sys.exit(main())
