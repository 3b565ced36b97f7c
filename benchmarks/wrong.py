"""What wrong submissions cost against right ones, and which cost most.

    python -m benchmarks.wrong [NAME ...] [--share 0.5] [--rights 9] [--worst 10] [--no-explain]
                               [--explaining 40] [--sandbox bubblewrap|process]

A share of the wrong submissions of the tests that is drawn by lot, or those of these names (``bfs-*``), is
graded one by one, by a process that knows what a worker of a class does. The cost is seconds of a processor,
those of grader, page and boxes together (what runs in containers cannot be told); it is compared with the
median of right submissions, graded in between. ``--explaining`` grades so many twice, with reasons and
without, and tells which part of the seconds the reasons take.
"""

from __future__ import annotations

import argparse
import gc
import resource
import statistics
import sys
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from math import ceil
from pathlib import Path
from random import Random

from grader.cli import GC_THRESHOLDS
from grader.course.plan import Plan, load_plan
from grader.feedback import render_html
from grader.grading.engine import grade
from grader.model import Submission
from grader.results import as_data
from grader.sandbox.base import Backend, choose
from tests.submissions.loader import Case, cases

HIGH = 0.95
RUBRIC: Path | None = None
"""The shipped rubric."""
WARM = ("right/plain", "wrong/all-solvers-west-first", "wrong/perfection-always-true")
"""Submissions that fill the caches which a worker of a class usually has."""


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
    without, shares = load_plan(RUBRIC, explain=False), {}
    for case in wrongs:
        bare, whole = _seconds(case, without, backend), _seconds(case, plan, backend)
        shares[case.name] = max(0.0, 1 - bare / whole)
        print(f"{case.name:48}{bare:6.2f} s{whole:8.2f} s{shares[case.name]:7.0%}", flush=True)
    ordered = sorted(shares.values())
    high = ordered[ceil(HIGH * len(ordered)) - 1]
    print(f"reasons of {len(ordered)}: median {statistics.median(ordered):.0%}, {HIGH:.0%} {high:.0%}")


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
