"""The keys that sign: the service's own, and those that platforms publish.

The service signs requests to platforms, which find the public half of its key as a JWKS. A platform's keys
are fetched when needed, cached for an hour, and requested at a limited rate.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from threading import Lock
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from grader.disk import writing
from grader.errors import InputError, LaunchError, PlatformError
from grader.serve.lti.platform_requests import PlatformAnswer, send_request
from grader.serve.lti.platforms import RegisteredPlatform
from lab.atomic_file import remove, sync

ALGORITHM: Final = "RS256"
"""LTI 1.3 requires this signature algorithm."""
_BITS: Final = 2048
"""A new key has 2048 bits."""
LIFE_SECONDS: Final = 3600.0
"""Keys are cached for 3600 seconds."""
PAUSE_SECONDS: Final = 30.0
"""Requests to one platform are at least 30 seconds apart, so that made-up key ids cause few of them."""
_MOST_KEYS: Final = 100
"""A platform may publish at most 100 keys."""
_FEWEST_BITS: Final = 2048
"""A key must have at least 2048 bits."""
_MOST_BITS: Final = 8192
"""A key may have at most 8192 bits, since verification is slow with larger ones."""
_LONGEST_EXPONENT: Final = 8
"""The exponent may have at most 8 characters in base64, since verification is slow with longer ones."""


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
            sync(Path(partial))
            with suppress(FileExistsError):
                path.hardlink_to(partial)
        finally:
            remove(Path(partial))


def make_jwks(key: RSAKey) -> dict[str, Any]:
    """Return the JWKS of the service, with the public half of the key."""
    return {"keys": [{**key.as_dict(private=False), "alg": ALGORITHM, "use": "sig"}]}


def sign(
    key: RSAKey, more: Mapping[str, Any], *, client_id: str, audience: str, seconds: int, now: float
) -> str:
    """Return what this service says to a platform as its client, signed, and valid for so many seconds.

    Blackboard wants the subject in answers to deep linking, too.
    """
    begins = int(now)
    claims = {"iss": client_id, "sub": client_id, "aud": audience, "iat": begins, "exp": begins + seconds}
    return jwt.encode({"alg": ALGORITHM, "kid": key.kid}, {**claims, **more}, key)


@dataclass(frozen=True, slots=True)
class _CachedKeys:
    asked: float
    keys: Mapping[str, RSAKey]
    error: str = ""


class KeySets:
    """A thread-safe cache of the keys of all platforms."""

    def __init__(
        self,
        fetch: Callable[[str], PlatformAnswer] = send_request,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch, self._clock = fetch, clock
        self._locks: dict[tuple[int, str], Lock] = {}
        self._known: dict[tuple[int, str], _CachedKeys] = {}

    def key(self, platform: RegisteredPlatform, kid: str) -> RSAKey:
        """Return the platform's key with this id.

        Raises LaunchError if the platform has no such key, PlatformError if its keys cannot be fetched.
        """
        place = (platform.id, platform.jwks_url)
        with self._locks.setdefault(place, Lock()):  # who comes while it is asked waits for the answer
            known = self._known.get(place)
            age = LIFE_SECONDS if known is None else self._clock() - known.asked
            if known is None or age >= LIFE_SECONDS or (kid not in known.keys and age >= PAUSE_SECONDS):
                known = self._known[place] = self._ask(platform)
        if known.error:
            raise PlatformError(known.error)
        if kid not in known.keys:
            raise LaunchError("the launch is signed with a key that the platform does not publish")
        return known.keys[kid]

    def _ask(self, platform: RegisteredPlatform) -> _CachedKeys:
        try:
            answer = platform.bound(self._fetch)(platform.jwks_url)
            if answer.status != 200:
                raise PlatformError(f"the platform answered {answer.status} where its keys should be")
            return _CachedKeys(self._clock(), parse_keys(answer.json()))
        except PlatformError as error:
            return _CachedKeys(self._clock(), {}, f"the keys of the platform cannot be had: {error}")


def parse_keys(published: Any) -> Mapping[str, RSAKey]:
    """Return the RSA signature keys in a key set, by id; skip other keys. Raises PlatformError."""
    keys = published.get("keys") if isinstance(published, dict) else None
    if not isinstance(keys, list):
        raise PlatformError("expected a key set of the platform, with a list 'keys'")
    if len(keys) > _MOST_KEYS:
        raise PlatformError(f"expected at most {_MOST_KEYS} keys of the platform, got {len(keys)}")
    return {key["kid"]: usable for key in keys if (usable := _parse_key(key)) is not None}


def _parse_key(key: Any) -> RSAKey | None:
    if not isinstance(key, dict) or key.get("kty") != "RSA" or not isinstance(key.get("kid"), str):
        return None
    if key.get("use", "sig") != "sig" or key.get("alg", "RS256") != "RS256":
        return None
    try:
        if not _FEWEST_BITS <= 6 * len(key["n"]) <= _MOST_BITS + 16 or len(key["e"]) > _LONGEST_EXPONENT:
            return None
        usable = RSAKey.import_key({"kty": "RSA", "kid": key["kid"], "n": key["n"], "e": key["e"]})
    except (JoseError, ValueError, TypeError, KeyError):
        return None
    return usable if _FEWEST_BITS <= usable.public_key.key_size <= _MOST_BITS else None
