"""Tokens for ``maze submit``, which last, and links of invitations, which sign in once."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from grader.errors import DiskError
from grader.serve.store import secret
from grader.serve.store.database import Store


@dataclass(frozen=True, slots=True)
class Token:
    """One of a person's tokens, as the page lists them."""

    token_sha: str
    name: str
    created: float
    used: float | None
    """When it was used last."""


def give(store: Store, person: int, name: str, now: float) -> str:
    """Make a token; this is the only time that it is seen."""
    token = secret.new()
    store.rows(
        "insert into tokens (token_sha, person, name, created) values (?, ?, ?, ?)",
        (secret.digest(token), person, name, now),
    )
    return token


def owner(store: Store, token: str, now: float) -> int | None:
    """Whose a token is; None where it is nobody's."""
    sha = secret.digest(token)
    person: int | None = store.value("select person from tokens where token_sha = ?", (sha,))
    if person is not None:
        with suppress(DiskError):  # who only reads needs no room
            store.rows("update tokens set used = ? where token_sha = ?", (now, sha))
    return person


def of(store: Store, person: int) -> list[Token]:
    """A person's tokens, the newest first."""
    statement = "select token_sha, name, created, used from tokens where person = ? order by created desc"
    return [Token(**dict(row)) for row in store.rows(statement, (person,))]


def take_back(store: Store, person: int, token_sha: str) -> None:
    """Have a token of a person's be worth nothing."""
    store.rows("delete from tokens where person = ? and token_sha = ?", (person, token_sha))


def invite(store: Store, person: int, now: float) -> str:
    """Make what a link of invitation carries; earlier ones of the person that nobody used are void."""
    token = secret.new()
    with store.transaction():
        store.rows("delete from invites where person = ? and used is null", (person,))
        store.rows(
            "insert into invites (token_sha, person, created) values (?, ?, ?)",
            (secret.digest(token), person, now),
        )
    return token


def invited(store: Store, token: str) -> int | None:
    """Whom an invitation is for that nobody used; it stays as it is."""
    found: int | None = store.value(
        "select person from invites where token_sha = ? and used is null", (secret.digest(token),)
    )
    return found


def accept(store: Store, token: str, now: float) -> int | None:
    """Use up an invitation; the person's number, None where it is void or was used."""
    rows = store.rows(
        "update invites set used = ? where token_sha = ? and used is null returning person",
        (now, secret.digest(token)),
    )
    return rows[0]["person"] if rows else None
