"""A request as the pages see it: the visitor, the language and the form."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from anyio import CapacityLimiter, to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.languages import DEFAULT, Catalogue, catalogue, languages
from grader.serve.store.credentials import SignIn
from grader.serve.store.people import Person
from grader.serve.web import cookies
from grader.serve.web.guard import SAFE_METHODS
from grader.serve.web.site import Site
from grader.text import visible

Who = Literal["anyone", "person", "student", "staff"]
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

    def format_time(self, at: float) -> str:
        """Return a time in the time zone of the course, as text."""
        return f"{self.site.local_time(self.who.course, at):%Y-%m-%d %H:%M}"

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
            "iso": lambda at: self.site.local_time(self.who.course, at).isoformat(timespec="seconds"),
        }
        made = HTMLResponse(_environment().get_template(template).render({**shared, **values}), status)
        if self.request.query_params.get(LANGUAGE) in languages():
            self._keep_language(made)
        return made

    def _keep_language(self, response: Response) -> None:
        response.set_cookie(
            *(LANGUAGE, self.request.query_params[LANGUAGE], _FOR_A_YEAR),
            path=self.site.path, secure=self.site.is_secure, httponly=True, samesite="lax",
        )  # fmt: skip


def make_endpoint(view: View, who: Who = "person", *, threads: CapacityLimiter | None = None) -> Endpoint:
    """Return the endpoint of a view for those who may use it; the view runs in a thread.

    A view that waits for other servers has ``threads`` of its own, so that it cannot block other pages.
    """

    async def endpoint(request: Request) -> Response:
        form = await _read_form(request)
        return await to_thread.run_sync(_answer, view, who, request, form, limiter=threads)

    return endpoint


def find_visit(request: Request, form: Mapping[str, str] | None = None) -> Visit:
    """Return the visit of a request: look up the sign-in, but check no permission."""
    site: Site = request.app.state.site
    now = site.clock()
    person, sign_in = cookies.find_visitor(site, request, now)
    return Visit(site, request, now, form or {}, person, sign_in)


def check_access(visit: Visit, who: Who) -> Visit:
    """Return the visit if the visitor may use a view for ``who``. Raises HTTPException if not."""
    if who == "anyone":
        return visit
    person = visit.who
    if who == "staff" and not person.is_staff:
        raise HTTPException(404, "missing")
    if visit.request.method not in SAFE_METHODS:
        cookies.check_csrf(visit.sign_in, visit.form)
        if not visit.site.rates.actions.allows(str(person.id), visit.now):
            raise HTTPException(429, "often")
    return visit


def _answer(view: View, who: Who, request: Request, form: Mapping[str, str]) -> Response:
    return view(check_access(find_visit(request, form), who))


async def _read_form(request: Request) -> dict[str, str]:
    """Read the fields of a form without files."""
    if request.method in SAFE_METHODS:
        return {}
    return texts_of(await request.form(max_files=0, max_fields=20))


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
