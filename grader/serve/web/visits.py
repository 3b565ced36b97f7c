"""A request as the pages see it: the site, the visitor, the language and the form.

Theory of operation: signing in sets a new cookie, and ends the sign-in of the cookie that the browser sent,
so that a planted cookie is useless afterwards. The cookie is for this host only, scripts cannot read it, and
browsers do not send it with the forms of other sites; in addition, each form of this site contains a token of
the sign-in. With https the cookie is called ``__Host-session``, which browsers bind to its host and to https;
below a path of a host (``--url https://host/grader``) it is ``__Secure-session``, for that path; without
https, as on a developer's machine, it is ``session``, since browsers reject the other names there.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlencode, urlsplit

from anyio import CapacityLimiter, to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.api import CourseRules, ReleaseFolder, names_tell
from grader.languages import DEFAULT, Catalogue, catalogue, languages
from grader.serve.data_folder import DataFolder
from grader.serve.store import credentials, marks, people
from grader.serve.store.credentials import SignIn
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.web.guard import SAFE_METHODS, BodyLimits, RateLimits
from grader.text import visible
from lab.exercises import Exercise

_HTTPS: Final = "https://"


@dataclass(frozen=True)
class Site:
    """The configuration and the state that all pages share."""

    data: DataFolder
    store: Store
    courses: Mapping[str, CourseRules]
    demo: bool = False
    """Whether anybody may sign in by any name."""
    lab: Path | None = None
    """The folder with the lab in a browser, for all courses."""
    releases: Mapping[str, ReleaseFolder] = field(default_factory=dict)
    """What the students of a course get, by its id."""
    url: str = ""
    """The public URL, such as https://mazes.example.edu/grader; empty without a proxy."""
    names: frozenset[str] = frozenset()
    """The host names of this machine that are accepted besides localhost and IP addresses if ``url`` is
    empty."""
    names_tell: Callable[[Sequence[tuple[Path, str]], Sequence[Exercise]], bool] = names_tell
    """Tells whether the names in an upload are those of an exercise; if not, it is read afterwards."""
    sends_mails: bool = False
    """Whether links are sent to people by mail."""
    clock: Callable[[], float] = time.time
    limits: BodyLimits = field(default_factory=BodyLimits)
    rates: RateLimits = field(default_factory=RateLimits)

    @property
    def is_secure(self) -> bool:
        """Tell whether browsers use https."""
        return self.url.startswith(_HTTPS)

    @property
    def root(self) -> str:
        """Return the path of the public URL, without a slash at its end; often empty."""
        return urlsplit(self.url).path

    @property
    def path(self) -> str:
        """Return the path of cookies."""
        return self.root or "/"

    def cookie_name(self, name: str) -> str:
        """Return a cookie's name with the strictest prefix that browsers accept for this URL."""
        if not self.is_secure:
            return name
        return f"__Secure-{name}" if self.root else f"__Host-{name}"

    @property
    def cookie(self) -> str:
        """Return the name of the cookie for sign-ins."""
        return self.cookie_name("session")

    def set_cookie(self, response: Response, name: str, value: str, seconds: float) -> None:
        """Set a cookie that only this site gets, for so many seconds."""
        options: dict[str, Any] = {"path": self.path, "secure": self.is_secure, "httponly": True}
        response.set_cookie(name, value, round(seconds), samesite="lax", **options)

    def address(self, request: Request) -> str:
        """Return the public URL or, if none was configured, the one that the request used."""
        return self.url or str(request.base_url).rstrip("/")

    def find_person(self, number: int | None) -> Person | None:
        """Return a person of a served course by number; None if there is none."""
        found = None if number is None else people.get(self.store, number)
        return found if found is not None and found.course in self.courses else None

    def lab_path(self, course: str) -> str:
        """Return the path of the lab of a course; empty if there is none."""
        return f"/lab/{course}/" if course in self.releases else "/lab/" if self.lab else ""

    def deadline(self, person: Person) -> float | None:
        """Return a person's deadline in seconds since the epoch; None if the rubric has none."""
        return self.courses[person.course].deadline(marks.own_deadline(self.store, person.id))

    def hides(self, person: Person, now: float) -> bool:
        """Tell whether hidden checks are not shown to a student yet."""
        return now < self.hidden_shown_from(person.id, person.course)

    def hidden_shown_from(self, person: int, course: str) -> float:
        """Return the time (seconds since the epoch) from which a student sees hidden checks; 0 for at
        once."""
        return self.courses[course].hidden_shown_from(marks.own_deadline(self.store, person))


CSRF: Final = "csrf"


def find_visitor(site: Site, request: HTTPConnection, now: float) -> tuple[Person | None, SignIn | None]:
    """Return the person who is signed in, with the sign-in; a pair of None for all others."""
    token = request.cookies.get(site.cookie, "")
    found = credentials.find_sign_in(site.store, token, now) if token else None
    person = site.find_person(found.person if found else None)
    return (person, found) if person else (None, None)


def sign_in(site: Site, request: HTTPConnection, person: Person, page: str = "/") -> Response:
    """Sign a person in; set the cookie, and end the sign-in that the browser had before.

    Return the way to a page.
    """
    now = site.clock()
    _, before = find_visitor(site, request, now)
    if before is not None:
        credentials.end_sign_in(site.store, before)
    token, _ = credentials.begin_sign_in(site.store, person.id, now)
    response = RedirectResponse(page, 303)
    site.set_cookie(response, site.cookie, token, credentials.sign_in_seconds(site.store, person.id))
    return response


def sign_out(site: Site, ended: SignIn, response: Response) -> None:
    """End a sign-in, in the database and in the browser."""
    credentials.end_sign_in(site.store, ended)
    response.delete_cookie(site.cookie, path=site.path, secure=site.is_secure, httponly=True, samesite="lax")
    if not site.root:  # what other sites of the host keep is not ours to clear, nor the work in the lab
        response.headers["Clear-Site-Data"] = '"cache"'


def check_csrf(sign_in: SignIn | None, form: Mapping[str, str]) -> None:
    """Check that a form comes from a page of this sign-in. Raises HTTPException."""
    sent = form.get(CSRF, "").encode()
    if sign_in is None or not secrets.compare_digest(sent, sign_in.csrf.encode()):
        raise HTTPException(403, "origin")


Who = Literal["anyone", "person", "staff", "teacher"]
View = Callable[["Visit"], Response]
Endpoint = Callable[[Request], Awaitable[Response]]
LANGUAGE: Final = "lang"
_FOR_A_YEAR: Final = 365 * 24 * 3600
_ASSETS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "site.css": (
        ("lab.render", "theme.css"),
        ("grader.batch.report", "pages/staff.css"),
        (__package__, "static/serve.css"),
    ),
    "site.js": (("grader.batch.report", "pages/staff.js"), (__package__, "static/site.js")),
    "icon.svg": ((__package__, "static/icon.svg"),),
}


PAGE_ROWS: Final = 50
"""Long lists are shown 50 rows at a time."""


class Listing(NamedTuple):
    """A page of a long list; ``query`` is what was asked of it, for the links to its other pages."""

    rows: Sequence[Any]
    total: int
    page: int
    pages: int
    query: str


@dataclass(frozen=True)
class Visit:
    """A request with its form, and the person who sent it, if signed in."""

    site: Site
    request: Request
    now: float
    form: Mapping[str, str]
    person: Person | None
    sign_in: SignIn | None

    @property
    def who(self) -> Person:
        """Return the person who is signed in. Raises HTTPException if nobody is."""
        if self.person is None:
            raise HTTPException(401, "sign_in")
        return self.person

    @property
    def t(self) -> Catalogue:
        """Return the catalogue of texts in the visitor's language."""
        return catalogue(self.language)

    @property
    def language(self) -> str:
        """Return the language that the visitor chose, else that of the course; English for staff."""
        if self.person is not None and self.person.is_staff:
            return DEFAULT
        wanted = self.request.query_params.get(LANGUAGE) or self.request.cookies.get(LANGUAGE, "")
        if wanted in languages():
            return wanted
        of_course = self.site.courses.get(self.person.course) if self.person else None
        return of_course.language if of_course else DEFAULT

    def may(self, act: str) -> bool:
        """Tell whether a member of staff may withdraw, exempt, or make links."""
        return self.who.is_teacher or act in self.site.courses[self.who.course].assistants

    def listing(self, rows: Sequence[Any]) -> Listing:
        """Return the page of a list that the URL asks for."""
        asked = self.request.query_params
        pages, wanted = max(1, -(-len(rows) // PAGE_ROWS)), asked.get("page", "1")[:6]
        page = min(max(1, int(wanted) if wanted.isdecimal() else 1), pages)
        query = urlencode([(name, value) for name, value in asked.multi_items() if name != "page"])
        return Listing(rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS], len(rows), page, pages, query)

    def format_time(self, at: float) -> str:
        """Return a time in the time zone of the course, as text."""
        return f"{self.site.courses[self.who.course].local_time(at):%Y-%m-%d %H:%M}"

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """Render a template; all values are escaped."""
        person, sign_in = self.person, self.sign_in
        shared = {
            "t": self.t,
            "person": person,
            "csrf": sign_in.csrf if sign_in else "",
            "course": self.site.courses[person.course].title if person else "",
            "languages": [(code, catalogue(code)("language")) for code in languages()],
            "root": self.site.root,
            "reload": 0,
            "told": "",
            "trouble": "",
            "clock": self.format_time,
            "iso": lambda at: self.site.courses[self.who.course].local_time(at).isoformat(timespec="seconds"),
        }
        made = HTMLResponse(_environment().get_template(template).render({**shared, **values}), status)
        if (wanted := self.request.query_params.get(LANGUAGE, "")) in languages():
            self.site.set_cookie(made, LANGUAGE, wanted, _FOR_A_YEAR)
        return made


def make_endpoint(view: View, who: Who = "person", *, threads: CapacityLimiter | None = None) -> Endpoint:
    """Return the endpoint of a view for those who may use it; the view runs in a thread.

    A view that waits for other servers has ``threads`` of its own, so that it cannot block other pages.
    """

    async def endpoint(request: Request) -> Response:
        is_sent = request.method not in SAFE_METHODS
        form = texts_of(await request.form(max_files=0, max_fields=20)) if is_sent else {}
        return await to_thread.run_sync(
            lambda: view(check_access(find_visit(request, form), who)), limiter=threads
        )

    return endpoint


def find_visit(request: Request, form: Mapping[str, str] | None = None) -> Visit:
    """Return the visit of a request: look up the sign-in, but check no permission."""
    site: Site = request.app.state.site
    now = site.clock()
    person, sign_in = find_visitor(site, request, now)
    return Visit(site, request, now, form or {}, person, sign_in)


def check_access(visit: Visit, who: Who) -> Visit:
    """Return the visit if the visitor may use a view for ``who``. Raises HTTPException if not."""
    if who == "anyone":
        return visit
    person = visit.who
    if who in ("staff", "teacher") and not person.is_staff:
        raise HTTPException(404, "missing")
    if who == "teacher" and not person.is_teacher:
        raise HTTPException(403, "rank")
    if visit.request.method not in SAFE_METHODS:
        check_csrf(visit.sign_in, visit.form)
        if not visit.site.rates.actions.allows(str(person.id), visit.now):
            raise HTTPException(429, "often")
    return visit


def wants_data(request: Request) -> bool:
    """Tell whether a program asks, or a script of a page, which reads JSON."""
    return request.url.path.startswith("/api/") or request.headers.get("accept") == "application/json"


def texts_of(form: FormData) -> dict[str, str]:
    """Return the fields of a form, without the files."""
    return {name: value for name, value in form.items() if isinstance(value, str)}


def redirect_to(path: str) -> RedirectResponse:
    """Redirect to a page after an action."""
    return RedirectResponse(path, 303)


def read_asset(name: str) -> bytes:
    """Return the content of a static file. Raises KeyError if there is none."""
    return b"".join(files(package).joinpath(path).read_bytes() for package, path in _ASSETS[name])


@cache
def _asset_path(name: str) -> str:
    return f"/static/{name}?{hashlib.sha256(read_asset(name)).hexdigest()[:12]}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.serve.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=_asset_path, shown=visible)
    return environment
