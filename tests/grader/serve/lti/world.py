"""A service with one platform that is registered, and tokens as that platform or an attacker makes them."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import RSAKey

from grader.serve.lti import platforms
from grader.serve.lti.claims import LTI
from grader.serve.lti.keys import KeySets
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.store import courses, people
from grader.serve.store.database import Store

NOW = 1_800_000_000.0
URL = "https://grader.example.org"
ISSUER = "https://platform.example.org"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
TEACHER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
LINE_ITEM = "https://platform.example.org/line/7?type=3"
ENDPOINT = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"


@cache
def key(name: str) -> RSAKey:
    """A private key with this id: making one takes a while."""
    return RSAKey.generate_key(2048, {"kid": name})


def named(key: RSAKey, kid: str) -> RSAKey:
    """The same private key under another id."""
    return RSAKey.import_key(key.as_dict(private=True), {"kid": kid})


def key_set(*keys: RSAKey) -> dict[str, Any]:
    return {"keys": [{**key.as_dict(private=False), "use": "sig", "alg": "RS256"} for key in keys]}


def registration(**changes: Any) -> platforms.Registration:
    values: dict[str, Any] = {
        "issuer": ISSUER,
        "client_id": "client-1",
        "deployments": frozenset({"deployment-1"}),
        "auth_url": f"{ISSUER}/auth",
        "token_url": f"{ISSUER}/token",
        "jwks_url": f"{ISSUER}/jwks",
    }
    return platforms.Registration(**values | changes)


@dataclass
class World:
    """The service, and what platforms publish at which address."""

    store: Store
    published: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    time: float = 0.0
    clients: dict[int, PlatformClient] = field(default_factory=dict)
    """What sends scores, by the id of the line that it has."""

    def __post_init__(self) -> None:
        courses.put(self.store, "mazes", "Mazes")
        self.platform = platforms.add(self.store, registration())
        self.publish(self.platform, key_set(key("one")))
        self.lti = LaunchService(
            self.store, URL, key("own"), ["mazes"], KeySets(self._fetch, lambda: self.time)
        )

    def publish(self, platform: platforms.RegisteredPlatform, keys: object) -> None:
        self.published[platform.jwks_url] = json.dumps(keys).encode()

    def _fetch(self, url: str) -> PlatformAnswer:
        self.asked.append(url)
        return PlatformAnswer(200, {}, self.published[url])

    def begin(self, browser: str = "browser", **hints: str) -> Mapping[str, str]:
        """Begin a login; what the platform is asked."""
        given = {"iss": ISSUER, "login_hint": "ada", "client_id": "client-1"} | hints
        url = self.lti.start_login(given, browser=browser, now=NOW)
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))

    def launch(self, form: Mapping[str, str], browser: str = "browser", now: float = NOW) -> people.Person:
        came = self.lti.accept_launch(form, browser=browser, now=now)
        assert isinstance(came, tuple)
        return came[0]

    def answer(self, **changes: Any) -> dict[str, str]:
        """What a browser brings back from the platform, for a login that it begins."""
        asked = self.begin()
        return {"state": asked["state"], "id_token": token(claims(**{"nonce": asked["nonce"], **changes}))}


def world(folder: Path) -> World:
    return World(Store(folder / "serve.sqlite"))


def claims(nonce: str | None, **changes: Any) -> dict[str, Any]:
    """What the platform claims of Ada; a change to None takes a claim away."""
    said: dict[str, Any] = {
        "iss": ISSUER,
        "aud": "client-1",
        "azp": "client-1",
        "sub": "ada",
        "nonce": nonce,
        "iat": NOW,
        "exp": NOW + 300,
        "name": "Ada Lovelace",
        "email": "ada@example.org",
        f"{LTI}deployment_id": "deployment-1",
        f"{LTI}message_type": "LtiResourceLinkRequest",
        f"{LTI}version": "1.3.0",
        f"{LTI}target_link_uri": f"{URL}/lti/launch",
        f"{LTI}roles": [LEARNER],
        f"{LTI}context": {"id": "course-9", "title": "Algorithms"},
        f"{LTI}resource_link": {"id": "link-4"},
        ENDPOINT: {"scope": [SCORE], "lineitem": LINE_ITEM},
    }
    return {name: value for name, value in {**said, **changes}.items() if value is not None}


def token(said: Mapping[str, Any], *, by: RSAKey | None = None, **header: Any) -> str:
    signer = by or key("one")
    return jwt.encode({"alg": "RS256", "kid": signer.kid, **header}, dict(said), signer)
