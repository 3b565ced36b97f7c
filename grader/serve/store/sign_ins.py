"""Who is signed in: by a cookie that is worth nothing to who reads the database.

The table is called ``sessions``, as in the databases that there are.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from grader.errors import DiskError
from grader.serve.store import secret
from grader.serve.store.database import Store

_HOUR: Final = 3600.0
HOURS: Final = 12.0
"""How long somebody stays signed in who does nothing."""
HOURS_BY_LINK: Final = 24.0 * 180
"""The same where a link for one use is the only way in: half a year."""
_NOTED_SECONDS: Final = 60.0
"""That somebody is there is written down once a minute at the most."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """One browser in which one person is signed in."""

    token_sha: str
    person: int
    csrf: str
    """What every form has to send back."""


def begin(store: Store, person: int, now: float, *, hours: float = HOURS) -> tuple[str, SignIn]:
    """Sign a person in, anew whatever the browser had; the cookie's value, and the sign-in."""
    token, csrf = secret.new(), secret.new()
    sign_in = SignIn(secret.digest(token), person, csrf)
    store.rows(
        "insert into sessions (token_sha, person, csrf, created, seen, expires) values (?, ?, ?, ?, ?, ?)",
        (sign_in.token_sha, person, csrf, now, now, now + hours * _HOUR),
    )
    return token, sign_in


def find(store: Store, token: str, now: float) -> SignIn | None:
    """The sign-in of a cookie, which lasts from now on again; None where it has ended."""
    sha = secret.digest(token)
    row = store.row("select * from sessions where token_sha = ? and expires > ?", (sha, now))
    if row is None:
        return None
    if row["seen"] + _NOTED_SECONDS < now:
        statement = "update sessions set seen = ?, expires = ? where token_sha = ?"
        with suppress(DiskError):  # who only reads needs no room
            store.rows(statement, (now, now + row["expires"] - row["seen"], sha))
    return SignIn(sha, row["person"], row["csrf"])


def end(store: Store, sign_in: SignIn) -> None:
    """Sign out."""
    store.rows("delete from sessions where token_sha = ?", (sign_in.token_sha,))


def sweep(store: Store, now: float) -> None:
    """Take away those that have ended."""
    store.rows("delete from sessions where expires <= ?", (now,))
