"""The kind of exercises whose file is read, and never run: a text for a person, or literals of a course.

A literal is right where it equals that of the same name in the exercise's reference.py, which is read in the
same way. Whatever else there is to see in a file, a person sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from grader.exercises.kit.answers import describe_data
from grader.exercises.kit.check import Case, Check, each
from grader.exercises.kit.findings import Finding, ending, unmarked
from grader.exercises.kit.folders.checks import titles
from grader.exercises.kit.folders.code import KNOWN
from grader.exercises.kit.kind import Kind
from grader.languages import Message, said
from grader.model import Ask, Call, Claim, Telling
from grader.model.claims import FunctionAnswer
from grader.reader import Read
from lab.literals import MOST_CHARACTERS, NoLiteral, UnreadableError, Value, read_literals

_NO_ARGUMENTS: Final = Ask("", (), 1)


@dataclass(frozen=True, slots=True)
class ReadLiterals:
    """The literals of a file as the process sends them that parses it, or why it cannot be read."""

    values: Mapping[str, Any]
    """Of each name the value, as its Python text; a value that is no literal is None."""
    refused: Message | None = None


def read_values(text: str | None) -> ReadLiterals:
    """Parse the text of a file, without running it; None means that it is no text."""
    if text is None:
        return ReadLiterals({}, said("written_no_text"))
    try:
        found = read_literals(text)
    except UnreadableError as error:
        if error.reason == "too_long":
            return ReadLiterals({}, said("written_too_long", most=MOST_CHARACTERS))
        if error.reason == "no_python":
            return ReadLiterals({}, said("written_no_python", line=error.line, code=error.code))
        return ReadLiterals({}, said("written_no_assignment", line=error.line, code=error.code))
    return ReadLiterals({name: _plain(value) for name, value in found.items()})


def shown_value(value: object) -> str:
    """Return a value as persons see it: a text as it is, what is no literal as its line, all else as Python
    writes it."""
    if isinstance(value, dict):
        return str(value["code"])
    return value if isinstance(value, str) else repr(value)


def _plain(value: Value | NoLiteral) -> Any:
    """Return a value as JSON: lists and tuples are alike, and an object stands for what is no literal."""
    if isinstance(value, NoLiteral):
        return {"line": value.line, "code": value.code}
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value


@lru_cache(maxsize=64)
def _right(reference: str) -> Mapping[str, Any]:
    return {name: _plain(value) for name, value in read_literals(reference).items()}


def _checks(_book: object, exercise: str) -> Mapping[str, Callable[[], Check]]:
    """Return functions that make the checks, by id; each has a case for each of its literals."""
    known, own = titles(exercise), KNOWN[exercise].exercise

    def maker(id_: str, names: tuple[str, ...]) -> Callable[[], Check]:
        cases = tuple(
            Case(Call(f"{id_}/{name}", _NO_ARGUMENTS), said("the_value", name=name), (exercise, name))
            for name in names
        )
        return lambda: Check(id_, known[id_], cases, each(_judge))

    asked = {f"{exercise}.{name}": each_ for name, each_ in own.checks.items() if not each_.criteria}
    return {id_: maker(id_, each_.cases) for id_, each_ in asked.items()}


def _judge(case: Case, claim: Claim) -> Finding | None:
    exercise, name = case.given if isinstance(case.given, tuple) else ("", "")
    found = None if claim.data is None else claim.data.returned
    if claim.outcome != "returned":
        return ending(claim, expected={})
    if not isinstance(found, ReadLiterals):
        return unmarked(said("written_too_much"))
    right = _right(KNOWN[exercise].exercise.reference)[name]
    if found.refused is not None:
        return Finding("failed", said("written_refused", why=found.refused), {}, {})
    value = found.values.get(name)
    if isinstance(value, dict):
        return Finding(
            "failed", said("written_no_literal", name=name, line=value["line"], code=value["code"]), {}, {}
        )
    if value is None and right is not None:
        return Finding("failed", said("written_not_there", name=name), {}, {})
    if type(value) is type(right) and value == right:
        return None
    expected: dict[str, Telling] = {"text": describe_data(right)}
    came: dict[str, Telling] = {"text": describe_data(value)}
    message = said("written_other", name=name, value=describe_data(value))
    return Finding("failed", message, expected, came)


def _reads(text: Callable[[], str | None], attempt: Read) -> FunctionAnswer:
    """Read a file of literals in a process with bounds."""
    return FunctionAnswer(attempt(lambda: read_values(text()), ReadLiterals), changed=None, used_search=False)


WRITTEN = Kind(
    titles=titles,
    checks=_checks,
    sentence=lambda _exercise, wrong: wrong.finding.message,
    reproduce=lambda _target, _case, _file: None,
    reads=_reads,
)
