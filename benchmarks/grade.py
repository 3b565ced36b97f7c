"""What grading one right submission costs, part by part, against the student's own code.

    python -m benchmarks.grade [--rounds N] [--sandbox docker|bubblewrap|process ...]

Own code: the same calls made directly in one process, nothing watched, judged or sent. All figures
are medians of the rounds, taken in one run; compare ratios, not seconds of different machines.
"""

from __future__ import annotations

import argparse
import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from grader.cli import GC_THRESHOLDS
from grader.course.plan import Plan, load_plan
from grader.errors import SandboxError
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.model import Call, Generate, IsPerfect, RunScript, Solve, Submission
from grader.reader import reading_here
from grader.sandbox.base import BACKENDS, choose
from lab import Dimension, Factory, Maze, Vector
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search

ROOT = Path(__file__).resolve().parents[1]
SOLVERS: dict[str, Callable[[], DFS | BFS | Dijkstra]] = {"DFS": DFS, "BFS": BFS, "Dijkstra": Dijkstra}
ALLOWED = {"docker": 0.150, "bubblewrap": 0.050, "process": 0.050}
"""How many seconds a sandbox may cost beyond twice the own code."""


@reading_here()
def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sandbox", nargs="*", default=list(BACKENDS))
    options = parser.parse_args()
    gc.set_threshold(*GC_THRESHOLDS)
    started = time.perf_counter()
    plan, submission = load_plan(), read_submission(ROOT / "reference")
    print(f"the plan, made once:       {time.perf_counter() - started:6.2f} s")
    work = list(_own_work(plan))
    own = _median(options.rounds, lambda: [step() for step in work])
    print(f"own code, {len(work)} calls:     {own:6.3f} s = 1.00\n")
    print("sandbox      wall (x own)    trusted CPU (x own)   start    peak memory")
    for name in options.sandbox:
        _measure(name, plan, submission, own, options.rounds)
    return 0


def _measure(name: str, plan: Plan, submission: Submission, own: float, rounds: int) -> None:
    try:
        backend, _ = choose(name)
    except SandboxError as error:
        print(f"{name:<12} not measured: {error}")
        return
    walls, cpus, starts = [], [], []
    grade(submission, plan, backend)
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        report = grade(submission, plan, backend)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        starts.append(report.timing["start"])
    wall, cpu, start = (statistics.median(values) for values in (walls, cpus, starts))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    target = 2 * own + ALLOWED[name]
    verdict = "within" if wall <= target else "ABOVE"
    print(
        f"{name:<12} {wall:5.3f} s {wall / own:5.2f}  {cpu:7.3f} s {cpu / own:5.2f}"
        f"      {1000 * start:4.0f} ms  {peak:5.0f} MB   {verdict} 2 x own + {1000 * ALLOWED[name]:.0f} ms"
    )


def _median(rounds: int, action: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def _own_work(plan: Plan) -> Iterator[Callable[[], object]]:
    """Yield each call of the plan as a student's own program would make it, without parsing."""
    sys.setrecursionlimit(100_000)
    for exercise in plan.exercises:
        calls = {
            case.call.id: case.call for check in exercise.checks for case in (*check.controls, *check.cases)
        }
        for call in calls.values():
            yield from _steps(exercise.target.name, call)


def _steps(name: str, call: Call) -> Iterator[Callable[[], object]]:
    match call.arguments:
        case Solve(mazes):
            yield from (partial(_solve, name, Maze.from_text(text)) for text in mazes)
        case IsPerfect(text):
            yield partial(_is_perfect, Maze.from_text(text))
        case Generate(rows, columns, seed, times):
            yield from [partial(_generate, seed, Dimension(rows, columns))] * times
        case RunScript(steps):
            vectors = [(i, method, [Vector(*v) for v in given]) for i, method, given in steps]
            yield partial(_script, vectors)


def _solve(name: str, maze: Maze) -> object:
    return SOLVERS[name]().solve(maze, Search())


def _is_perfect(maze: Maze) -> object:
    return PerfectionChecker().is_perfect(maze)


def _generate(seed: int, size: Dimension) -> object:
    return MyGenerator(Random(seed)).generate(Factory(), size)


def _script(steps: list[tuple[int, str, list[Vector]]]) -> None:
    searches: dict[int, Search] = {}
    for instance, method, vectors in steps:
        search = searches.setdefault(instance, Search())
        try:
            value = getattr(search, method)
            if method != "known_cells":
                value(*vectors)
        except LookupError:
            continue


if __name__ == "__main__":
    sys.exit(main())
