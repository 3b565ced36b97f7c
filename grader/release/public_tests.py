"""The public tests of an exercise of a course's own, made of the cases of its public checks."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from json import dumps
from random import Random
from typing import Final

from grader.exercises.kit.check import Case
from grader.exercises.kit.folders.cases import AnswerCases, argument_code
from grader.exercises.kit.folders.code import OwnCode, OwnExercise, check_title
from grader.exercises.kit.library import CaseBook
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

{judge}from public_checks import answers, imported, stands_for

from lab import Dimension, Factory, Maze, Vector
from random import Random
{said}

class Test{name}:
    """What is answered."""
'''
_TEST: Final = '''
    @stands_for({checks})
    def test_{number}(self) -> None:
        """{title}: {label}"""
        answers({name!r}, {method!r}, lambda: [{arguments}], {expected}{judged}{drawn})
'''
_SAID: Final = '''
SAID = {sentences}
"""What the judge says, by its keys."""

'''


def make_public_tests(
    own: OwnCode, hidden: Collection[str] = (), is_secret: Callable[[str], bool] = lambda _: False
) -> str:
    """Return the file of public tests of an exercise: of no check whose id is among the hidden ones, and of
    no maze that students must not see."""
    exercise = own.exercise
    is_judged = own.has_judge and exercise.judge_is_public
    sentences = {
        key.removeprefix("said."): code_of_text(exercise.text(key))
        for key in exercise.texts.get(exercise.language, {})
        if key.startswith("said.")
    }
    words = exercise.name if exercise.name[0].isupper() else exercise.name.title().replace("_", "")
    tests = [
        _TEST.format(
            number=number,
            checks="" if own.has_judge and not is_judged else f'"{name}"',
            title=_title(exercise, name),
            label=catalogue(DEFAULT).say(case.label).replace('"', "'").replace("\\", "/"),
            name=exercise.name,
            method=method,
            arguments=arguments,
            expected=expected,
            judged=f", (judge, {exercise.calls[method].arguments!r}, SAID)" if is_judged else "",
            drawn=f", drawn={[each.name for each in case.marked]!r}" if case.marked else "",
        )
        for number, (name, case, method, arguments, expected) in enumerate(
            _tests(own, hidden, is_secret), start=1
        )
    ]
    head = _HEAD.format(
        file=exercise.file,
        name=words,
        judge=f"from {judge_module(exercise)} import judge\n" if is_judged else "",
        said=_SAID.format(
            sentences=code_of_mapping({key: code_of_text(said) for key, said in sentences.items()})
        )
        if is_judged
        else "",
    )
    return head + "".join(tests)


def judge_module(exercise: OwnExercise) -> str:
    """Return the name of the module that holds the exercise's judge, where students get it."""
    return f"judge_of_{exercise.id}"


def _title(exercise: OwnExercise, check: str) -> str:
    """Return a test's title; where a judge decides, the test only checks that an answer is returned."""
    title = check_title(exercise, check).replace('"', "'").replace("\\", "/")
    is_hidden = exercise.judge and not exercise.judge_is_public
    return f"an answer comes, which is judged when it is graded: {title}" if is_hidden else title


def _tests(
    own: OwnCode, hidden: Collection[str], is_secret: Callable[[str], bool]
) -> Iterator[tuple[str, Case, str, str, str]]:
    exercise = own.exercise
    cases = AnswerCases(CaseBook(_SEED, 20), exercise.id)
    for check, asked in exercise.checks.items():
        if f"{exercise.id}.{check}" in hidden:
            continue
        found = [
            case
            for name in asked.cases
            if name not in _NOT_SHOWN
            for case in cases.of(asked.method, name)[:_AMONG]
            if case.maze is None or not is_secret(case.maze)
        ]
        count = min(OF_EACH_CHECK, len(found))
        for case in sorted(Random(_SEED).sample(found, count), key=lambda case: case.call.asked(Ask).size):
            values = case.call.asked(Ask).values
            is_hidden = own.has_judge and not exercise.judge_is_public
            expected = "None" if is_hidden else _code(own, asked.method, case)
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


def code_of_mapping(values: Mapping[str, str], indent: str = "") -> str:
    """Return Python code of a mapping, one name per line; the values are code."""
    lines = "".join(f"{indent}    {code_of_text(name)}: {value},\n" for name, value in values.items())
    return f"{{\n{lines}{indent}}}" if values else "{}"


def code_of_text(value: object) -> str:
    """Return Python code of a text, in double quotes, or of a tuple of texts."""
    if isinstance(value, tuple):
        return f"({', '.join(map(code_of_text, value))}{',' if len(value) == 1 else ''})"
    return json.dumps(value, ensure_ascii=False)
