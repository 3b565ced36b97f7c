"""What lets a person in: sign-ins by cookie, tokens for ``maze submit``, and invitations for one use.

Each is a random secret, of which the database stores only a digest, useless to someone who reads it. The
table of sign-ins is called ``sessions``, for compatibility with existing databases.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from sqlite3 import Row
from typing import Final, Literal, get_args

from grader.errors import DiskError
from grader.serve.store import people
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer

_BYTES: Final = 32
"""A secret has 32 random bytes."""
_HOUR: Final = 3600.0
_DAY: Final = 24 * _HOUR
HOURS: Final = 12.0
"""A sign-in ends after 12 hours without a request."""
DAYS_BY_LINK: Final = {"student": 180.0, "staff": 7.0}
"""A sign-in by a link, which is valid only once, ends after so many days without a request."""
DAYS: Final = {"student": 30.0, "staff": 7.0}
"""A link that is not used ends after so many days, and a token after so many without a use."""
_UPDATE_SECONDS: Final = 60.0
"""The time of the last request is updated at most every 60 seconds."""
_FIRST_TEACHER: Final = "First teacher"
"""The name of the person who signs in first, and the id."""


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


_Table = Literal["sessions", "tokens", "invites"]


def _find(store: Store, table: _Table, secret: str, now: float) -> Row | None:
    """Return the row of a secret; None if there is none, or it has ended."""
    return store.row(f"select * from {table} where token_sha = ? and expires > ?", (digest(secret), now))


def sign_in_seconds(store: Store, person: int) -> float:
    """Return how long a sign-in of a person lasts without a request."""
    row = store.rows("select origin, role from people where id = ?", (person,))[0]
    return DAYS_BY_LINK[row["role"]] * _DAY if row["origin"] == "invite" else HOURS * _HOUR


def _seconds(store: Store, person: int) -> float:
    """Return how long a link or a token of a person lasts unused."""
    return DAYS[store.value("select role from people where id = ?", (person,))] * _DAY


def begin_sign_in(store: Store, person: int, now: float) -> tuple[str, SignIn]:
    """Sign a person in; return the value of the cookie, and the sign-in."""
    token, csrf = new_secret(), new_secret()
    sign_in = SignIn(digest(token), person, csrf)
    times = {"created": now, "seen": now, "expires": now + sign_in_seconds(store, person)}
    store.insert("sessions", {**asdict(sign_in), **times})
    return token, sign_in


def find_sign_in(store: Store, token: str, now: float) -> SignIn | None:
    """Return the sign-in of a cookie and extend it; None if it has ended."""
    row = _find(store, "sessions", token, now)
    if row is None:
        return None
    if row["seen"] + _UPDATE_SECONDS < now:
        statement = "update sessions set seen = ?, expires = ? where token_sha = ?"
        with suppress(DiskError):  # who only reads needs no room
            ends = now + sign_in_seconds(store, row["person"])
            store.rows(statement, (now, ends, row["token_sha"]))
    return SignIn(row["token_sha"], row["person"], row["csrf"])


def end_sign_in(store: Store, sign_in: SignIn) -> None:
    """Sign out."""
    store.rows("delete from sessions where token_sha = ?", (sign_in.token_sha,))


def sweep_ended(store: Store, now: float) -> None:
    """Delete the sign-ins, tokens and links that have ended."""
    for table in get_args(_Table):
        store.rows(f"delete from {table} where expires <= ?", (now,))


@dataclass(frozen=True, slots=True)
class Access:
    """A sign-in, token or unused link, as whoever runs the service lists it."""

    kind: Literal["sign-in", "token", "link"]
    token_sha: str
    course: str
    name: str
    role: str
    used: float
    """The time of the last use, or else when it was made."""
    expires: float


_ACCESS: Final = """
    select kind, token_sha, course, name, role, used, expires from (
        select 'sign-in' as kind, token_sha, person, seen as used, expires from sessions
        union all select 'token', token_sha, person, coalesce(used, created), expires from tokens
        union all select 'link', token_sha, person, created, expires from invites where used is null
    ) join people on people.id = person where expires > ? order by course, name, people.id, kind, used"""
_TABLES: Final[Mapping[str, _Table]] = {"sign-in": "sessions", "token": "tokens", "link": "invites"}


def list_access(store: Store, now: float) -> list[Access]:
    """Return all that lets somebody in, by course and name."""
    return store.records(Access, _ACCESS, (now,))


def end_access(store: Store, access: Access) -> None:
    """Let nobody in by it any more."""
    store.rows(f"delete from {_TABLES[access.kind]} where token_sha = ?", (access.token_sha,))


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a person, as the page lists it."""

    token_sha: str
    name: str
    created: float
    used: float | None
    """The time of the last use; None if there was none."""
    expires: float


def create_token(store: Store, person: int, name: str, now: float) -> str:
    """Make a token and return it; only its digest is stored."""
    token = new_secret()
    times = {"created": now, "expires": now + _seconds(store, person)}
    store.insert("tokens", {"token_sha": digest(token), "person": person, "name": name, **times})
    return token


def find_owner(store: Store, token: str, now: float) -> int | None:
    """Return the number of a token's owner, and extend it; None if the token is not valid, or has ended."""
    row = _find(store, "tokens", token, now)
    if row is None:
        return None
    person: int = row["person"]
    statement = "update tokens set used = ?, expires = ? where token_sha = ?"
    with suppress(DiskError):  # who only reads needs no room
        store.rows(statement, (now, now + _seconds(store, person), row["token_sha"]))
    return person


def list_tokens(store: Store, person: int, now: float) -> list[Token]:
    """Return a person's tokens that have not ended, the newest first."""
    return store.records(
        Token,
        "select token_sha, name, created, used, expires from tokens "
        "where person = ? and expires > ? order by created desc",
        (person, now),
    )


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
        store.rows("delete from mails where person = ? and sent_at is null", (person,))
        times = {"created": now, "expires": now + _seconds(store, person)}
        store.insert("invites", {"token_sha": digest(token), "person": person, "made_by": made_by, **times})
    return token


def was_invited(store: Store, person: int, *, came: bool = False) -> bool:
    """Tell whether a person has a link, or even ``came`` by one that has not ended; or is signed in."""
    had = "select 1 from invites where person = ?1 and (used is not null or not ?2)"
    return store.value(f"{had} union select 1 from sessions where person = ?1", (person, came)) is not None


def find_invited(store: Store, token: str, now: float) -> int | None:
    """Return the number of the person for whom an unused invitation is, without using it; None if it is
    void or has ended.
    """
    row = _find(store, "invites", token, now)
    return None if row is None or row["used"] is not None else int(row["person"])


def use_invitation(store: Store, token: str, now: float) -> tuple[int, int | None] | None:
    """Use up an invitation; return the person's number, and that of the member of staff who made it if one
    did. None if it is void, has ended or was used.
    """
    unused = "token_sha = ?2 and expires > ?1 and used is null"
    statement = f"update invites set used = ?1 where {unused} returning person, made_by"
    row = store.row(statement, (now, digest(token)))
    return None if row is None else (row["person"], row["made_by"])


def first_links(store: Store, served: Iterable[str], url: str, now: float) -> Iterator[str]:
    """Make a link for the first teacher of each course without staff; one that was made before is void."""
    for course in served:
        known = people.find(store, course, "invite", _FIRST_TEACHER)
        others = [each for each in people.list_for_course(store, course) if each.is_staff and each != known]
        if not others and not (known and was_invited(store, known.id, came=True)):
            newcomer = Newcomer(course, _FIRST_TEACHER, "staff", "invite", _FIRST_TEACHER)
            person = people.put(store, newcomer, now)
            yield f"{url}/invite/{create_invitation(store, person.id, now)}"
