"""Submissions of the corpus, run in this process: known code, so no sandbox is needed.

What loops is ended by an alarm, as a time-out would end it.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache, partial
from pathlib import Path
from typing import Any

from grader.course.plan import load_plan
from grader.course.statements import target_of
from grader.exercises.kit.check import PlannedExercise
from grader.model import Call, Claim, Fault, RunScript, Step
from tests.direct import run_with
from tests.submissions.loader import Case

SECONDS = 1.0


class TimeUpError(BaseException):
    """The alarm went off; no ``except Exception`` stops it."""


@cache
def planned(exercise: str) -> PlannedExercise:
    """An exercise of the shipped rubric."""
    return next(each for each in load_plan().exercises if each.id == exercise)


@cache
def calls_of(exercise: str) -> tuple[Call, ...]:
    """Every call that the shipped rubric makes of an exercise."""
    cases = [case for check in planned(exercise).checks for case in (*check.controls, *check.cases)]
    return tuple({case.call.id: case.call for case in cases}.values())


def claims_of(case: Case, exercise: str, folder: Path, calls: Sequence[Call]) -> list[tuple[Call, Claim]]:
    """What a submission answers; after a time-out the rest of the group is left out, as by the engine."""
    case.materialise(folder)
    with _loaded(folder) as load, Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        search = None if exercise in ("search", "perfection", "generator") else load("search")
        target = load(exercise)
        run = run_with(target, search)
        pairs: list[tuple[Call, Claim]] = []
        late: set[str] = set()
        for call in calls:
            if call.group not in late:
                pairs.append((call, _claim(call, partial(run, [call], False), target)))
                if pairs[-1][1].outcome == "timeout":
                    late.add(call.group)
        return pairs


@contextmanager
def _loaded(folder: Path) -> Iterator[Callable[[str], Any]]:
    """Import from a folder, and forget it all afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield lambda exercise: getattr(
            importlib.import_module(target_of(exercise).file.removesuffix(".py").replace("/", ".")),
            target_of(exercise).name,
        )
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            del sys.modules[name]


def _claim(call: Call, run: Callable[[], Sequence[Claim]], target: Any) -> Claim:
    def ring(*_: object) -> None:
        raise TimeUpError

    previous, tracer = signal.signal(signal.SIGALRM, ring), sys.gettrace()
    sys.settrace(None)  # the alarm would leave a tracer's lock closed for ever, where it rang in there
    gc.disable()  # the alarm would be lost in a callback of the collector's
    # again and again: where it rings in a destructor, Python prints the exception and goes on
    of_test = signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        (claim,) = run()
    except TimeUpError:
        return Claim(call.id, "timeout")
    except (SystemExit, KeyboardInterrupt) as error:
        return Claim(call.id, "raised", None, Fault(type(error).__name__, str(error)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        gc.enable()
        signal.signal(signal.SIGALRM, previous)
        signal.setitimer(signal.ITIMER_REAL, *of_test)
        sys.settrace(tracer)
    asked = call.arguments
    return _part(call, asked.steps, claim, target) if isinstance(asked, RunScript) else claim


def _part(call: Call, steps: Sequence[Step], claim: Claim, target: Any) -> Claim:
    """The same claim with the steps that a script came to."""
    if claim.outcome == "returned":
        return claim
    run = run_with(target)
    for count in range(len(steps), -1, -1):
        shorter = Call(call.id, RunScript(tuple(steps[:count])))
        part = run([shorter], False)[0]
        if part.outcome == "returned":
            return Claim(call.id, claim.outcome, part.value, claim.fault)
    return claim
