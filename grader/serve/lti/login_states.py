"""The state of a login in progress: a state and a nonce, valid once, for the browser that started it.

Both are random, and only their SHA-256 is stored, in one row together with that of a secret in a cookie of
the browser. Using a state deletes its row: a second use, at the same instant or later, finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from grader.errors import LaunchError
from grader.serve.store import secret
from grader.serve.store.database import Store

LIFE_SECONDS: Final = 600.0
"""A person has 600 seconds to sign in at the platform."""
_STALE: Final = "open the link on your learning platform again"


@dataclass(frozen=True, slots=True)
class StartedLogin:
    """The state and the nonce that are sent to the platform."""

    state: str
    nonce: str


@dataclass(frozen=True, slots=True)
class UsedLogin:
    """The platform and the nonce that belong to a used state."""

    platform: int
    nonce_sha: str


def begin(store: Store, *, platform: int, browser: str, now: float) -> StartedLogin:
    """Start a login for a browser, and delete expired ones."""
    begun = StartedLogin(secret.new(), secret.new())
    with store.transaction():
        store.rows("delete from lti_states where expires <= ?", (now,))
        store.rows(
            "insert into lti_states (state_sha, nonce_sha, browser_sha, platform, expires) "
            "values (?, ?, ?, ?, ?)",
            (
                secret.digest(begun.state),
                secret.digest(begun.nonce),
                secret.digest(browser),
                platform,
                now + LIFE_SECONDS,
            ),
        )
    return begun


def take(store: Store, *, state: str, browser: str, now: float) -> UsedLogin:
    """Use up a state, whether or not the launch succeeds. Raises LaunchError if it is not valid."""
    rows = store.rows(
        "delete from lti_states where state_sha = ? returning browser_sha, platform, nonce_sha, expires",
        (secret.digest(state),),
    )
    if not rows or rows[0]["expires"] <= now:
        raise LaunchError(f"this launch was used before, or is older than ten minutes: {_STALE}")
    if not browser or not compare_digest(rows[0]["browser_sha"], secret.digest(browser)):
        raise LaunchError(
            f"this launch was begun in another browser, or cookies are blocked in this window: {_STALE}, "
            "and choose to have it in a new window"
        )
    return UsedLogin(rows[0]["platform"], rows[0]["nonce_sha"])
