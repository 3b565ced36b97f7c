"""Play a service for an input: requests of visitors, and what happens between them, in this process.

A step of ``run`` that begins with a name and a colon is played here, and no command. ``serve`` in the input
names the ``courses`` (rubrics), and what else the service is started with. What a step may be:

- ``Ada: GET /``: a request of Ada's browser, which keeps its cookies. ``name=value`` is a field of a form,
  ``name=@file`` a file that is handed in (``9*name=@file`` nine times), ``<file`` the whole body,
  ``Name:value`` a header; a browser adds its own, and the word of the form. ``Ada x20: GET /`` asks twenty
  times, and shows the last answer.
- ``Ada: STALL /submit``: a request whose body never comes.
- ``Ada: LAUNCH sub=ada``: Ada comes from the platform that is registered first, with claims that are changed.
- ``worker: reads``, ``worker: takes``, ``worker: grades``, ``worker: grades in 200 s``, ``worker: fails no
  engine``.
- ``mail: goes out``: what is sent then; a service with ``mails`` sends some.
- ``clock: 90 min``, and ``service: ...`` with a key of ``TROUBLES``, until ``service: is well again``.

In a step ``{Ada}`` is the id of Ada's newest attempt, ``{Ada 1}`` of her first, ``{token}`` and ``{link}``
what was shown last, ``{x99}`` as many letters. Of a page that a visitor saw before, what changed is shown.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import logging
import re
import shlex
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from email.message import EmailMessage
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlencode, urlsplit

import yaml
from httpx2 import Response
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.batch import taken_items
from grader.batch.job import RETRIES, Answer, Course, Done, MachineFault
from grader.batch.report import class_facts
from grader.batch.workers import JobGrader
from grader.course.plan import load_plan
from grader.course.rules import CourseRules
from grader.disk import disk_error
from grader.errors import GraderError
from grader.sandbox.base import BACKENDS
from grader.serve import invitations, service, uploads
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import Dispatcher, update_class_folder
from grader.serve.lti.claims import LTI
from grader.serve.lti.keys import KeySets, load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.mail import MailSender
from grader.serve.service import find_rubrics, register_courses
from grader.serve.store import attempts, courses, credentials, people, settings
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.guard import BodyLimits
from grader.serve.web.platform_pages import platform_routes
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.lti.world import DEEP_LINKING, ENDPOINT, ISSUER, claims, key, key_set, named, token
from tests.grader.serve.made import Clock
from tests.grader.serve.scripted import Scripted

BEGUN = 1_790_000_000.0
"""When the service is first asked, in seconds: a day in September 2026."""
SANDBOX = "bubblewrap"
STEP = re.compile(r"(?P<who>\w+)(?: x(?P<times>\d+))?: (?P<what>.+)", re.DOTALL)
_NO_SPACE = OSError(28, "No space left on device")
_SECONDS = {"s": 1, "min": 60, "h": 3600, "days": 86400}
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_MAIN = re.compile(r"<main\b.*?</main>", re.DOTALL)
_WORD = re.compile(r'name="csrf" value="([^"]+)"')
_OF_LTI = (
    *("context", "custom", "deployment_id", "for_user", "message_type", "resource_link", "roles"),
    *("target_link_uri", "version"),
)
"""Claims that are named by their last word in a step."""
_NAME = re.compile(r"\{(\w+(?: \d+)?)\}")
_SECRET = re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])")
TROUBLES: Mapping[str, Callable[[], Any]] = {
    "has a full disk": lambda: mock.patch.object(
        uploads, "store_upload", side_effect=disk_error(_NO_SPACE, "data")
    ),
    "breaks": lambda: mock.patch.object(credentials, "list_tokens", side_effect=RuntimeError("a mistake")),
    "lacks uvicorn": lambda: mock.patch.object(service, "find_spec", lambda name: name != "uvicorn" or None),
}
SETTINGS = {
    "is about to stop": (settings.CLOSING, "yes"),
    "goes on": (settings.CLOSING, ""),
    "has no machine to grade": (settings.WORKERS, "0"),
    "has a machine again": (settings.WORKERS, "1"),
}
"""What the service notes of itself."""


class Service:
    """A service below a folder, with a worker that works when it is told, and a clock that stands still."""

    def __init__(self, asked: Mapping[str, Any], folder: Path, visible: Callable[[str], str]) -> None:
        """Prepare it; nothing is made before the first step. ``visible`` returns the texts of a page."""
        self._asked, self._folder, self._visible = asked, folder, visible
        self.clock, self._lane, self._stack = Clock(), Scripted(), ExitStack()
        self.clock.now = BEGUN
        self._site: Site | None = None
        self._clients: dict[str, TestClient] = {}
        self._frames: dict[str, str] = {}
        self._pages: dict[tuple[str, str], list[str]] = {}
        self._shown = {"token": "", "link": ""}
        self._logged: list[str] = []
        self._troubles = ExitStack()

    def __enter__(self) -> Service:
        ours = mock.Mock(time=self.clock)
        for module in (invitations, taken_items):
            self._stack.enter_context(mock.patch.object(module, "time", ours))
        return self

    def __exit__(self, *_: object) -> None:
        self._troubles.close()
        self._stack.close()

    def play(self, step: str) -> str:
        """Play a step; return it with what the visitor sees, and what is logged."""
        found = STEP.fullmatch(step)
        assert found, f"expected a step, got {step}"
        try:
            site, said = self._start(), ""
        except GraderError as error:
            return f"> {step}\n[ended] {error}\n"
        who, what, times = found["who"], found["what"], int(found["times"] or 1)
        if who == "clock":
            number, unit = what.split()
            self.clock.now += float(number) * _SECONDS[unit]
        elif who == "worker":
            said = self._work(site, what)
        elif who == "service":
            self._happen(what)
        elif who == "mail":
            said = self._mails(site)
        else:
            self.clock.now += 1.0
            for _ in range(times):
                answer = self._ask(who, what)
            said = self._told(who, answer)
        logged, self._logged[:] = "".join(f"[logged] {line}\n" for line in self._logged), []
        return f"> {step}\n{self._without_secrets(said)}{logged}"

    # --- what there is

    def _start(self) -> Site:
        if self._site is not None:
            return self._site
        asked, data = dict(self._asked), DataFolder(self._folder / "data")
        data.create()
        store = Store(data.database)
        self._stack.callback(store.close)
        self._plans = {id_: load_plan(path) for id_, path in find_rubrics(_paths(asked)).items()}
        rules = {id_: CourseRules(plan.rubric) for id_, plan in self._plans.items()}
        register_courses(store, rules)
        settings.put(store, settings.WORKERS, str(asked.get("workers", 1)))
        settings.put(store, settings.ADDRESS, asked.get("url", "http://localhost"))
        site = Site(
            *(data, store, rules),
            demo=asked.get("demo", False),
            lab=self._folder / asked["lab"] if "lab" in asked else None,
            url=asked.get("url", ""),
            sends_mails=asked.get("mails", False),
            clock=self.clock,
            limits=BodyLimits(**asked.get("limits", {})),
        )
        own = load_own_key(data.lti) if any(data.lti.iterdir()) else key("own")
        keys = KeySets(lambda _: self._published(), self.clock)
        self._url = site.url or "http://localhost"
        self._lti = LaunchService(store, self._url, own, tuple(rules), keys)
        routes = [*launch_routes(self._lti), *platform_routes(self._lti, PlatformClient(own))]
        self._app = create_app(site, routes)
        lanes = dict.fromkeys(rules, self._lane)
        self._dispatcher = Dispatcher(data, store, lanes, 1, clock=self.clock)
        self._note_errors()
        self._site = site
        return site

    @staticmethod
    def _published() -> PlatformAnswer:
        return PlatformAnswer(200, {}, json.dumps(key_set(key("one"))).encode())

    def _note_errors(self) -> None:
        """Keep what the service logs as an error, which nobody else hears."""
        logger, handler = logging.getLogger("grader"), logging.Handler(logging.ERROR)
        handler.emit = lambda record: self._logged.append(record.getMessage())  # type: ignore[method-assign]
        self._stack.enter_context(mock.patch.object(logger, "handlers", [handler]))
        self._stack.enter_context(mock.patch.object(logger, "propagate", False))

    # --- what happens

    def _happen(self, what: str) -> None:
        store = self._start().store
        if what == "is well again":
            self._troubles.close()
        elif what in SETTINGS:
            settings.put(store, *SETTINGS[what])
        else:
            self._troubles.enter_context(TROUBLES[what]())

    def _work(self, site: Site, what: str) -> str:
        act, _, rest = what.partition(" ")
        if act == "reads":
            reader = uploads.UploadReader(site.data, site.store, self._served())
            while attempts.list_unread(site.store):
                reader.tick(self.clock.now)
                time.sleep(0.01)
            return ""
        self._dispatcher.step(seconds=0.0)
        if not self._lane.given:
            return "nothing waits\n"
        if act == "takes":
            return ""
        for _ in range(RETRIES + 1 if act == "fails" else 1):
            self._lane.answer(MachineFault(rest) if act == "fails" else self._grade(rest))
            self._dispatcher.step(takes=False, seconds=0.0)
            if act == "fails":
                self.clock.now += 30.0
                self._dispatcher.step(seconds=0.0)
        with mock.patch.object(class_facts, "can_plot", return_value=False):  # nobody looks at them here
            for id_, course in self._served().items():
                update_class_folder(site.data, site.store, id_, course, self.clock.now)
        return ""

    def _mails(self, site: Site) -> str:
        sent: list[EmailMessage] = []
        server = mock.Mock(sender="maze-lab@x.org", send=sent.append)
        MailSender(site.store, server, site.courses, self._url, clock=self.clock).send_due()
        return "".join(
            f"To: {mail['To']}\nSubject: {mail['Subject']}\n\n{mail.get_content()}" for mail in sent
        )

    def _served(self) -> dict[str, Course]:
        return {id_: Course(plan, SANDBOX) for id_, plan in self._plans.items()}

    def _grade(self, rest: str) -> Answer:
        """Grade the job that was given, as a worker does, in a time that is the same on each machine."""
        job = self._lane.given[0]
        person = next(each for each in self._everybody() if each.folder == job.name)
        grader = JobGrader(Course(self._plans[person.course], SANDBOX), BACKENDS[SANDBOX])
        try:
            answer = grader.grade(job, None)
        finally:
            grader.close()
        seconds = float(rest.split()[1]) if rest else 20.0
        return replace(answer, seconds=seconds) if isinstance(answer, Done) else answer

    # --- what visitors ask

    def _ask(self, who: str, what: str) -> Response:
        method, *words = shlex.split(_NAME.sub(lambda found: self._known(found[1]), what))
        if method == "STALL":
            return self._browser(_stalled(self._app)).post(
                words[0], data={"name": who}, headers={"Origin": self._url}
            )
        if method == "LAUNCH":
            return self._launch(self._client(who), words)
        return self._request(self._client(who), method, *words)

    def _request(self, client: TestClient, method: str, path: str, *words: str) -> Response:
        headers = {} if method == "GET" else {"Origin": self._url, "Sec-Fetch-Site": "same-origin"}
        form, files, body = dict[str, str](), list[tuple[str, tuple[str, bytes]]](), b""
        for word in _repeated(words):
            if word[0] == "<":
                body = (self._folder / word[1:]).read_bytes()
                continue
            name, sign, value = re.split("([=:])", word, maxsplit=1)
            if sign == ":":
                headers[name] = value.strip()
            elif value.startswith("@"):
                files.append((name, (Path(value[1:]).name, (self._folder / value[1:]).read_bytes())))
            else:
                form[name] = value
        if method == "GET":
            return client.get(path, headers=headers)
        if body:
            return client.post(path, content=body, headers=headers)
        form = {"csrf": self._word(client)} | form
        return client.post(path, data=form, files=files or None, headers=headers)

    def _client(self, who: str) -> TestClient:
        return self._clients.setdefault(who, self._browser(self._app))

    def _browser(self, app: ASGIApp) -> TestClient:
        url = self._url
        return TestClient(app, base_url=url, follow_redirects=False, raise_server_exceptions=False)

    @staticmethod
    def _word(client: TestClient) -> str:
        """Return the word that the forms of a visitor's pages send."""
        pages = (client.get(path).text for path in ("/staff/audit", "/"))
        return next((found[1] for page in pages if (found := _WORD.search(page))), "")

    def _launch(self, client: TestClient, words: list[str]) -> Response:
        """Come from the platform by a token whose claims are changed, or in another way that is asked for."""
        changes = {name: yaml.safe_load(value) for name, _, value in (word.partition("=") for word in words)}
        hints = {"iss": ISSUER, "login_hint": "ada", "window": "own"}
        asked = client.get(f"/lti/login?{urlencode(hints)}")
        if asked.status_code != 303:
            return asked
        told = dict(parse_qsl(urlsplit(asked.headers["location"]).query))
        form = {name: changes.pop(name) for name in ("id_token", "error") if name in changes}
        header = {"kid": changes.pop("kid")} if "kid" in changes else {}
        signer = named(key("evil"), "one") if changes.pop("forged", False) else key("one")
        if changes.pop("elsewhere", False):
            client.cookies.clear()
        late = changes.pop("later", 0.0)
        signed = token(self._claims(told["nonce"], changes), by=signer, **header)
        self.clock.now += late
        return client.post("/lti/launch", data={"state": told["state"], "id_token": signed} | form)

    def _claims(self, nonce: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the platform claims; times that are changed count from now."""
        now = int(self.clock.now)
        times = {name: now + value for name, value in changes.items() if isinstance(value, int)}
        said: dict[str, Any] = {"iat": now, "exp": now + 300, f"{LTI}target_link_uri": self._lti.launch_url}
        names = {
            "endpoint": ENDPOINT,
            "deep_linking_settings": DEEP_LINKING,
            **{name: f"{LTI}{name}" for name in _OF_LTI},
        }
        changed = {names.get(name, name): value for name, value in {**changes, **times}.items()}
        return claims(**{"nonce": nonce, **said, **changed})

    # --- what they see

    def _told(self, who: str, answer: Response) -> str:
        status, kind = str(answer.status_code), answer.headers.get("content-type", "")
        if "location" in answer.headers:
            place = urlsplit(answer.headers["location"])
            return f"{status} to {place._replace(query='').geturl()}\n"
        if kind.startswith("text/html"):
            return self._page(who, status, answer.text)
        if kind == "application/zip":
            return f"{status}\n" + "".join(
                f"{name}\n" for name in sorted(zipfile.ZipFile(BytesIO(answer.content)).namelist())
            )
        return f"{status} {kind.partition(';')[0]}\n{answer.text.replace(chr(13), '').rstrip()}\n"

    def _page(self, who: str, status: str, page: str) -> str:
        """Return what stands on a page; what is around it only where that is new to the visitor."""
        self._shown |= {
            name: found[-1]
            for name, found in (
                ("token", re.findall(r"MAZE_TOKEN=([\w-]+)", page)),
                ("link", re.findall(r"/invite/([\w-]{43})", page)),
            )
            if found
        }
        title, main = _TITLE.search(page), _MAIN.search(page)
        if title is None or main is None:
            return f"{status}\n{self._visible(page)}"
        frame = self._visible(_MAIN.sub("[the page]", _TITLE.sub("", page)))
        before, self._frames[who] = self._frames.get(who), frame
        around = [] if frame == before else [f"[around it] {' | '.join(frame.splitlines())}"]
        lines = self._without_secrets(self._visible(main[0])).splitlines()
        seen = self._pages.get((who, title[1]))
        self._pages[who, title[1]] = lines
        shown = lines if seen is None else _changes(seen, lines)
        return "\n".join([f"{status} {unescape(title[1])}", *around, *shown, ""])

    def _without_secrets(self, said: str) -> str:
        names, store = {person.id: person.name for person in self._everybody()}, self._start().store
        for course in courses.load_titles(store):
            for each in attempts.list_for_course(store, course):
                said = said.replace(each.id, f"{{{names[each.person]} {each.number}}}")
        return _SECRET.sub("SECRET", said)

    def _everybody(self) -> Iterator[people.Person]:
        store = self._start().store
        for course in courses.load_titles(store):
            yield from people.list_for_course(store, course)

    def _known(self, name: str) -> str:
        """Return what a name in braces stands for."""
        if re.fullmatch(r"x\d+", name):
            return "x" * int(name[1:])
        if name == "link":
            return self._shown[name] or _invited(self._folder)
        if name in self._shown:
            return self._shown[name]
        name, _, number = name.partition(" ")
        person = next(each for each in self._everybody() if each.name == name)
        known = attempts.list_for_person(self._start().store, person.id)
        return known[-int(number)].id if number else known[0].id


def _changes(before: list[str], after: list[str]) -> list[str]:
    """Return what has changed on a page."""
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    return ["[as before, but]", *changed] if changed else ["[as before]"]


def _repeated(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a step, those that begin as ``60*`` so many times."""
    for word in words:
        number, sign, rest = word.partition("*")
        yield from [rest] * int(number) if sign and number.isdecimal() else [word]


def _stalled(app: ASGIApp) -> ASGIApp:
    """Return the application as it is for who promises a body, and sends none."""

    async def never() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def without_body(scope: Scope, _: Receive, send: Send) -> None:
        await app(scope, never, send)

    return without_body


def _paths(asked: Mapping[str, Any]) -> list[Path]:
    return [Path(each) for each in asked.get("courses", ("one.yaml",))]


def _invited(folder: Path) -> str:
    """Return the token of the first link that grader serve invite made."""
    links = (folder / "links.csv").read_text(encoding="utf-8")
    return str(re.findall(r"/invite/([\w-]{43})", links)[0])
