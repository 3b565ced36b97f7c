"""What is left lying around in work changes no mark: it goes into right and wrong submissions of the bank."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest

from grader.course.plan import Plan
from grader.exercises.kit.check import Check, sample
from grader.grading.engine import grade
from grader.model import ExerciseResult, Submission
from grader.sandbox.process import ProcessBackend
from grader.session.connection import size_of
from tests.grader.grading.answered import small_plan
from tests.submissions.loader import FILES, Case, base, cases

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("_untraced")]

OFTEN = 5
"""One of so many submissions is tried."""
CASES, CELLS = 8, 36
"""So many cases of each check are asked, of so many cells: what is left behind shows in the first call."""


def in_methods(statement: str, text: str) -> str:
    """Put a statement first into every function that begins on a line of its own."""
    lines = text.split("\n")
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    for each in sorted(functions, key=lambda each: -each.lineno):
        first = each.body[0]
        line = min(part.lineno for part in (first, *getattr(first, "decorator_list", ())))
        if line > each.lineno and first.col_offset > each.col_offset:
            begins = lines[line - 1]
            lines.insert(line - 1, begins[: len(begins) - len(begins.lstrip())] + statement)
    return "\n".join(lines)


def at_the_end(statement: str, text: str) -> str:
    return f"{text}\n\n{statement}\n"


def at_the_beginning(statement: str, text: str) -> str:
    """Put a statement below the docstring and the imports from the future, which have to come first."""
    lines, body = text.split("\n"), ast.parse(text).body
    first = [each.end_lineno or 0 for each in body if _comes_first(each)]
    return "\n".join([*lines[: max(first, default=0)], statement, *lines[max(first, default=0) :]])


def _comes_first(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


LEFT: dict[str, Callable[[str], str]] = {
    "time.sleep(9)": partial(in_methods, "__import__('time').sleep(9)"),
    "SystemExit": partial(at_the_end, "exit()"),
    "numpy": partial(at_the_beginning, "import numpy as np"),
    "input": partial(in_methods, "input('Go on?')"),
    "FileNotFoundError": partial(at_the_end, "lines = open('mazes/a.txt').readlines()"),
    "breakpoint": partial(in_methods, "breakpoint()"),
    "matplotlib": partial(at_the_beginning, "from matplotlib.pyplot import plot"),
    "print": partial(in_methods, "print('here ' * 20_000)"),
}
"""By what is told of it: the name of what was called, raised or imported."""


def every() -> Iterator[Any]:
    """Some right and some wrong submissions in UTF-8, with one leftover after the other."""
    names = [*LEFT]
    every_one = [each for kind in ("right", "wrong") for each in cases(kind)]
    found = [each for each in every_one if not each.expectation.slow and is_utf_8(each) and has_dfs(each)]
    for number, case in enumerate(found[::OFTEN]):
        left = names[number % len(names)]
        yield pytest.param(case, left, id=f"{case.name}-{left}")


def has_dfs(case: Case) -> bool:
    return FILES["dfs"] in case.files()


def is_utf_8(case: Case) -> bool:
    with suppress(UnicodeDecodeError):
        return bool([case.files().get(file, b"").decode() for file in FILES.values()])
    return False


@pytest.mark.parametrize(("case", "left"), [*every()])
def test_a_leftover_costs_nothing_and_earns_nothing(case: Case, left: str) -> None:
    files = case.files()
    other = (id_ for id_, file in FILES.items() if files.get(file, b"") not in (b"", base().get(file)))
    exercise = next(other, "dfs")
    before = LEFT[left](files[FILES[exercise]].decode())
    with_it = graded(exercise, files | {FILES[exercise]: before.encode()})
    if case.kind == "right":
        assert {status for _, _, status in marks(with_it)} == {"passed"}
        assert left in {str(dict(each.text.values)["what"]) for each in with_it.remarks}
        assert FILES[exercise] in {remark.file for remark in with_it.remarks}
    else:  # it may run its own text, or fail before it comes to what was left
        without = graded(exercise, files)
        assert (marks(with_it), with_it.zeroed) == (marks(without), without.zeroed)


def graded(exercise: str, files: dict[str, bytes]) -> ExerciseResult:
    return grade(Submission("ada", files), quick_plan(exercise), ProcessBackend()).exercises[0]


@cache
def quick_plan(exercise: str) -> Plan:
    """Return a plan of one exercise with a few quick cases for each check."""
    plan = small_plan()
    planned = next(each for each in plan.exercises if each.id == exercise)
    checks = tuple(quick for check in planned.checks if (quick := _quick(check)).cases)
    rubric = replace(plan.rubric, explain=False)
    return replace(plan, exercises=(replace(planned, checks=checks),), rubric=rubric)


def _quick(check: Check) -> Check:
    cases = [case for case in check.cases if size_of(case.call) <= CELLS]
    return replace(check, cases=tuple(sample(cases, CASES) if check.alone else cases))


def marks(result: ExerciseResult) -> list[tuple[str, float, str]]:
    return [(check.id, check.score, check.verdict.status) for check in result.checks]
