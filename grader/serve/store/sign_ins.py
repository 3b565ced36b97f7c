"""Sign-ins: the database stores digests of their cookies, which are useless to someone who reads it.

The table is called ``sessions``, for compatibility with existing databases.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from grader.errors import DiskError
from grader.serve.store import secret
from grader.serve.store.database import Store

_HOUR: Final = 3600.0
"""An hour has 3600 seconds."""
HOURS: Final = 12.0
"""A sign-in ends after 12 hours without a request."""
HOURS_BY_LINK: Final = 24.0 * 180
"""A sign-in by a link, which is valid only once, ends after half a year without a request."""
_UPDATE_SECONDS: Final = 60.0
"""The time of the last request is updated at most every 60 seconds."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """A browser in which a person is signed in."""

    token_sha: str
    person: int
    csrf: str
    """The token against cross-site request forgery, which every form must send back."""


def begin(store: Store, person: int, now: float, *, hours: float = HOURS) -> tuple[str, SignIn]:
    """Sign a person in; return the value of the cookie, and the sign-in."""
    token, csrf = secret.new(), secret.new()
    sign_in = SignIn(secret.digest(token), person, csrf)
    store.rows(
        "insert into sessions (token_sha, person, csrf, created, seen, expires) values (?, ?, ?, ?, ?, ?)",
        (sign_in.token_sha, person, csrf, now, now, now + hours * _HOUR),
    )
    return token, sign_in


def find(store: Store, token: str, now: float) -> SignIn | None:
    """Return the sign-in of a cookie and extend it; None if it has ended."""
    sha = secret.digest(token)
    row = store.row("select * from sessions where token_sha = ? and expires > ?", (sha, now))
    if row is None:
        return None
    if row["seen"] + _UPDATE_SECONDS < now:
        statement = "update sessions set seen = ?, expires = ? where token_sha = ?"
        with suppress(DiskError):  # who only reads needs no room
            store.rows(statement, (now, now + row["expires"] - row["seen"], sha))
    return SignIn(sha, row["person"], row["csrf"])


def end(store: Store, sign_in: SignIn) -> None:
    """Sign out."""
    store.rows("delete from sessions where token_sha = ?", (sign_in.token_sha,))


def sweep(store: Store, now: float) -> None:
    """Delete the sign-ins that have ended."""
    store.rows("delete from sessions where expires <= ?", (now,))
