"""The sign-in links that are sent to their people by mail: of each person the newest.

A row holds the secret of its link until that was sent. So what was being sent when the service was killed is
sent again, the same link under the same Message-ID, by which mail servers and programs tell a second copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grader.serve.store import credentials
from grader.serve.store.database import Store

_MAIL: Final = "select mails.*, name, email, course, role from mails join people on people.id = person where "
_PAUSES_SECONDS: Final = (30.0, 120.0, 600.0, *[3600.0] * 48)
"""The pauses after each try; after two days, a mail is given up."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A link on its way to a person, or one that was sent; ``next_at`` is None if it was given up."""

    person: int
    token: str
    tries: int
    next_at: float | None
    sent_at: float | None
    error: str
    name: str
    email: str
    course: str
    role: str


def put(store: Store, person: int, now: float) -> None:
    """Make a link for a person, and have it sent; earlier ones that were not used are void."""
    with store.transaction():
        token = credentials.create_invitation(store, person, now)
        row = {"token": token, "tries": 0, "next_at": now, "sent_at": None, "error": ""}
        store.put("mails", {"person": person}, row)


def take(store: Store, now: float) -> Mail | None:
    """Return a mail that is due; None if none is. Its next try is set before this one, which may not end."""
    with store.transaction():
        due = f"{_MAIL} sent_at is null and next_at <= ? order by next_at, person limit 1"
        found = next(iter(store.records(Mail, due, (now,))), None)
        if found is not None:
            again = now + _PAUSES_SECONDS[min(found.tries, len(_PAUSES_SECONDS) - 1)]
            statement = "update mails set tries = tries + 1, next_at = ? where person = ?"
            store.rows(statement, (again, found.person))
    return found


def get(store: Store, person: int) -> Mail | None:
    """Return the newest mail of a person; None if there is none."""
    return next(iter(store.records(Mail, f"{_MAIL} person = ?", (person,))), None)


def list_failed(store: Store, course: str) -> list[Mail]:
    """Return the mails of a course that could not be sent so far, by name."""
    failed = f"{_MAIL} sent_at is null and error != '' and course = ? order by name"
    return store.records(Mail, failed, (course,))


def mark_sent(store: Store, mail: Mail, now: float) -> None:
    """Record that a mail was sent, unless there is a newer one."""
    statement = "update mails set token = '', sent_at = ?, error = '' where person = ? and token = ?"
    store.rows(statement, (now, mail.person, mail.token))


def mark_failed(store: Store, mail: Mail, error: str, *, for_good: bool) -> None:
    """Record why a mail could not be sent, unless there is a newer one; perhaps it is given up."""
    is_over = for_good or mail.tries >= len(_PAUSES_SECONDS)
    statement = (
        "update mails set error = ?1, next_at = iif(?2, null, next_at) where person = ?3 and token = ?4"
    )
    store.rows(statement, (error, is_over, mail.person, mail.token))
