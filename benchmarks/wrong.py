"""What wrong submissions cost against right ones, and which cost most.

    python -m benchmarks.wrong [NAME ...] [--share 0.5] [--rights 9] [--worst 10] [--no-explain]
                               [--explaining 40] [--sandbox bubblewrap|process]

A share of the wrong submissions of the tests that is drawn by lot, or those of these names (``bfs-*``), is
graded one by one, by a process that knows what a worker of a class does. The cost is seconds of a processor,
those of grader, page and boxes together (what runs in containers cannot be told); it is compared with the
median of right submissions, graded in between. ``--explaining`` tells of so many which part of the seconds
the reasons take, and how that part divides.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatch
from math import ceil
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from grader.cli import GC_THRESHOLDS
from grader.course.plan import Plan, load_plan
from grader.feedback import render_html
from grader.grading.engine import grade
from grader.grading.places import PlaceFinder
from grader.grading.story import Storyteller
from grader.grading.verdicts import CounterexampleFinder
from grader.grading.why import Why
from grader.model import Submission
from grader.results import as_data
from grader.sandbox.base import Backend, choose
from tests.submissions.loader import Case, cases

HIGH = 0.95
RUBRIC: Path | None = None
"""The shipped rubric."""
WARM = ("right/plain", "wrong/all-solvers-west-first", "wrong/perfection-always-true")
"""Submissions that fill the caches which a worker of a class usually has."""
REASONS: tuple[tuple[type, str, str], ...] = (
    (CounterexampleFinder, "plainest", "smaller cases"),
    (Why, "diagnose", "names"),
    (PlaceFinder, "find", "edits"),
    (PlaceFinder, "_holds", "confirming"),
    (Storyteller, "tell", "stories"),
    (Storyteller, "_beside", "twins"),
    (Storyteller, "_asked", "states"),
    (Why, "spelt_out", "slips"),
)
"""What is done to explain only: a method, and what it is for."""


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--rights", type=int, default=9)
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--no-explain", dest="explain", action="store_false")
    parser.add_argument("--explaining", type=int, default=0)
    parser.add_argument("--sandbox", default="bubblewrap", choices=("bubblewrap", "process"))
    options = parser.parse_args()
    gc.set_threshold(*GC_THRESHOLDS)
    plan, (backend, _) = load_plan(RUBRIC, explain=options.explain), choose(options.sandbox)
    for name in WARM:
        _grade(Case(*name.split("/")), plan, backend)
    rights, wrongs = _chosen(options.names, options.share, options.rights)
    if options.explaining:
        _tell_explaining(wrongs[: options.explaining], plan, backend)
        return 0
    of_right, of_wrong = _measured(rights, wrongs, plan, backend)
    _tell(of_right, of_wrong, options.worst)
    return 0


def _chosen(names: Sequence[str], share: float, rights: int) -> tuple[list[Case], list[Case]]:
    """Return the requested number of right submissions, none of them slow, and a share of the wrong ones."""
    lot = Random(1)
    plain = [case for case in cases("right") if not case.expectation.slow]
    known = [case for case in cases("wrong") if any(fnmatch(case.name, name) for name in names)]
    return lot.sample(plain, rights), lot.sample(known, max(1, round(share * len(known))))


def _measured(
    rights: Sequence[Case], wrongs: Sequence[Case], plan: Plan, backend: Backend
) -> tuple[list[float], dict[str, float]]:
    """Return the seconds of the right ones, graded in between, and of each wrong one."""
    every = -(-len(wrongs) // len(rights))
    of_right, of_wrong = [], {}
    for number, right in enumerate(rights):
        of_right.append(_seconds(right, plan, backend))
        for case in wrongs[number * every : (number + 1) * every]:
            of_wrong[case.name] = _seconds(case, plan, backend)
    return of_right, of_wrong


def _seconds(case: Case, plan: Plan, backend: Backend) -> float:
    """Return the processor seconds of this process and its children for a case."""
    before = _used()
    _grade(case, plan, backend)
    return _used() - before


def _tell_explaining(wrongs: Sequence[Case], plan: Plan, backend: Backend) -> None:
    """Print of each case which part of its seconds the reasons take; the parts of that, and the median."""
    shares = dict[str, float]()
    for case in wrongs:
        spent = dict[str, float]()
        with _metered(spent):
            before = _used_live()
            _grade(case, plan, backend)
            whole = _used_live() - before
        shares[case.name] = sum(spent.values()) / whole
        divided = "  ".join(
            f"{part} {seconds / whole:.0%}"
            for part, seconds in sorted(spent.items(), key=itemgetter(1))[::-1]
        )
        print(f"{case.name:48}{whole:6.2f} s{shares[case.name]:5.0%}  {divided}", flush=True)
    ordered = sorted(shares.values())
    high = ordered[ceil(HIGH * len(ordered)) - 1]
    print(f"reasons of {len(ordered)}: median {statistics.median(ordered):.0%}, {HIGH:.0%} {high:.0%}")


@contextmanager
def _metered(spent: dict[str, float]) -> Iterator[None]:
    """Note the seconds of each kind of reason, none of them twice."""
    inner = [0.0]

    def meter(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def metered(*args: Any, **kwargs: Any) -> Any:
            before = _used_live()
            inner.append(0.0)
            try:
                return method(*args, **kwargs)
            finally:
                used = _used_live() - before
                spent[name] = spent.get(name, 0.0) + used - inner.pop()
                inner[-1] += used

        return metered

    with ExitStack() as stack:
        for owner, name, part in REASONS:
            metered = meter(part, getattr(owner, name))
            stack.enter_context(mock.patch.object(owner, name, metered))
        yield


def _used_live() -> float:
    """Return the processor seconds of this process and all that stem from it, those that still run, too."""
    ticks, parents = dict[int, int](), dict[int, int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            numbers = stat.read_text().rpartition(")")[2].split()
            parents[int(stat.parent.name)] = int(numbers[1])
            ticks[int(stat.parent.name)] = sum(map(int, numbers[11:15]))
    own = [os.getpid()]
    for each in own:
        own += [child for child, parent in parents.items() if parent == each]
    return sum(ticks.get(each, 0) for each in own) / os.sysconf("SC_CLK_TCK")


def _used() -> float:
    """Return the processor seconds used so far; those of a box count once it is closed."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _grade(case: Case, plan: Plan, backend: Backend) -> None:
    render_html(as_data(grade(Submission(case.name, case.files()), plan, backend)))


def _tell(of_right: Sequence[float], of_wrong: Mapping[str, float], worst: int) -> None:
    right = statistics.median(of_right)
    ratios = sorted(seconds / right for seconds in of_wrong.values())
    print(f"{len(of_right)} right: {right:.2f} s ({min(of_right):.2f} to {max(of_right):.2f}) = 1.0")
    median, high = statistics.median(ratios), ratios[ceil(HIGH * len(ratios)) - 1]
    print(f"{len(ratios)} wrong: median {median:.1f}, {HIGH:.0%} {high:.1f}, worst {ratios[-1]:.1f}")
    for name in sorted(of_wrong, key=of_wrong.__getitem__, reverse=True)[:worst]:
        print(f"{name:48}{of_wrong[name] / right:6.1f}{of_wrong[name]:8.2f} s")


if __name__ == "__main__":
    sys.exit(main())
