"""The service's own key pair: it signs requests to platforms, which find the public half as a JWKS."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from grader.disk import writing
from grader.errors import InputError
from lab.atomic_file import remove

ALGORITHM: Final = "RS256"
"""LTI 1.3 requires this signature algorithm."""
_BITS: Final = 2048
"""A new key has 2048 bits."""
_ASSERTION_SECONDS: Final = 300
"""A signed request for a token is valid for 300 seconds."""


def load_own_key(folder: Path) -> RSAKey:
    """Load the key from a folder, or make one there that only its owner can read.

    Raises InputError if the file is not a private RSA key, and DiskError.
    """
    path = folder / "key.pem"
    if not path.exists():
        _make(path)
    try:
        key = RSAKey.import_key(path.read_bytes())
    except (JoseError, ValueError):
        key = None
    if key is None or not key.is_private:
        raise InputError("expected a private RSA key as PEM; delete it to have a new one made", path=path)
    key.ensure_kid()
    return key


def _make(path: Path) -> None:
    """Write a new key; if two processes do so at once, the first key stays."""
    with writing(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, partial = mkstemp(dir=path.parent)  # for its owner only
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(RSAKey.generate_key(_BITS).as_pem(private=True))
                file.flush()
                os.fsync(descriptor)
            with suppress(FileExistsError):
                path.hardlink_to(partial)
        finally:
            remove(Path(partial))


def make_jwks(key: RSAKey) -> dict[str, Any]:
    """Return the JWKS of the service, with the public half of the key."""
    return {"keys": [{**key.as_dict(private=False), "alg": ALGORITHM, "use": "sig"}]}


def sign_assertion(key: RSAKey, *, client_id: str, audience: str, jti: str, now: float) -> str:
    """Return a signed client assertion (RFC 7523) that requests a token, as LTI security requires."""
    begins = int(now)
    claims = {
        "iss": client_id,
        "sub": client_id,
        "aud": audience,
        "iat": begins,
        "exp": begins + _ASSERTION_SECONDS,
        "jti": jti,
    }
    return jwt.encode({"alg": ALGORITHM, "kid": key.kid}, claims, key)
