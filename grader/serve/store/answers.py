"""Answers to requests for another look: which their students have read, and the mails that tell of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grader.serve.store.database import Store

_PAUSES_SECONDS: Final = (30.0, 120.0, 600.0, *[3600.0] * 48)
"""The pauses after each try; after two days, a mail is given up."""


@dataclass(frozen=True, slots=True)
class AnswerMail:
    """A mail that tells of an answer."""

    person: int
    request: str
    tries: int
    name: str
    email: str
    course: str


def mark_read(store: Store, person: int, request: str, now: float) -> None:
    """Record that a student has read what came of a request; a mail about it is not sent any more."""
    store.put("answers", {"person": person, "request": request}, {"read_at": now, "next_at": None})


def list_read(store: Store, person: int) -> set[str]:
    """Return the requests of which a student has read what came of them."""
    return set(
        store.column("select request from answers where person = ? and read_at is not null", (person,))
    )


def put_mail(store: Store, person: int, request: str, now: float) -> None:
    """Have a mail sent that tells of an answer."""
    store.put("answers", {"person": person, "request": request}, {"next_at": now})


def take_mail(store: Store, now: float) -> AnswerMail | None:
    """Return a mail that is due; None if none is. Its next try is set before this one, which may not end."""
    with store.transaction():
        due = (
            "select person, request, tries, name, email, course from answers "
            "join people on people.id = person where next_at <= ? order by next_at, person limit 1"
        )
        found = next(iter(store.records(AnswerMail, due, (now,))), None)
        if found is not None:
            is_last = found.tries >= len(_PAUSES_SECONDS)
            again = None if is_last else now + _PAUSES_SECONDS[found.tries]
            store.rows(
                "update answers set tries = tries + 1, next_at = ? where person = ? and request = ?",
                (again, found.person, found.request),
            )
    return found


def end_mail(store: Store, mail: AnswerMail, error: str = "") -> None:
    """Record that a mail was sent, or is given up for a reason."""
    statement = "update answers set next_at = null, error = ? where person = ? and request = ?"
    store.rows(statement, (error, mail.person, mail.request))
