"""Check that what a worker on another machine sends is a valid answer to its job.

A worker that lies about a mark is believed, since it did the grading. An answer is refused if it is
malformed, or belongs to another submission, rubric or run: such a result must never be filed under somebody's
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from grader.batch.job import CODE_BYTES, Answer, Done, MachineFault, Unchanged
from grader.errors import InputError
from grader.grading.pipeline import STAFF, STAFF_PAGE
from grader.results import parse
from grader.text import visible

_REASON: Final = 1000
"""A reason that a worker gives is cut after 1,000 characters."""
_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(("results", "page", "code"), bytes),
    **dict.fromkeys(("seconds", "score", "max_score"), (int, float)),
    **dict.fromkeys(("key", "refused"), str),
    "staff": dict,
    "clock_bound": bool,
}


def check_answer(found: object, name: str, *, key: str, known: str | None) -> Answer:
    """Return the answer if it matches this name and its result key, else a fault."""
    if type(found) is MachineFault and type(found.reason) is str and type(found.lasting) is bool:
        return MachineFault(found.reason[:_REASON], found.lasting, _texts(found.complaints))
    if type(found) is Unchanged and known == key:
        return found
    if type(found) is not Done:
        return MachineFault(f"a worker answered with what is no answer to {visible(name)}")
    wrong = _what_is_wrong(found, name, key)
    return found if wrong is None else MachineFault(f"a worker answered wrongly: {wrong}")


def _what_is_wrong(done: Done, name: str, key: str) -> str | None:
    """Return why an answer does not match its job, or None."""
    for field, kind in _TYPES.items():
        value = getattr(done, field)
        if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            return f"expected another kind of {field}"
    if done.key != key:
        return "it is the result of other files, or of another rubric"
    if len(done.code) > CODE_BYTES or not isfinite(done.seconds) or done.seconds < 0:
        return "expected less code, and seconds that can be"
    if not done.staff.keys() <= {STAFF, STAFF_PAGE} or _texts(done.complaints) != done.complaints:
        return "expected other files for staff, and complaints that are texts"
    return _what_is_wrong_inside(done, name)


def _what_is_wrong_inside(done: Done, name: str) -> str | None:
    """Return why the result files do not match the job or contradict each other, or None."""
    for content in (done.results, done.staff.get(STAFF, done.results)):
        try:
            results: Any = parse(content)
        except InputError as error:
            return str(error)
        if results["submission"] != visible(name):
            return "it is the result of another submission"
        if (results["score"], results["max_score"]) != (done.score, done.max_score):
            return "expected the mark that stands in the results"
    return None


def _texts(found: object) -> tuple[str, ...]:
    """Return the strings of a tuple; empty for any other value."""
    return tuple(text for text in found if type(text) is str) if type(found) is tuple else ()
