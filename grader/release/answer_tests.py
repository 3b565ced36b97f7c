"""Generate public tests for an exercise without any: a few small cases of each public check."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from random import Random
from typing import Final

from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Case
from grader.exercises.kit.folders.cases import AnswerCases, argument_code
from grader.exercises.kit.folders.code import OwnCode, OwnExercise, check_title
from grader.languages import DEFAULT, catalogue
from grader.model import Ask, Given
from grader.model.data import told

OF_EACH_CHECK: Final = 3
"""The most cases of a check that become tests."""
_AMONG: Final = 12
"""How many of a check's smallest cases they are drawn from."""
_SEED: Final = 7_919
"""Draws other cases than those by which submissions are graded."""
_NOT_SHOWN: Final = ("hidden", "large")
_LONGEST: Final = 4_000
"""A case is skipped if its answer takes more characters of code."""

_HEAD: Final = '''"""The public tests of {file}."""

from __future__ import annotations

from public_checks import answers, imported, stands_for

from lab import Dimension, Factory, Maze, Vector
from random import Random


class Test{name}:
    """What is answered."""
'''
_TEST: Final = '''
    @stands_for({checks})
    def test_{number}(self) -> None:
        """{title}: {label}"""
        answers({name!r}, {method!r}, lambda: [{arguments}], {expected})
'''


def make_public_tests(own: OwnCode) -> str:
    """Return the file of public tests of an exercise."""
    exercise = own.exercise
    words = exercise.name if exercise.name[0].isupper() else exercise.name.title().replace("_", "")
    tests = [
        _TEST.format(
            number=number,
            checks="" if own.has_judge else f'"{name}"',
            title=_title(exercise, name),
            label=catalogue(DEFAULT).say(case.label).replace('"', "'").replace("\\", "/"),
            name=exercise.name,
            method=method,
            arguments=arguments,
            expected=expected,
        )
        for number, (name, case, method, arguments, expected) in enumerate(_tests(own), start=1)
    ]
    return _HEAD.format(file=exercise.file, name=words) + "".join(tests)


def _title(exercise: OwnExercise, check: str) -> str:
    """Return a test's title; where a judge decides, the test only checks that an answer is returned."""
    title = check_title(exercise, check).replace('"', "'").replace("\\", "/")
    return f"an answer comes, which is judged when it is graded: {title}" if exercise.judge else title


def _tests(own: OwnCode) -> Iterator[tuple[str, Case, str, str, str]]:
    exercise = own.exercise
    cases = AnswerCases(CaseBook(_SEED, 20), exercise.id)
    for check, asked in exercise.checks.items():
        found = [
            case
            for name in asked.cases
            if name not in _NOT_SHOWN
            for case in cases.of(asked.method, name)[:_AMONG]
        ]
        count = min(OF_EACH_CHECK, len(found))
        for case in sorted(Random(_SEED).sample(found, count), key=lambda case: case.call.asked(Ask).size):
            values = case.call.asked(Ask).values
            expected = "None" if own.has_judge else _code(own, asked.method, case)
            if len(expected) <= _LONGEST:
                arguments = ", ".join(map(_argument, values))
                yield check, case, asked.method, arguments, expected


def _argument(value: Given) -> str:
    """Return Python code for an argument; a Search is the student's own."""
    return 'imported("Search")()' if value[0] == "search" else argument_code(value)


def _code(own: OwnCode, method: str, case: Case) -> str:
    """Return Python code of a function that returns the right answer."""
    right = own.right(method, case.call.asked(Ask).values)
    return f"lambda: {argument_code(('data', dumps(told(right))))}"
