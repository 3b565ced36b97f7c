"""Tokens for ``maze submit``, which stay valid, and invitations, which sign a person in once."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from grader.errors import DiskError
from grader.serve.store import secret
from grader.serve.store.database import Store


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a person, as the page lists it."""

    token_sha: str
    name: str
    created: float
    used: float | None
    """The time of the last use; None if there was none."""


def create(store: Store, person: int, name: str, now: float) -> str:
    """Make a token and return it; only its digest is stored."""
    token = secret.new()
    store.rows(
        "insert into tokens (token_sha, person, name, created) values (?, ?, ?, ?)",
        (secret.digest(token), person, name, now),
    )
    return token


def find_owner(store: Store, token: str, now: float) -> int | None:
    """Return the number of a token's owner, and record the use; None if the token is not valid."""
    sha = secret.digest(token)
    person: int | None = store.value("select person from tokens where token_sha = ?", (sha,))
    if person is not None:
        with suppress(DiskError):  # who only reads needs no room
            store.rows("update tokens set used = ? where token_sha = ?", (now, sha))
    return person


def list_for_person(store: Store, person: int) -> list[Token]:
    """Return a person's tokens, the newest first."""
    statement = "select token_sha, name, created, used from tokens where person = ? order by created desc"
    return [Token(**dict(row)) for row in store.rows(statement, (person,))]


def remove(store: Store, person: int, token_sha: str) -> None:
    """Delete a token of a person."""
    store.rows("delete from tokens where person = ? and token_sha = ?", (person, token_sha))


def create_invitation(store: Store, person: int, now: float, made_by: int | None = None) -> str:
    """Make an invitation and return its token; void earlier unused ones of the person.

    ``made_by`` is the number of the member of staff who makes it.
    """
    token = secret.new()
    with store.transaction():
        store.rows("delete from invites where person = ? and used is null", (person,))
        store.rows(
            "insert into invites (token_sha, person, created, made_by) values (?, ?, ?, ?)",
            (secret.digest(token), person, now, made_by),
        )
    return token


def find_invited(store: Store, token: str) -> int | None:
    """Return the number of the person for whom an unused invitation is, without using it; None if void."""
    found: int | None = store.value(
        "select person from invites where token_sha = ? and used is null", (secret.digest(token),)
    )
    return found


def use_invitation(store: Store, token: str, now: float) -> tuple[int, int | None] | None:
    """Use up an invitation; return the person's number, and that of the member of staff who made it if one
    did. None if it is void or was used.
    """
    rows = store.rows(
        "update invites set used = ? where token_sha = ? and used is null returning person, made_by",
        (now, secret.digest(token)),
    )
    return (rows[0]["person"], rows[0]["made_by"]) if rows else None
