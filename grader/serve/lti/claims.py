"""Validates the claims of an id_token against the platform that it should come from.

Nothing in a token is trusted before its signature is verified with a key that the platform of this login
publishes; the service chooses the algorithm, not the token. Anything that does not conform to LTI 1.3 is
rejected, with a message that says what was expected, for the person who sets up the platform.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from grader.errors import LaunchError
from grader.serve.lti.keys import ALGORITHM
from grader.serve.lti.platforms import RegisteredPlatform
from grader.serve.store import credentials

LTI: Final = "https://purl.imsglobal.org/spec/lti/claim/"
LEEWAY_SECONDS: Final = 30.0
"""The clocks of the platform and of this machine may differ by up to 30 seconds."""
OLDEST_SECONDS: Final = 600.0
"""A token is valid for at most 600 seconds after it was issued."""
LARGEST_TOKEN: Final = 32 * 1024
"""A token may have at most 32 KiB."""
_LONGEST_SUBJECT: Final = 255
"""The id of a user may have at most 255 characters, as OpenID Connect defines it."""
_END_OF_TIME: Final = 1e11
"""A time in seconds since the epoch must be below this number, far in the future."""
_MESSAGE: Final = "LtiResourceLinkRequest"
"""The service accepts this type of LTI message only."""

Claims = Mapping[str, Any]
"""The claims of a token, by name."""


def read_key_id(token: str) -> str:
    """Return the id of the key that a token claims to be signed with. Raises LaunchError."""
    if len(token) > LARGEST_TOKEN:
        raise LaunchError(f"expected an id_token of at most {LARGEST_TOKEN // 1024} KiB, got a longer one")
    try:
        head = token.split(".", 1)[0]
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
        algorithm, kid = header["alg"], header["kid"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise LaunchError("expected an id_token whose header names alg and kid") from None
    if algorithm != ALGORITHM or not isinstance(kid, str):
        raise LaunchError(f"expected an id_token signed with {ALGORITHM}, got {str(algorithm)[:40]!r}")
    return kid


def verify_signature(token: str, key: RSAKey) -> Claims:
    """Return the claims of a token that is signed with this key. Raises LaunchError if it is not."""
    try:
        return jwt.decode(token, key, algorithms=[ALGORITHM]).claims
    except (JoseError, ValueError, RecursionError) as error:
        raise LaunchError(
            f"the signature of the launch is not the platform's ({type(error).__name__})"
        ) from None


def check_claims(
    claims: Claims, platform: RegisteredPlatform, *, nonce_sha: str, launch_url: str, now: float
) -> None:
    """Check that the claims are for this service, this login and this time. Raises LaunchError."""
    _expect("iss", claims.get("iss"), platform.issuer)
    _check_audience(claims, platform.client_id)
    _check_times(claims, now)
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or credentials.digest(nonce) != nonce_sha:
        raise LaunchError("the nonce of the launch is not that of the login it answers")
    deployment = claims.get(f"{LTI}deployment_id")
    if not isinstance(deployment, str) or deployment not in platform.deployments:
        raise LaunchError(
            f"expected a deployment that is registered here, got {_format_value(deployment)}: "
            "whoever runs this service adds it with grader serve platform add"
        )
    _expect("message_type", claims.get(f"{LTI}message_type"), _MESSAGE)
    _expect("version", claims.get(f"{LTI}version"), "1.3.0")
    _expect("target_link_uri", claims.get(f"{LTI}target_link_uri"), launch_url)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT:
        raise LaunchError("expected a launch that says who comes (sub): anonymous launches are not let in")


def _expect(claim: str, got: object, wanted: str) -> None:
    if got != wanted:
        raise LaunchError(f"expected {claim} of the launch to be {wanted!r}, got {_format_value(got)}")


def _format_value(value: object) -> str:
    return repr(value)[:200]


def _check_audience(claims: Claims, client_id: str) -> None:
    audience = claims.get("aud")
    all_of_them = audience if isinstance(audience, list) else [audience]
    if client_id not in all_of_them:
        raise LaunchError(f"expected aud of the launch to be {client_id!r}, got {_format_value(audience)}")
    party = claims.get("azp", client_id if len(all_of_them) == 1 else None)
    _expect("azp", party, client_id)


def _check_times(claims: Claims, now: float) -> None:
    expires, issued = _read_time(claims, "exp"), _read_time(claims, "iat")
    begins = _read_time(claims, "nbf") if "nbf" in claims else issued
    if expires <= now - LEEWAY_SECONDS or issued <= now - OLDEST_SECONDS:
        raise LaunchError("the launch has expired: open the link on your learning platform again")
    if max(issued, begins) > now + LEEWAY_SECONDS:
        raise LaunchError(
            "the launch is of the future: the clocks of the platform and of this service differ"
        )


def _read_time(claims: Claims, name: str) -> float:
    value = claims.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) < _END_OF_TIME:
        raise LaunchError(
            f"expected {name} of the launch to be a number of seconds, got {_format_value(value)}"
        )
    return float(value)
