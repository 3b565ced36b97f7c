"""What lets a person in: sign-ins by cookie, tokens for ``maze submit``, and invitations for one use.

Each is a random secret, of which the database stores only a digest, useless to someone who reads it. The
table of sign-ins is called ``sessions``, for compatibility with existing databases.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Final

from grader.errors import DiskError
from grader.serve.store.database import Store

_BYTES: Final = 32
"""A secret has 32 random bytes."""
_HOUR: Final = 3600.0
"""An hour has 3600 seconds."""
HOURS: Final = 12.0
"""A sign-in ends after 12 hours without a request."""
HOURS_BY_LINK: Final = 24.0 * 180
"""A sign-in by a link, which is valid only once, ends after half a year without a request."""
_UPDATE_SECONDS: Final = 60.0
"""The time of the last request is updated at most every 60 seconds."""


def new_secret() -> str:
    """Make an unguessable text for a URL, a cookie or a header."""
    return secrets.token_urlsafe(_BYTES)


def digest(secret: str) -> str:
    """Return the digest to store; a secret is so random that it needs no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class SignIn:
    """A browser in which a person is signed in."""

    token_sha: str
    person: int
    csrf: str
    """The token against cross-site request forgery, which every form must send back."""


def begin_sign_in(store: Store, person: int, now: float, *, hours: float = HOURS) -> tuple[str, SignIn]:
    """Sign a person in; return the value of the cookie, and the sign-in."""
    token, csrf = new_secret(), new_secret()
    sign_in = SignIn(digest(token), person, csrf)
    times = {"created": now, "seen": now, "expires": now + hours * _HOUR}
    store.insert("sessions", {**asdict(sign_in), **times})
    return token, sign_in


def find_sign_in(store: Store, token: str, now: float) -> SignIn | None:
    """Return the sign-in of a cookie and extend it; None if it has ended."""
    sha = digest(token)
    row = store.row("select * from sessions where token_sha = ? and expires > ?", (sha, now))
    if row is None:
        return None
    if row["seen"] + _UPDATE_SECONDS < now:
        statement = "update sessions set seen = ?, expires = ? where token_sha = ?"
        with suppress(DiskError):  # who only reads needs no room
            store.rows(statement, (now, now + row["expires"] - row["seen"], sha))
    return SignIn(sha, row["person"], row["csrf"])


def end_sign_in(store: Store, sign_in: SignIn) -> None:
    """Sign out."""
    store.rows("delete from sessions where token_sha = ?", (sign_in.token_sha,))


def sweep_sign_ins(store: Store, now: float) -> None:
    """Delete the sign-ins that have ended."""
    store.rows("delete from sessions where expires <= ?", (now,))


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a person, as the page lists it."""

    token_sha: str
    name: str
    created: float
    used: float | None
    """The time of the last use; None if there was none."""


def create_token(store: Store, person: int, name: str, now: float) -> str:
    """Make a token and return it; only its digest is stored."""
    token = new_secret()
    row = {"token_sha": digest(token), "person": person, "name": name, "created": now}
    store.insert("tokens", row)
    return token


def find_owner(store: Store, token: str, now: float) -> int | None:
    """Return the number of a token's owner, and record the use; None if the token is not valid."""
    sha = digest(token)
    person: int | None = store.value("select person from tokens where token_sha = ?", (sha,))
    if person is not None:
        with suppress(DiskError):  # who only reads needs no room
            store.rows("update tokens set used = ? where token_sha = ?", (now, sha))
    return person


def list_tokens(store: Store, person: int) -> list[Token]:
    """Return a person's tokens, the newest first."""
    statement = "select token_sha, name, created, used from tokens where person = ? order by created desc"
    return store.records(Token, statement, (person,))


def remove_token(store: Store, person: int, token_sha: str) -> None:
    """Delete a token of a person."""
    store.rows("delete from tokens where person = ? and token_sha = ?", (person, token_sha))


def create_invitation(store: Store, person: int, now: float, made_by: int | None = None) -> str:
    """Make an invitation and return its token; void earlier unused ones of the person.

    ``made_by`` is the number of the member of staff who makes it.
    """
    token = new_secret()
    with store.transaction():
        store.rows("delete from invites where person = ? and used is null", (person,))
        row = {"token_sha": digest(token), "person": person, "created": now, "made_by": made_by}
        store.insert("invites", row)
    return token


def find_invited(store: Store, token: str) -> int | None:
    """Return the number of the person for whom an unused invitation is, without using it; None if void."""
    found: int | None = store.value(
        "select person from invites where token_sha = ? and used is null", (digest(token),)
    )
    return found


def use_invitation(store: Store, token: str, now: float) -> tuple[int, int | None] | None:
    """Use up an invitation; return the person's number, and that of the member of staff who made it if one
    did. None if it is void or was used.
    """
    rows = store.rows(
        "update invites set used = ? where token_sha = ? and used is null returning person, made_by",
        (now, digest(token)),
    )
    return (rows[0]["person"], rows[0]["made_by"]) if rows else None
