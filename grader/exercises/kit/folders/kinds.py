"""How the grader handles exercises that are judged by code in their folders."""

from __future__ import annotations

import shlex
from typing import Final

from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.folders import checks
from grader.exercises.kit.folders.cases import argument_code
from grader.exercises.kit.hidden_kinds import of_a_way
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.reproduce import module_of
from grader.exercises.kit.solvers import kind as solvers
from grader.languages import Message, said
from grader.model import Ask, Json, Target

_NEEDS_CARE: Final = frozenset('"$`\\%!')
"""What a shell interprets within double quotes."""


def _sentence(exercise: PlannedExercise, wrong: Wrong) -> Message:
    """Say what was called with which arguments, and what it did."""
    asked = wrong.case.call.asked(Ask)
    name = f"{exercise.target.name}.{asked.method}" if asked.method else exercise.target.name
    return said(
        "called_with" if wrong.case.maze is None else "on_a_maze",
        label=wrong.case.label,
        solver=name,
        finding=wrong.finding.message,
    )


def _reproduce(target: Target, case: Case, file: str) -> Json:
    """Return a command that makes the call after the others of its series; a single maze is in a file."""
    asked, name = case.call.asked(Ask), target.name
    called = f"made.{asked.method}" if asked.method else name
    saved = file if case.maze is not None and not asked.before else None
    calls = [
        f"{called}({', '.join(argument_code(value, file=saved) for value in values)})"
        for values in (*asked.before, asked.values)
    ]
    text = " ".join(calls)
    of_lab = [
        each
        for each in ("Dimension", "Factory", "Maze", "Vector")
        if f"{each}(" in text or f"{each}." in text
    ]
    head = [f"from lab import {', '.join(of_lab)}"] if of_lab else []
    head += ["from random import Random"] if "Random(" in text else []
    head += ["from solvers.search import Search"] if "Search(" in text else []
    head += [f"from {module_of(target)} import {name}", *([f"made = {name}()"] if asked.method else [])]
    code = "; ".join([*head, *calls[:-1], f"print({calls[-1]})"])
    quoted = shlex.quote(code) if _NEEDS_CARE & {*code} else f'"{code}"'
    return {"file": saved, "command": f"python -c {quoted}"}


WALKER = Kind(
    titles=checks.titles,
    checks=checks.checks,
    sentence=solvers.sentence,
    reproduce=solvers.reproduce,
    hidden_kind=of_a_way,
    may_use_search=True,
)
"""Exercises that are called like solvers, but may take any way."""
ANSWER = Kind(
    titles=checks.titles,
    checks=checks.checks,
    sentence=_sentence,
    reproduce=_reproduce,
    hidden_kind=of_a_way,
    may_use_search=True,
)
"""Exercises that ask for a function, or for a class's methods, with any answer."""
