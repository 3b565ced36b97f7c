"""Choose the workers of a cluster that may grade: those with the same versions as here and a working sandbox.

Other versions draw other cases, and without a sandbox there is no mark. Each worker is asked once, by a task
that is bound to it: a worker that never answers delays nobody, and gets no work. Workers that are left out
are reported in one line per reason.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

import hypothesis

from grader.batch.code_text import CODE_BYTES
from grader.batch.job import (
    TRIED_CHARACTERS,
    Answer,
    Done,
    MachineFault,
    Tried,
    Unchanged,
    sources_digest,
)
from grader.errors import InputError, SandboxError
from grader.grading.engine import STAFF, STAFF_PAGE
from grader.results import parse
from grader.sandbox.base import BACKENDS
from grader.text import visible

# --- check answer -----------------------------------------------------------------------------------
# Check that what a worker on another machine sends is a valid answer to its job.
#
# A worker that lies about a mark is believed, since it did the grading. An answer is refused if it is
# malformed, or belongs to another submission, rubric or run: such a result must never be filed under
# somebody's name.

_REASON: Final = 1000
"""A reason that a worker gives is cut after 1,000 characters."""
_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(("results", "page", "code", "look", "again"), bytes),
    **dict.fromkeys(("seconds", "score", "max_score"), (int, float)),
    **dict.fromkeys(("key", "refused"), str),
    "staff": dict,
}


def check_answer(found: object, name: str, *, key: str, known: str | None, is_try: bool = False) -> Answer:
    """Return the answer if it matches this name and its result key, or is that of a try, else a fault."""
    if type(found) is MachineFault and type(found.reason) is str and type(found.lasting) is bool:
        return MachineFault(found.reason[:_REASON], found.lasting, _texts(found.complaints))
    if is_try and type(found) is Tried and type(found.text) is str:
        return Tried(found.text[:TRIED_CHARACTERS])
    if type(found) is Unchanged and known == key and not is_try:
        return found
    if type(found) is not Done or is_try:
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


RPC_SECONDS: Final = 10.0
"""How long the scheduler, or a worker with an answer, may take to send it."""
_NONE: Final = "no sandbox"
_MOST_CHARACTERS: Final = 80
"""A version that a worker reports is shown up to 80 characters."""


def versions() -> dict[str, str]:
    """Return the versions of everything that affects which cases are drawn and what is said about them."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {"grader": sources_digest(), "Python": python, "hypothesis": hypothesis.__version__}


def describe_worker(sandbox: str) -> dict[str, str]:
    """Return the versions and the sandbox of the worker on which this runs."""
    try:
        works = BACKENDS[sandbox]().probe().works
    except (KeyError, SandboxError):
        works = False
    return {**versions(), "sandbox": sandbox if works else _NONE}


class EligibleWorkers:
    """The workers of a Dask client that may grade in a given sandbox."""

    def __init__(self, client: Any, sandbox: str, tell: Callable[[str], None]) -> None:
        self._client, self._sandbox, self._tell = client, sandbox, tell
        self._expected = {**versions(), "sandbox": sandbox}
        self._asked: dict[str, Any] = {}
        self._left_out: set[str] = set()
        self._reported: set[str] = set()
        self.fit: frozenset[str] = frozenset()
        """Their addresses at the last refresh."""

    def refresh(self) -> frozenset[str]:
        """Return the addresses of eligible workers that are connected now, after asking new ones.

        Raises Dask's exceptions if the scheduler is gone.
        """
        there = frozenset(self._client.nthreads(callback_timeout=RPC_SECONDS))
        self._asked = {address: task for address, task in self._asked.items() if address in there}
        self._left_out &= there
        for address in sorted(there - self.fit - self._left_out - self._asked.keys()):
            self._asked[address] = self._client.submit(
                describe_worker, self._sandbox, workers=[address], allow_other_workers=False, pure=False
            )
        answered = [address for address, task in self._asked.items() if task.done()]
        wrong = {address: self._what_is_wrong(self._asked.pop(address)) for address in answered}
        self._left_out |= {address for address, reason in wrong.items() if reason}
        self.fit = (self.fit & there) | {address for address, reason in wrong.items() if not reason}
        for address, reason in wrong.items():
            if reason and reason not in self._reported:
                self._reported.add(reason)
                self._tell(f"a worker is left out, and so are all like it ({visible(address)}): {reason}")
        return self.fit

    def _what_is_wrong(self, task: Any) -> str:
        """Return how a worker differs from this machine; empty if it does not."""
        try:
            found: object = task.result(timeout=RPC_SECONDS)
        except Exception as error:  # noqa: BLE001 - an older grader knows no such task, or there is none
            return f"it has another version of the grader, or none ({type(error).__name__})"
        return difference(found, self._expected)


def difference(found: object, expected: Mapping[str, str]) -> str:
    """Return how a worker's versions differ from the expected ones; empty if they are equal."""
    has = found if isinstance(found, dict) else {}
    for name, value in expected.items():
        other = has.get(name)
        if other != value:
            said = visible(str(other), limit=_MOST_CHARACTERS, one_line=True)
            return {
                "grader": "it has another version of the grader: install the same everywhere",
                "sandbox": f"{value} does not work there: see grader doctor on that machine",
            }.get(name, f"it has {name} {said}, not {value}: install the same everywhere")
    return ""
