"""How far the number of ``maze check`` and the grade lie apart, over the wrong submissions of the tests.

    python -m benchmarks.kit [NAME ...] [--share 0.1] [--sandbox bubblewrap|process] [--all]

A share of them that is drawn by lot, or those of these names (``bfs-*``), is graded, and checked in a kit of
the same rubric. A submission is off if in any exercise the kit's points so far and the grade's points of
shown checks differ by more than 1. Left out of both are checks without a public test, and exercises that the
kit says it has not judged. Ends with 1 if more than 5 in 100 are off, or one by more than a tenth of the
points of its exercise.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from grader.course.plan import Plan, load_plan
from grader.grading.engine import grade
from grader.model import Submission
from grader.release.kit import kit_of
from grader.sandbox.base import Backend, choose
from tests.submissions.loader import Case, cases

MOST_APART = 1.0
MOST_OFF = 0.05
MOST_PART = 0.1
"""No exercise may be off by more than this part of its points."""
_ASK = """
import json, sys
from lab.commands import check
print("\\n" + json.dumps(check.points(sys.argv[1:])))
"""


class Apart(NamedTuple):
    """An exercise of a submission with its points in the kit and in the grade, of those that both judge."""

    name: str
    exercise: str
    kit: float
    grade: float
    worth: float

    @property
    def by(self) -> float:
        """By how much the kit gives more."""
        return self.kit - self.grade


class Told(NamedTuple):
    """What the kit told of a submission, by exercise, and what that took."""

    points: Mapping[str, Mapping[str, Any]]
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--sandbox", default="bubblewrap", choices=("bubblewrap", "process"))
    parser.add_argument("--all", action="store_true", help="print all that differ at all")
    options = parser.parse_args(arguments)
    plan, (backend, _) = load_plan(explain=False), choose(options.sandbox)
    known = [case for case in cases("wrong") if any(fnmatch(case.name, name) for name in options.names)]
    chosen = Random(1).sample(known, max(1, round(options.share * len(known))))
    found, waiting, seconds = list[Apart](), list[str](), dict[str, float]()
    with tempfile.TemporaryDirectory(prefix="benchmark-kit-") as scratch:
        kit = Path(scratch) / "kit"
        for name, content in kit_of(plan).files.items():
            (kit / name).parent.mkdir(parents=True, exist_ok=True)
            (kit / name).write_bytes(content)
        for number, case in enumerate(chosen):
            folder = Path(scratch) / str(number)
            case.materialise(folder)
            told = checked(kit, folder)
            seconds[case.name] = told.seconds
            waiting += [f"{case.name}: {id_}" for id_, each in told.points.items() if each["waits"]]
            found += compared(case, told, plan, backend)
    return _tell(found, waiting, seconds, is_all=options.all)


def checked(kit: Path, folder: Path) -> Told:
    """Return the points so far of a folder, by ``maze check`` of a kit."""
    before = _used()
    done = subprocess.run(
        [sys.executable, "-P", "-c", _ASK, str(folder)],
        env={**os.environ, "PYTHONPATH": str(kit), "XDG_CACHE_HOME": str(kit / "cache")},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return Told(json.loads(done.stdout.splitlines()[-1]), _used() - before)


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compared(case: Case, told: Told, plan: Plan, backend: Backend) -> list[Apart]:
    """Return the exercises that both have judged."""
    result = grade(Submission(case.name, case.files()), plan, backend)
    found = []
    for exercise in result.exercises:
        kit = told.points.get(exercise.id)
        if kit is None or kit["waits"]:
            continue
        checks = [
            check
            for check in exercise.checks
            if check.visibility == "public" and check.id.partition(".")[2] not in kit["untested"]
        ]
        earned, worth = sum(check.score for check in checks), sum(check.max_score for check in checks)
        found.append(Apart(case.name, exercise.id, kit["so_far"], earned, worth))
    return found


def _tell(
    found: Sequence[Apart], waiting: Sequence[str], seconds: Mapping[str, float], *, is_all: bool
) -> int:
    names = {each.name for each in found}
    off = [each for each in found if abs(each.by) > MOST_APART]
    far = [each for each in off if abs(each.by) > MOST_PART * each.worth]
    count = len({each.name for each in off})
    for each in sorted(found, key=lambda each: -abs(each.by)):
        if abs(each.by) > (0.01 if is_all else MOST_APART):
            told = f"kit {each.kit:5.2f}, grade {each.grade:5.2f} of {each.worth:g}"
            print(f"{each.name:48} {each.exercise:11} {each.by:+6.2f}  {told}")
    print(f"{len(names)} submissions: {count} off by more than {MOST_APART:g} ({count / len(names):.1%}), ")
    print(f"{len({each.name for each in far})} by more than a tenth of the exercise's points")
    print(f"{len(waiting)} exercises not judged by the kit:", *waiting[:20], sep="\n  ")
    slowest = sorted(seconds, key=seconds.__getitem__, reverse=True)
    print("Seconds of processor:", *(f"{seconds[name]:.2f} {name}" for name in slowest[:6]), sep="\n  ")
    return int(bool(far) or count > MOST_OFF * len(names))


if __name__ == "__main__":
    sys.exit(main())
