"""Slips of the pen and Python's exceptions, told in the place of what Python said, or beside it.

A slip fails every check of its exercise in one manner. It is told before any maze is: what was looked for,
and what stands in the file instead. What is known of it is in ``lab``, for those who try their work, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from grader.intake.python_source import decode_source
from grader.intake.source_files import tell_fault
from grader.languages import Message, Text, said
from grader.model import ExerciseResult, Target, Verdict
from grader.reader import Read, read_here
from lab.came import Came, recognise
from lab.exceptions import QUESTIONS, PythonError, explain
from lab.exercises import BY_ID, Exercise
from lab.slips import NO_SOURCE, OF_CLASS, FileHint, FileText, missing_class, missing_method, other_parameters

NOT_THERE: Final = "said.missing_name"
"""What is said of a file without its class."""
_READ_BY: Final = re.compile(r" \(Python (\d+)\.(\d+)\)$")
"""A message on syntax ends with the Python that could not read it."""


def with_slips(
    result: ExerciseResult, target: Target, content: bytes | None, read: Read = read_here
) -> ExerciseResult:
    """Return the result with each slip explained by what was meant; ``content`` is the exercise's file."""
    verdicts = [each for check in result.checks for each in (check.verdict, check.for_staff) if each]
    if content is None or all(each.status == "passed" for each in verdicts):
        return result
    found = read(
        lambda: _slips(verdicts, BY_ID[result.id], content), tuple[Came | None, list[list[FileHint]]]
    )
    came, told = found or (None, [])
    by_verdict = dict(zip(map(id, verdicts), told, strict=False))

    def spelt(verdict: Verdict) -> Verdict:
        if came is not None:
            at_import = _fault(verdict).get("stage") == "import"
            return replace(verdict, hint=tell_fault(came, target.file)) if at_import else verdict
        return _with_told(verdict, by_verdict.get(id(verdict), []))

    return replace(
        result,
        checks=tuple(
            replace(check, verdict=spelt(check.verdict), for_staff=check.for_staff and spelt(check.for_staff))
            for check in result.checks
        ),
    )


def _with_told(verdict: Verdict, told: Sequence[FileHint]) -> Verdict:
    if not told:
        return verdict
    if verdict.status == "missing":
        return replace(verdict, message=_in_words(told))
    if told[0].key in OF_CLASS:
        shown = {"actual": {"fault": _fault(verdict)}, "expected": {}}
        return Verdict(verdict.status, _in_words(told), counterexample=shown)
    if told[0].key not in QUESTIONS:
        return replace(verdict, message=_in_words(told, verdict.message))
    return verdict if verdict.misconception else replace(verdict, hint=_in_words(told))


def _in_words(told: Sequence[FileHint], before: Text = "") -> Text:
    """Return the sentences as one message, after another one."""
    for each in told:
        sentence = said(each.key, **each.values)
        before = said("then", sentence=before, more=sentence) if before else sentence
    return before


def _slips(
    verdicts: Sequence[Verdict], asked: Exercise, content: bytes
) -> tuple[Came | None, list[list[FileHint]]]:
    text = decode_source(content)
    source = NO_SOURCE if text is None else FileText.of(text)
    came = recognise(content) if source is NO_SOURCE else None
    return came and came._replace(code=None), [_told(each, asked, source) for each in verdicts]


def _told(verdict: Verdict, asked: Exercise, source: FileText) -> list[FileHint]:
    fault = _fault(verdict)
    if verdict.status == "missing":
        is_there = isinstance(verdict.message, Message) and verdict.message.key != NOT_THERE
        return [] if is_there else missing_class(source, asked)
    if not fault:
        return []
    trace, message = fault.get("trace") or [{"file": "", "line": 0, "code": ""}], str(fault.get("message"))
    read_by = _READ_BY.search(message)
    raised = PythonError(
        *(str(fault.get("kind")), message),
        line=trace[-1]["line"] if trace[-1]["file"] == asked.file else 0,
        code=str(trace[-1]["code"]),
        at_import=fault.get("stage") == "import",
        python=(int(read_by[1]), int(read_by[2])) if read_by else None,
    )
    return _of_class(raised, asked, source) or explain(raised, source)


def _of_class(raised: PythonError, asked: Exercise, source: FileText) -> list[FileHint]:
    """Tell of a method that the exercise's class lacks, or that takes something else than it is given."""
    lacks = rf"'{asked.name}' object has no attribute |Can't instantiate abstract class {asked.name} "
    called = r"(?P<name>\w+)" if asked.is_function else rf"(?:.*\.)?{asked.name}\.(?P<name>\w+)"
    if re.match(lacks, raised.message):
        there = source.functions(asked.name)
        named = (name for name in asked.methods if re.search(rf"\b{name}\b", raised.message))
        return missing_method(source, asked, [name for name in named if name not in there])
    found = (
        re.match(rf"{called}\(\) (takes|missing) ", raised.message) if raised.kind == "TypeError" else None
    )
    names = (asked.name,) if asked.is_function else asked.methods
    return other_parameters(source, asked, found["name"]) if found and found["name"] in names else []


def _fault(verdict: Verdict) -> Mapping[str, Any]:
    actual: Any = (verdict.counterexample or {}).get("actual")
    return (actual.get("fault") or {}) if isinstance(actual, Mapping) else {}
