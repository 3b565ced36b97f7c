"""One login that is under way: a state and a nonce, good once, for the browser that began it.

Both are random, and only their SHA-256 is kept, in one row together with that of a secret in a cookie of the
browser. Taking the row away is the use: who comes second, at the same instant or later, finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from grader.errors import LaunchError
from grader.serve.store import secret
from grader.serve.store.database import Store

LIFE_SECONDS: Final = 600.0
"""How long a person may take to sign in at the platform."""
_STALE: Final = "open the link on your learning platform again"


@dataclass(frozen=True, slots=True)
class Begun:
    """What goes out to the platform."""

    state: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What a state was good for."""

    platform: int
    nonce_sha: str


def begin(store: Store, *, platform: int, browser: str, now: float) -> Begun:
    """Begin a login for a browser; what others left behind is swept out."""
    begun = Begun(secret.new(), secret.new())
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


def take(store: Store, *, state: str, browser: str, now: float) -> Taken:
    """Use up a state, whatever becomes of the launch. Raises LaunchError."""
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
    return Taken(rows[0]["platform"], rows[0]["nonce_sha"])
