"""How often feedback points at a line, and how often at the right one.

    python -m benchmarks.places corpus [NAME ...] [--cases 60] [--sandbox bubblewrap]
    python -m benchmarks.places faults [--count 120] [--seed 1] [--cases 60] [--sandbox bubblewrap]

``corpus`` takes the wrong submissions of the tests, and prints of each what its answers share and
the place, to be read by a person. ``faults`` puts one fault into right code, at a line that is known, by
other changes than those that places are found with (``faults.py``). It counts the places that are exact,
within two lines, or further away (``astray``; these are printed), and where nothing is said. Only what is
shown is graded, one exercise at a time, on so many cases of each check that most mistakes show.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.faults import OPERATORS, Fault, faults_of
from grader.course.plan import Plan, load_plan
from grader.exercises.kit.check import sample
from grader.grading.engine import grade
from grader.model import ExerciseResult, LookAt, Submission
from grader.sandbox.base import Backend, choose
from lab.exercises import BY_ID
from tests.submissions.loader import cases

NEAR = 2
"""How many lines the eye takes in at once."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One exercise of one submission, graded."""

    name: str
    exercise: str
    lost: tuple[str, ...]
    shared: tuple[str, ...]
    place: LookAt | None
    seconds: float
    """Processor seconds, including the box if it is a child of this process."""

    @property
    def edit(self) -> str:
        """The correcting edit, on one line."""
        return "" if self.place is None else "  ".join(line.strip() for line in self.place.edit)


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    corpus = kinds.add_parser("corpus")
    corpus.add_argument("names", nargs="*", default=["*"])
    corpus.set_defaults(run=_corpus)
    faults = kinds.add_parser("faults")
    faults.add_argument("--count", type=int, default=120)
    faults.add_argument("--seed", type=int, default=1)
    faults.set_defaults(run=_faults)
    for each in (corpus, faults):
        each.add_argument("--sandbox", default="bubblewrap")
        each.add_argument("--cases", type=int, default=60)
    options = parser.parse_args(arguments)
    backend, _ = choose(options.sandbox)
    options.run(options, backend)
    return 0


# --- the corpus -------------------------------------------------------------------------------------


def _corpus(options: argparse.Namespace, backend: Backend) -> None:
    counts: Counter[str] = Counter()
    seconds = 0.0
    for case in cases("wrong"):
        if not any(fnmatch(case.name, name) for name in options.names):
            continue
        for exercise in case.expectation.exercises:
            seen = _graded(case.name, exercise, case.files(), backend, options.cases)
            if not seen.lost:
                continue
            seconds += seen.seconds
            for kind in ("all", exercise):
                counts[kind] += 1
                counts[f"{kind} place"] += seen.place is not None
                counts[f"{kind} name"] += bool(seen.shared)
            line = "-" if seen.place is None else f"{seen.place.line} {seen.place.kind}"
            print(f"{case.name:48} {exercise:10} {', '.join(seen.shared) or '-':40} {line}  {seen.edit}")
            sys.stdout.flush()
    print("\nexercise     wrong  a place  a name")
    for kind in ("all", *BY_ID):
        numbers = [counts[key] for key in (kind, f"{kind} place", f"{kind} name")]
        print(f"{kind:12} {numbers[0]:5} {numbers[1]:8} {numbers[2]:7}")
    print(
        f"{seconds / max(1, counts['all']):.1f} CPU seconds an exercise, what it takes to grade it included"
    )


# --- faults -----------------------------------------------------------------------------------------


def _faults(options: argparse.Namespace, backend: Backend) -> None:
    counts: Counter[str] = Counter()
    seconds, misled = 0.0, []
    for exercise, files, fault in _drawn(options.count, options.seed):
        changed = {**files, BY_ID[exercise].file: fault.text.encode()}
        seen = _graded(fault.operator, exercise, changed, backend, options.cases)
        if not seen.lost:
            continue
        seconds += seen.seconds
        for kind in ("all", exercise, fault.operator):
            counts[kind] += 1
            counts[f"{kind} {_end(seen.place, fault)}"] += 1
        if seen.place is not None and abs(seen.place.line - fault.line) > NEAR:
            told = fault.text.split("\n")[fault.line - 1].strip()
            misled.append(f"{exercise}, {fault.operator}, line {fault.line}: {told}  ->  {seen.edit}")
    print("                  wrong  exact  within 2  astray  silent")
    for kind in ("all", *BY_ID, *OPERATORS):
        print(_row(kind, counts))
    print(
        f"{seconds / max(1, counts['all']):.1f} CPU seconds an exercise, what it takes to grade it included"
    )
    print(*("", "Further away than two lines:", *misled), sep="\n")


ENDS = ("exact", "near", "astray", "silent")


def _end(place: LookAt | None, fault: Fault) -> str:
    """Return how close the reported place is to the fault."""
    if place is None:
        return "silent"
    away = abs(place.line - fault.line)
    return "exact" if away == 0 else "near" if away <= NEAR else "astray"


def _row(kind: str, counts: Mapping[str, int]) -> str:
    numbers = [counts.get(key, 0) for key in (kind, *(f"{kind} {end}" for end in ENDS))]
    return f"{kind:16} {numbers[0]:6} {numbers[1]:6} {numbers[2]:9} {numbers[3]:7} {numbers[4]:7}"


def _drawn(count: int, seed: int) -> Iterator[tuple[str, Mapping[str, bytes], Fault]]:
    """Yield random faults in right submissions, across operators and exercises."""
    texts: dict[tuple[str, bytes], Mapping[str, bytes]] = {}
    for case in cases("right"):
        files = case.files()
        for exercise, target in BY_ID.items():
            if files.get(target.file, b"\xff").isascii():
                texts.setdefault((exercise, files[target.file]), files)
    found = [(exercise, files) for (exercise, _), files in texts.items()]
    random = Random(seed)
    known: set[str] = set()
    while len(known) < count:
        exercise, handed_in = random.choice(found)
        try:
            faults = list(faults_of(handed_in[BY_ID[exercise].file].decode()))
        except SyntaxError:
            continue
        fault = random.choice(faults) if faults else None
        if fault is not None and fault.text not in known:
            known.add(fault.text)
            yield exercise, handed_in, fault


# --- grading ----------------------------------------------------------------------------------------


@cache
def _plan() -> Plan:
    return load_plan()


@cache
def _shown(exercise: str, most: int) -> Plan:
    """Return the plan of one exercise's shown checks, with at most ``most`` cases each."""
    plan = _plan()
    (found,) = (each for each in plan.exercises if each.id == exercise)
    checks = (check for check in found.checks if plan.points[check.id].visibility == "public")
    thin = tuple(replace(check, cases=tuple(sample(check.cases, most))) for check in checks)
    return replace(plan, exercises=(replace(found, checks=thin),))


def _graded(name: str, exercise: str, files: Mapping[str, bytes], backend: Backend, most: int) -> Seen:
    before = _seconds()
    (result,) = grade(Submission("benchmark", files), _shown(exercise, most), backend).exercises
    verdicts = {check.id: check.verdict for check in result.checks}
    named = dict.fromkeys(verdict.misconception for verdict in verdicts.values() if verdict.misconception)
    return Seen(name, exercise, _lost(result), tuple(named), result.look_at, _seconds() - before)


def _lost(result: ExerciseResult) -> tuple[str, ...]:
    return tuple(check.id for check in result.checks if check.verdict.status != "passed")


def _seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    sys.exit(main())
