"""Random secrets for links, cookies and headers, of which only a digest is stored."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_BYTES: Final = 32
"""A secret has 32 random bytes."""


def new() -> str:
    """Make an unguessable text for a URL, a cookie or a header."""
    return secrets.token_urlsafe(_BYTES)


def digest(secret: str) -> str:
    """Return the digest to store; a secret is so random that it needs no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
