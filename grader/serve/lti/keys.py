"""The service's own key: what its requests to platforms are signed with, and what it publishes of it."""

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
_BITS: Final = 2048
_ASSERTION_SECONDS: Final = 300


def own_key(folder: Path) -> RSAKey:
    """The key that lies in this folder, made where there is none; only its owner can read it.

    Raises InputError where the file holds something else, and DiskError.
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
    """Write a new key; of two that are made at once the first one stays."""
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


def published(key: RSAKey) -> dict[str, Any]:
    """The JWKS of the service: its public half."""
    return {"keys": [{**key.as_dict(private=False), "alg": ALGORITHM, "use": "sig"}]}


def assertion(key: RSAKey, *, client_id: str, audience: str, jti: str, now: float) -> str:
    """Who asks for a token, signed: RFC 7523, as the security framework of LTI has it."""
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
