"""How far the number of ``maze check`` and the grade lie apart, over the wrong submissions of the tests.

    python -m benchmarks.kit [NAME ...] [--every 10] [--sandbox bubblewrap|process] [--all]

All of them, every tenth, or those of these names (``bfs-*``), are graded, and checked in a kit of the same
rubric: what each has of its own, with the Search that it stands on. A submission is off if in any exercise
the kit's points so far and the grade's points of shown checks differ by more than 1. Left out of both are
checks without a public test, exercises of which one of those decides all (a copy of what is given), and
exercises that the kit says it has not judged. Ends with 1 if more than 5 in 100 are off, or one by more than
a tenth of the points of its exercise.
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
from dataclasses import dataclass, field
from fnmatch import fnmatch
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from grader.course.plan import Plan, load_plan
from grader.grading.engine import grade
from grader.model import ExerciseResult, Submission
from grader.release.kit import kit_of
from grader.sandbox.base import Backend, choose
from tests.submissions.class_run import files_of
from tests.submissions.loader import FILES, Case, cases

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


@dataclass(slots=True)
class Found:
    """What came of a comparison."""

    apart: list[Apart] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """What one of both does not judge, with the reason."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Of the processor, which the kit took for each submission."""

    @property
    def off(self) -> list[Apart]:
        """Those that differ by more than a point."""
        return [each for each in self.apart if abs(each.by) > MOST_APART]

    @property
    def far(self) -> list[Apart]:
        """Those that differ by more than a tenth of their points."""
        return [each for each in self.off if abs(each.by) > MOST_PART * each.worth]

    @property
    def is_near(self) -> bool:
        """Whether at most 5 in 100 submissions are off, and none far."""
        count = len({each.name for each in self.off})
        return not self.far and count <= ceil(MOST_OFF * len(self.seconds))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth only")
    parser.add_argument("--sandbox", default="bubblewrap", choices=("bubblewrap", "process"))
    parser.add_argument("--all", action="store_true", help="print all that differ at all")
    options = parser.parse_args(arguments)
    known = [case for case in cases("wrong") if any(fnmatch(case.name, name) for name in options.names)]
    found = compare(known[:: options.every], options.sandbox)
    _tell(found, is_all=options.all)
    return int(not found.is_near)


def compare(chosen: Sequence[Case], sandbox: str = "bubblewrap") -> Found:
    """Grade some submissions, and check them in a kit."""
    plan, (backend, _), found = load_plan(explain=False), choose(sandbox), Found()
    with tempfile.TemporaryDirectory(prefix="benchmark-kit-") as scratch:
        kit = Path(scratch) / "kit"
        for name, content in kit_of(plan).files.items():
            (kit / name).parent.mkdir(parents=True, exist_ok=True)
            (kit / name).write_bytes(content)
        for number, case in enumerate(chosen):
            folder, files = Path(scratch) / str(number), files_of(case)
            case.materialise(folder, files)
            before = _used()
            told = checked(kit, folder, [id_ for id_, file in FILES.items() if file in files])
            found.seconds[case.name] = _used() - before
            _compare(case, told, plan, backend, found)
    return found


def checked(kit: Path, folder: Path, exercises: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
    """Return the points so far of a folder's exercises, by ``maze check`` of a kit."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _ASK, str(folder), *exercises],
        env={**os.environ, "PYTHONPATH": str(kit), "XDG_CACHE_HOME": str(kit / "cache")},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    points: Mapping[str, Mapping[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return points


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _compare(
    case: Case, told: Mapping[str, Mapping[str, Any]], plan: Plan, backend: Backend, found: Found
) -> None:
    """Grade a submission, and add its exercises that both have judged, and those that one has not."""
    for exercise in grade(Submission(case.name, files_of(case)), plan, backend).exercises:
        kit = told.get(exercise.id)
        if kit is None:
            continue
        if kit["waits"]:
            found.left_out.append(f"{case.name}: {exercise.id}, not judged before Search is right")
            continue
        if (decides := _decides(exercise, kit["untested"])) is not None:
            found.left_out.append(f"{case.name}: {exercise.id}, decided by {decides}")
            continue
        checks = [
            check
            for check in exercise.checks
            if check.visibility == "public" and check.id.partition(".")[2] not in kit["untested"]
        ]
        earned, worth = sum(check.score for check in checks), sum(check.max_score for check in checks)
        found.apart.append(Apart(case.name, exercise.id, kit["so_far"], earned, worth))


def _decides(exercise: ExerciseResult, untested: Sequence[str]) -> str | None:
    """Return the check without a public test that decides about all others, if one does."""
    lost = [check for check in exercise.checks if check.verdict.status == "failed"]
    rest = {check.verdict.status for check in exercise.checks if check not in lost}
    is_alone = len(lost) == 1 and rest == {"skipped"}
    return lost[0].id if is_alone and lost[0].id.partition(".")[2] in untested else None


def _tell(found: Found, *, is_all: bool) -> None:
    for each in sorted(found.apart, key=lambda each: -abs(each.by)):
        if abs(each.by) > (0.01 if is_all else MOST_APART):
            told = f"kit {each.kit:5.2f}, grade {each.grade:5.2f} of {each.worth:g}"
            print(f"{each.name:48} {each.exercise:11} {each.by:+6.2f}  {told}")
    count, names = len(found.seconds), {each.name for each in found.off}
    print(f"{count} submissions: {len(names)} off by more than {MOST_APART:g} ({len(names) / count:.1%}), ")
    print(f"{len({each.name for each in found.far})} by more than a tenth of the exercise's points")
    print(f"{len(found.left_out)} exercises left out:", *found.left_out, sep="\n  ")
    slowest = sorted(found.seconds, key=found.seconds.__getitem__, reverse=True)
    print("Seconds of processor:", *(f"{found.seconds[name]:.2f} {name}" for name in slowest[:6]), sep="\n  ")


if __name__ == "__main__":
    sys.exit(main())
