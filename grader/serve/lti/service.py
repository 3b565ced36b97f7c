"""A launch from beginning to end, apart from what a browser has to be told.

Theory of operation. A platform shows this service in a frame, where browsers keep cookies away from it;
without a cookie nobody can tell whether the browser that ends a login is the one that began it, and an
attacker could have others signed in as himself. So nothing is begun in a frame: the page there is a link that
opens a window, and in that window, where this site is the first party, the login begins. It leaves a random
secret in a cookie and a row that ties state, nonce, platform and that secret together (states.py). The answer
of the platform is let in where it brings that state and that cookie; the row is gone before anything of the
answer is read. Then the token has to be signed by a key of the platform that the row names, whatever the
token itself says, and to carry the row's nonce.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from joserfc.jwk import RSAKey

from grader.errors import LaunchError
from grader.serve.lti import claims, contexts, platforms, states
from grader.serve.lti.jwks import KeySets
from grader.serve.lti.who import Launch, launched
from grader.serve.store import outbox, people
from grader.serve.store.database import Store
from grader.text import visible

_LONGEST_HINT: Final = 4096


@dataclass(frozen=True, slots=True)
class Lti:
    """The service as platforms see it."""

    store: Store
    url: str
    """How browsers call this site, without a slash at the end."""
    key: RSAKey
    courses: Collection[str]
    """The ids of those that are served."""
    key_sets: KeySets = field(default_factory=KeySets)

    @property
    def login_url(self) -> str:
        """Where platforms begin a login."""
        return f"{self.url}/lti/login"

    @property
    def launch_url(self) -> str:
        """Where they send people to, with the token."""
        return f"{self.url}/lti/launch"

    @property
    def jwks_url(self) -> str:
        """Where they find the keys of this service."""
        return f"{self.url}/lti/jwks"

    def platform(self, hints: Mapping[str, str]) -> platforms.RegisteredPlatform:
        """Who begins a login with these parameters. Raises LaunchError."""
        if any(len(value) > _LONGEST_HINT for value in hints.values()):
            raise LaunchError(
                f"expected parameters of a login of at most {_LONGEST_HINT} characters, got a longer one"
            )
        for name in ("iss", "login_hint"):
            if not hints.get(name):
                raise LaunchError(f"expected a login that a learning platform begins, got one without {name}")
        return platforms.launching(self.store, hints["iss"], hints.get("client_id", ""))

    def begin(self, hints: Mapping[str, str], *, browser: str, now: float) -> str:
        """Begin a login for a browser; the address at the platform to send it to. Raises LaunchError."""
        platform = self.platform(hints)
        begun = states.begin(self.store, platform=platform.id, browser=browser, now=now)
        query = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client_id,
            "redirect_uri": self.launch_url,
            "login_hint": hints["login_hint"],
            "state": begun.state,
            "nonce": begun.nonce,
        }
        if hints.get("lti_message_hint"):
            query["lti_message_hint"] = hints["lti_message_hint"]
        joint = "&" if urllib.parse.urlsplit(platform.auth_url).query else "?"
        return f"{platform.auth_url}{joint}{urllib.parse.urlencode(query)}"

    def launch(self, form: Mapping[str, str], *, browser: str, now: float) -> people.Person:
        """Let somebody in by what the platform had the browser send. Raises LaunchError or PlatformError."""
        taken = states.take(self.store, state=form.get("state", ""), browser=browser, now=now)
        if "error" in form:
            told = visible(
                f"{form['error']} {form.get('error_description', '')}".strip(), limit=300, one_line=True
            )
            raise LaunchError(f"the platform did not let you in: {told}")
        platform, token = platforms.get(self.store, taken.platform), form.get("id_token", "")
        said = claims.signed(token, self.key_sets.key(platform, claims.key_id(token)))
        claims.check(said, platform, nonce_sha=taken.nonce_sha, launch_url=self.launch_url, now=now)
        return self._let_in(launched(said, platform.id), now)

    def _let_in(self, launch: Launch, now: float) -> people.Person:
        with self.store.transaction():
            newcomer = people.Newcomer(
                course=contexts.course_of(self.store, launch, self.courses),
                name=launch.name,
                role="staff" if launch.is_staff else "student",
                origin="lti",
                external=outbox.external(launch.platform, launch.subject),
                email=launch.email,
            )
            person = people.put(self.store, newcomer, now)
            if launch.lineitem and not launch.is_staff:
                outbox.put_lineitem(self.store, person.id, platform=launch.platform, url=launch.lineitem)
        return person
