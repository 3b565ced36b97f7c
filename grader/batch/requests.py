"""Requests for another look: what students ask about lost checks, as the ledger has it.

A request is a line of the ledger, and so is each thing that comes of it: a reply, the taking back, an answer.
It is about one check and one attempt, which is known by the digest of its work: so grading again after a fix
leaves it open, and a newer attempt that counts closes it without a line. Nothing here changes a mark.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, Literal, Self

from msgspec import MsgspecError

from grader.batch.job import work_in
from grader.batch.journal import Journal, JournalRow
from grader.batch.ledger import Action, Decision, all_decisions, append_made
from grader.course.request_terms import RequestTerms, parse_terms
from grader.errors import InputError, RequestRefused
from grader.exports.grades_csv import FACTS, ITEMS, SERVED
from grader.grading.engine import RESULTS
from grader.languages import DEFAULT, catalogue
from grader.model import AskedJson, CheckJson, RequestsJson, ResultsJson
from grader.results import checks_of, read
from grader.text import visible

LEAST, MOST = 10, 2000
"""A request has at least 10 characters and at most 2,000, and so have replies."""
SHORT: Final = 8
"""An attempt is called by the first 8 characters of the digest of its work."""
State = Literal["open", "kept", "changed", "regraded", "taken-back", "outdated"]
Answer = Literal["kept", "changed", "regraded"]
_ANSWERS: Final[Mapping[Action, Answer]] = {
    "answer-kept": "kept",
    "answer-changed": "changed",
    "answer-regraded": "regraded",
}
_ACTIONS: Final = ("request", "reply", "take-back", *_ANSWERS)


def refused(key: str, **values: object) -> RequestRefused:
    """Return the error that says in English why a request is not taken."""
    return RequestRefused(catalogue(DEFAULT)(f"ask.refused.{key}", **values), key, values)


@dataclass(frozen=True, slots=True)
class LookRequest:
    """What a student asked about one check of one attempt, and what came of it."""

    submission: str
    check: str
    work: str
    """The digest of the work that it is about."""
    when: str
    who: str
    """Who wrote the line: the student, or staff who took it in."""
    words: str
    reply: str = ""
    state: State = "open"
    """A newer attempt is not taken into account."""
    answer: str = ""
    """What staff answered, in their words."""
    answered_by: str = ""
    answered_at: str = ""
    points: float = 0.0
    """By how much the answer changed the mark."""

    @property
    def id(self) -> str:
        """Return its id as an item of the review."""
        whole = "\0".join((self.submission, "request", self.check, self.work))
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def is_answered(self) -> bool:
        """Whether staff have answered it."""
        return self.state in _ANSWERS.values()

    @property
    def was_right(self) -> bool:
        """Whether the answer says that something was wrong with the check."""
        return self.state == "regraded" or (self.state == "changed" and self.points > 0)

    def now(self, work: str) -> LookRequest:
        """Return it as it stands where this work counts: closed if that is another one."""
        is_outdated = self.state == "open" and bool(work) and work != self.work
        return replace(self, state="outdated") if is_outdated else self


def requests_in(lines: Iterable[Decision]) -> dict[str, list[LookRequest]]:
    """Return the requests that these lines of the ledger tell of, by submission, oldest first."""
    found: dict[tuple[str, str, str], LookRequest] = {}
    for line in lines:
        key = line.submission, line.check, line.work
        if line.action == "request":
            found[key] = LookRequest(*key, line.when, line.who, line.comment)
        elif line.action in _ACTIONS and key in found:
            found[key] = _after(found[key], line)
    by_name: dict[str, list[LookRequest]] = {}
    for each in found.values():
        by_name.setdefault(each.submission, []).append(each)
    return by_name


def _after(request: LookRequest, line: Decision) -> LookRequest:
    """Return a request after one more line about it."""
    if line.action == "reply":
        return replace(request, reply=line.comment)
    if line.action == "take-back":
        return replace(request, state="taken-back")
    return replace(
        request,
        state=_ANSWERS[line.action],
        answer=line.reason,
        answered_by=line.who,
        answered_at=line.when,
        points=line.points,
    )


def load_requests(out: Path) -> dict[str, list[LookRequest]]:
    """Return all requests of a class by submission, oldest first. Raises InputError."""
    return requests_in(all_decisions(out))


def answers_by_item(out: Path) -> dict[str, Decision]:
    """Return the lines that answer requests, by the id of the review's item. Raises InputError."""
    lines = all_decisions(out)
    asked = {
        (each.submission, each.check, each.work): each.id for each in chain(*requests_in(lines).values())
    }
    answers = (line for line in lines if line.action in _ANSWERS)
    return {
        asked[key]: line for line in answers if (key := (line.submission, line.check, line.work)) in asked
    }


def count_open(out: Path) -> str:
    """Return a line on how many requests are open, for exports, which wait for none; empty where none is."""
    path = out / ITEMS
    items = json.loads(path.read_bytes()) if path.is_file() else []
    count = sum(item["kind"] == "request" and not item["when"] for item in items)
    are = "1 request for another look is" if count == 1 else f"{count} requests for another look are"
    return f"{are} open, which holds up nothing: grader review" if count else ""


def requests_now(
    requests: Mapping[str, Sequence[LookRequest]], entries: Mapping[str, JournalRow]
) -> list[LookRequest]:
    """Return the requests of those that have results, as they stand with the work that counts now."""
    return [
        each.now(work_in(entries[name].key))
        for name, theirs in requests.items()
        if name in entries
        for each in theirs
    ]


def first_seen(lines: Iterable[Decision], name: str, graded: float) -> datetime | None:
    """Return when results that were made then were first handed on; None if they were not yet."""
    for line in lines:
        if line.action == "shown" and line.submission in ("", name):
            when = datetime.fromisoformat(line.when)
            if when.timestamp() >= graded:
                return when
    return None


def note_shown(out: Path, *names: str) -> None:
    """Note that the results of all, or of some, were handed on now: from then on their days run."""
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    for name in names or ("",):
        append_made(out, lambda _, name=name: Decision(now, "", name, "shown", 0.0))  # type: ignore[misc]


# --- what a student does --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewRequest:
    """What a student asks, of which attempt, and when."""

    name: str
    """The submission."""
    check: str
    words: str
    who: str
    attempt: str
    """How the digest of its work begins; empty for the attempt that counts."""
    at: datetime
    until: datetime | None = None
    """Until when it could be asked; None where the days do not run yet."""


def open_request(
    out: Path, asked: NewRequest, terms: RequestTerms, results: ResultsJson, work: str
) -> LookRequest:
    """Write a request into the ledger. Raises RequestRefused."""
    words = _checked_words(asked.words)
    _check_attempt(asked.attempt, work)
    check = next((each for each in checks_of(results) if each["id"] == asked.check), None)
    if check is None:
        raise refused("check", check=visible(asked.check, limit=60, one_line=True))
    if not may_ask(check, results):
        raise refused("full")
    if asked.until is not None and asked.at > asked.until:
        raise refused("late", when=f"{asked.until:%Y-%m-%d %H:%M}")

    def make(lines: Iterable[Decision]) -> Decision:
        theirs = [each.now(work) for each in requests_in(lines).get(asked.name, ())]
        if any((each.check, each.work) == (asked.check, work) for each in theirs):
            raise refused("again")
        if sum(each.state == "open" for each in theirs) >= terms.at_once:
            raise refused("many", count=terms.at_once)
        return _line(asked.name, "request", asked.check, work, asked.who, asked.at, words)

    made = append_made(out, make)
    return LookRequest(made.submission, made.check, made.work, made.when, made.who, made.comment)


def may_ask(check: CheckJson, results: ResultsJson) -> bool:
    """Tell whether a check has lost points, so that a student may ask about it."""
    withdrawn = results.get("withdrawn", {}).get("checks", {})
    is_lost = check["status"] != "unmarked" and check["score"] < check["max_score"]
    return is_lost and check["id"] not in withdrawn


def _check_attempt(attempt: str, work: str) -> None:
    if not work or (attempt and not (len(attempt) >= SHORT and work.startswith(attempt))):
        named = visible(attempt, limit=20, one_line=True)
        raise refused("attempt", attempt=named or "–", counts=work[:SHORT] or "–")


def reply(out: Path, name: str, check: str, work: str, words: str, who: str) -> None:
    """Add what the student has to say once more to an open request. Raises RequestRefused."""
    text = _checked_words(words)

    def make(lines: Iterable[Decision]) -> Decision:
        if find_open(lines, name, check, work).reply:
            raise refused("replied")
        return _line(name, "reply", check, work, who, datetime.now(UTC), text)

    append_made(out, make)


def take_back(out: Path, name: str, check: str, work: str, who: str) -> None:
    """Take an open request back. Raises RequestRefused."""

    def make(lines: Iterable[Decision]) -> Decision:
        find_open(lines, name, check, work)
        return _line(name, "take-back", check, work, who, datetime.now(UTC))

    append_made(out, make)


def find_open(lines: Iterable[Decision], name: str, check: str, work: str) -> LookRequest:
    """Return a student's open request. Raises RequestRefused."""
    for each in requests_in(lines).get(name, ()):
        if (each.check, each.work, each.state) == (check, work, "open"):
            return each
    raise refused("closed", check=visible(check, limit=60, one_line=True))


def close(out: Path, request: LookRequest, answer: Answer, words: str, who: str, points: float = 0.0) -> None:
    """Write the answer to an open request. Raises RequestRefused."""
    action = next(action for action, known in _ANSWERS.items() if known == answer)

    def make(lines: Iterable[Decision]) -> Decision:
        find_open(lines, request.submission, request.check, request.work)
        line = _line(request.submission, action, request.check, request.work, who, datetime.now(UTC))
        return replace(line, reason=words, points=points)

    append_made(out, make)


def _line(  # noqa: PLR0913 - the fields of a line
    name: str, action: Action, check: str, work: str, who: str, at: datetime, words: str = ""
) -> Decision:
    when = at.isoformat(timespec="seconds")
    return Decision(when, who, name, action, 0.0, comment=words, check=check, work=work)


def _checked_words(words: str) -> str:
    """Return what a student wrote, if it is long enough and not too long. Raises RequestRefused."""
    text = words.replace("\r\n", "\n").encode("utf-8", "replace").decode().strip()
    if not LEAST <= len(text) <= MOST:
        raise refused("length", least=LEAST, most=MOST, count=len(text))
    return text


# --- as it comes -----------------------------------------------------------------------------------

_HEAD: Final = re.compile(
    r"\s*check:[ \t]*(\S+)[ \t]*\r?\n\s*attempt:[ \t]*(\S+)[ \t]*(?:\r?\n|$)", re.IGNORECASE
)
"""How the text of a request begins."""


@dataclass(frozen=True, slots=True)
class CameIn:
    """A request as it came: whose it is said to be, and its text in parts."""

    whose: str
    check: str
    attempt: str
    words: str
    at: datetime


def read_text(whose: str, content: bytes, at: datetime) -> CameIn:
    """Read the text of a request. Raises InputError where it does not begin as such a text does."""
    text = content.decode("utf-8-sig", "replace")
    head = _HEAD.match(text)
    if head is None:
        raise InputError(
            "expected lines 'check: …' and 'attempt: …' at its beginning, as the page shows them"
        )
    return CameIn(whose, head[1], head[2], text[head.end() :], at)


def open_one(out: Path, journal: Journal, name: str, came: CameIn, by: str) -> LookRequest:
    """Open one request about the attempt that counts. Raises InputError."""
    requests, entry = Requests.load(out), journal.entries()[name]
    if requests.terms is None:
        raise refused("off")
    seen = first_seen(all_decisions(out), name, journal.finished(name))
    asked = NewRequest(
        name, came.check, came.words, by, came.attempt, came.at, seen and requests.terms.until(seen)
    )
    return open_request(out, asked, requests.terms, read(out / name / RESULTS), work_in(entry.key))


# --- in the results ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Requests:
    """The requests of a class, as they are laid over its results."""

    by_name: Mapping[str, Sequence[LookRequest]]
    terms: RequestTerms | None = None
    served: bool = False
    """Whether students ask by a form of the service, so that their pages need not say how."""

    @classmethod
    def load(cls, out: Path) -> Self:
        """Read them, and on what terms students ask. Raises InputError."""
        terms, served = None, False
        with suppress(
            OSError, ValueError, TypeError, AttributeError, MsgspecError
        ):  # whoever reads the facts says so
            facts = json.loads((out / FACTS).read_bytes())
            terms, served = parse_terms(facts.get("requests")), bool(facts.get("asked", {}).get(SERVED))
        return cls(load_requests(out), terms, served)

    def of(self, name: str, work: str) -> Sequence[object]:
        """Return all that a student's results tell of requests; nothing where they tell of none."""
        has_terms = self.terms is not None and bool(work) and not self.served
        return (*self.by_name.get(name, ()), *([self.terms] if has_terms else []))

    def added(self, results: ResultsJson, name: str, work: str) -> ResultsJson:
        """Return results with a student's requests, and where the service has no form, with how to ask."""
        made = copy(results)
        made.pop("requests", None)
        if not self.of(name, work):
            return made
        layer: RequestsJson = {"asked": [_as_data(each.now(work)) for each in self.by_name.get(name, ())]}
        if self.terms is not None and work and not self.served and "fault" not in results:
            layer |= {"attempt": work[:SHORT], "days": self.terms.days, "mail": self.terms.mail}
        return {**made, "requests": layer}


def _as_data(request: LookRequest) -> AskedJson:
    """Return a request in the form of results.json."""
    made: AskedJson = {
        "check": request.check,
        "when": request.when,
        "words": visible(request.words),
        "state": request.state,
    }
    if request.reply:
        made["reply"] = visible(request.reply)
    if request.is_answered:
        made["answer"], made["who"] = visible(request.answer), visible(request.answered_by)
        made["points"] = request.points
    return made


def tell_right_checks(requests: Iterable[LookRequest]) -> list[str]:
    """Return a line on each check about which many requests were right: two at least, and half of them."""
    answered: dict[str, list[LookRequest]] = {}
    for each in requests:
        if each.is_answered:
            answered.setdefault(each.check, []).append(each)
    counts = {check: sum(each.was_right for each in found) for check, found in answered.items()}
    return [
        f"{counts[check]} of {len(found)} requests about {visible(check)} were right"
        for check, found in sorted(answered.items())
        if counts[check] >= _MANY and 2 * counts[check] >= len(found)
    ]


_MANY: Final = 2


def request_text(check: str, attempt: str) -> str:
    """Return how a file request.txt, or a mail, begins."""
    return f"check: {check}\nattempt: {attempt}\n\n"
