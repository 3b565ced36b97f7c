"""An LTI launch from beginning to end, apart from cookies and pages.

Theory of operation. A platform shows this service in a frame, where browsers block its cookies; without a
cookie, nobody can tell whether the browser that ends a login is the one that started it, and an attacker
could have others signed in under the attacker's name. So no login starts in a frame: the page there is a link
that opens a window, and the login starts in that window, where this site is the first party. It sets a cookie
with a random secret, and stores a row that ties together the state, the nonce, the platform and that secret,
of each only the SHA-256. The answer of the platform is accepted only with that state and that cookie; the row
is deleted before anything else of the answer is read: a second use, at the same instant or later, finds
nothing. Then the token must be signed by a key of the platform that the row names, whatever the token itself
says, and must contain the row's nonce.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from hmac import compare_digest
from typing import Final

from joserfc.jwk import RSAKey

from grader.errors import LaunchError
from grader.serve.lti import claims, deep_linking, platforms
from grader.serve.lti.claims import Launch, read_deep_linking, read_launch
from grader.serve.lti.keys import KeySets
from grader.serve.store import courses, credentials, outbox, people
from grader.serve.store.database import Store
from grader.text import visible

LIFE_SECONDS: Final = 600
"""A person has 600 seconds to sign in at the platform; as long lasts the cookie of a login."""
_STALE: Final = "open the link on your learning platform again"
_LONGEST_HINT: Final = 4096
"""A parameter of a login may have at most 4096 characters."""


@dataclass(frozen=True, slots=True)
class CourseChoice:
    """The courses to which a link of a platform may lead, for a teacher to choose one."""

    return_url: str
    """The URL at the platform that takes an answer."""
    answers: Mapping[str, str]
    """The signed answer for each course, by its title."""


@dataclass(frozen=True, slots=True)
class LaunchService:
    """The service as platforms see it: it starts logins and accepts launches."""

    store: Store
    url: str
    """The public URL of this site, without a slash at the end."""
    key: RSAKey
    courses: Collection[str]
    """The ids of the served courses."""
    key_sets: KeySets = field(default_factory=KeySets)

    @property
    def launch_url(self) -> str:
        """Return the URL to which platforms send users with a token."""
        return f"{self.url}/lti/launch"

    def find_platform(self, hints: Mapping[str, str]) -> platforms.RegisteredPlatform:
        """Return the platform that starts a login with these parameters. Raises LaunchError."""
        if any(len(value) > _LONGEST_HINT for value in hints.values()):
            raise LaunchError(
                f"expected parameters of a login of at most {_LONGEST_HINT} characters, got a longer one"
            )
        for name in ("iss", "login_hint"):
            if not hints.get(name):
                raise LaunchError(f"expected a login that a learning platform begins, got one without {name}")
        return platforms.find_launching_platform(self.store, hints["iss"], hints.get("client_id", ""))

    def start_login(self, hints: Mapping[str, str], *, browser: str, now: float) -> str:
        """Start a login for a browser; return the platform's URL to redirect it to. Raises LaunchError."""
        platform = self.find_platform(hints)
        state, nonce = credentials.new_secret(), credentials.new_secret()
        secrets = {"state_sha": state, "nonce_sha": nonce, "browser_sha": browser}
        row = {name: credentials.digest(secret) for name, secret in secrets.items()}
        with self.store.transaction():
            self.store.rows("delete from lti_states where expires <= ?", (now,))
            self.store.insert("lti_states", {**row, "platform": platform.id, "expires": now + LIFE_SECONDS})
        query = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client_id,
            "redirect_uri": self.launch_url,
            "login_hint": hints["login_hint"],
            "state": state,
            "nonce": nonce,
        }
        if hints.get("lti_message_hint"):
            query["lti_message_hint"] = hints["lti_message_hint"]
        joint = "&" if urllib.parse.urlsplit(platform.auth_url).query else "?"
        return f"{platform.auth_url}{joint}{urllib.parse.urlencode(query)}"

    def accept_launch(
        self, form: Mapping[str, str], *, browser: str, now: float
    ) -> tuple[people.Person, str] | CourseChoice:
        """Accept a launch form; return who comes and to which page, or what there is to choose.

        Raises LaunchError or PlatformError.
        """
        number, nonce_sha = take_login(self.store, form.get("state", ""), browser=browser, now=now)
        if "error" in form:
            reason = f"{form['error']} {form.get('error_description', '')}".strip()
            told = visible(reason, limit=300, one_line=True)
            raise LaunchError(f"the platform did not let you in: {told}")
        platform, token = platforms.get(self.store, number), form.get("id_token", "")
        said = claims.verify_signature(token, self.key_sets.key(platform, claims.read_key_id(token)))
        claims.check_claims(said, platform, nonce_sha=nonce_sha, launch_url=self.launch_url, now=now)
        if said[f"{claims.LTI}message_type"] == claims.DEEP_LINKING:
            return self._offer_courses(read_deep_linking(said, platform.id), platform, now)
        return self._let_in(read_launch(said, platform.id), now)

    def _offer_courses(
        self, request: claims.DeepLinkingRequest, platform: platforms.RegisteredPlatform, now: float
    ) -> CourseChoice:
        titles = courses.load_titles(self.store)
        answers = {}
        for course in platforms.list_open_courses(self.store, request.asked, self.courses):
            link = deep_linking.link_to(course, titles[course], self.launch_url)
            signed = deep_linking.sign_answer(self.key, request, platform, link, now)
            answers[f"{titles[course]} ({course})"] = signed
        return CourseChoice(request.return_url, answers)

    def _let_in(self, launch: Launch, now: float) -> tuple[people.Person, str]:
        with self.store.transaction():
            course = platforms.find_course(self.store, launch.asked, self.courses)
            if launch.members:
                bound = replace(launch.asked, course=course)
                platforms.put_members(self.store, bound, launch.members)
            page = self._find_reviewed(launch, course) if launch.reviewed else "/"
            newcomer = people.Newcomer(
                course=course,
                name=launch.name,
                role="staff" if launch.is_staff else "student",
                origin="lti",
                external=outbox.external_id(launch.platform, launch.subject),
                email=launch.email,
                rank=launch.rank or "teacher",
            )
            person = people.put(self.store, newcomer, now)
            if launch.lineitem and not launch.is_staff:
                outbox.put_lineitem(self.store, person.id, platform=launch.platform, url=launch.lineitem)
            elif launch.container and not launch.is_staff:
                place = outbox.LinkPlace(launch.platform, launch.container, launch.link)
                outbox.put_link(self.store, person.id, place)
        return person, page

    def _find_reviewed(self, launch: Launch, course: str) -> str:
        """Return the page about the student of a submission review, whose own page is the first one."""
        if not launch.is_staff and launch.reviewed == launch.subject:
            return "/"
        if not launch.is_staff:
            raise LaunchError("expected a teacher, or the student of whose work the submission review is")
        external = outbox.external_id(launch.platform, launch.reviewed)
        found = people.find(self.store, course, "lti", external)
        if found is None:
            raise LaunchError("the student of the submission review never opened the lab")
        return f"/staff/people/{found.id}"


def take_login(store: Store, state: str, *, browser: str, now: float) -> tuple[int, str]:
    """Use up a state, whether or not the launch succeeds; return the platform and the digest of the nonce.

    Raises LaunchError if it is not valid.
    """
    rows = store.rows(
        "delete from lti_states where state_sha = ? returning browser_sha, platform, nonce_sha, expires",
        (credentials.digest(state),),
    )
    if not rows or rows[0]["expires"] <= now:
        raise LaunchError(f"this launch was used before, or is older than ten minutes: {_STALE}")
    if not browser or not compare_digest(rows[0]["browser_sha"], credentials.digest(browser)):
        raise LaunchError(
            f"this launch was begun in another browser, or cookies are blocked in this window: {_STALE}, "
            "and choose to have it in a new window"
        )
    return rows[0]["platform"], rows[0]["nonce_sha"]
