"""Secrets that people carry: given out once, and kept as a digest only."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_BYTES: Final = 32


def new() -> str:
    """An unguessable text for an address, a cookie or a header."""
    return secrets.token_urlsafe(_BYTES)


def digest(secret: str) -> str:
    """What is kept of it: it has so much luck in it that it needs no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
