"""Runs the service: its options, its parts in order, and the web process.

The web process is started first, and restarted if it dies. The dispatcher owns the socket: so it is known at
once if the port is taken, and no visitor is refused while the web process is restarted.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_network
from os import cpu_count
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from grader.api import (
    Course,
    CourseRules,
    ReleaseFolder,
    StopRequests,
    Workers,
    check_course,
    choose_sandbox,
    counted_stop_requests,
    load_course,
    most_seconds_now,
    open_cluster,
    start_workers,
)
from grader.disk import hold
from grader.errors import DiskError, InputError
from grader.serve import uploads
from grader.serve.data_folder import DEFAULT, DataFolder, keep_course
from grader.serve.dispatcher import ClassFolderUpdater, Dispatcher
from grader.serve.mail import read_server
from grader.serve.store import courses, credentials, queue, regrades, settings, tries
from grader.serve.store.database import Store

HOST: Final = "127.0.0.1"
"""The service listens on this machine only if no other address is given."""
PORT: Final = 8080
"""The service listens on port 8080 if no other port is given."""
SHIPPED_ID: Final = "mazes"
"""The course with the shipped rubric has this id."""
LAB_CONFIG: Final = "config.json"
"""The file that tells the lab in a browser which course it is for, and where to hand in."""
_RUBRIC_FILE: Final = "rubric.yaml"
_COURSE_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
PORTS: Final = {"http": 80, "https": 443}
"""The schemes of a public URL, with the port of each if it names none."""
_EXPECTED: Final = (
    "expected an address such as https://mazes.example.edu or https://example.edu/mazes (--url)"
)
_PATH: Final = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
OWN_PATHS: Final = frozenset(
    {
        *("api", "attempts", "feedback", "handout", "healthz", "invite", "kit", "lab", "lti", "metrics"),
        *("sign-in", "sign-out", "staff", "static", "submit", "token"),
    }
)
"""The URLs of the service begin with these names, so the path of ``--url`` must not begin with one."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The configuration of a service."""

    courses: tuple[Path, ...] = ()
    """Folders with a rubric.yaml, or rubrics; the shipped rubric is served if there are none."""
    data: Path = DEFAULT
    host: str = HOST
    port: int = PORT
    url: str = ""
    """The public URL behind a proxy; it may have a path, as in https://host/grader."""
    proxies: tuple[str, ...] = ()
    """The IP addresses or networks of proxies whose forwarding headers are trusted."""
    jobs: int | None = None
    sandbox: str = "auto"
    cluster: str | None = None
    language: str | None = None
    mail: str = ""
    """The mail server that takes links to people, as in smtp://user@host:587; its password is elsewhere."""
    sender: str = ""
    mail_password: Path | None = None
    """A file with the password of the mail server; without it, the password is in the environment."""
    demo: bool = False
    lab: Path | None = None
    """The folder ``browser`` that ``grader release`` wrote, shown at /lab."""
    releases: tuple[str, ...] = ()
    """The folders that ``grader release`` wrote, each behind the id of its course, as in inf100=kits/inf100;
    where there is one course, without it."""

    def __post_init__(self) -> None:
        """Normalise the URL. Raises InputError for an invalid URL or proxy, or for another folder."""
        object.__setattr__(self, "url", public_url(self.url) if self.url else "")
        if self.lab is not None and not (self.lab / LAB_CONFIG).is_file():
            raise InputError("expected the folder browser/ of a grader release (--lab)", path=self.lab)
        if self.lab is not None and self.releases:
            raise InputError("expected --release without --lab: each release has the lab of its course")
        if self.mail_server:
            read_server(**self.mail_server)
        for proxy in self.proxies:
            try:
                ip_network(proxy)
            except ValueError as error:
                raise InputError(
                    f"expected the number of a proxy, such as 127.0.0.1 (--proxy): {error}"
                ) from None

    @property
    def mail_server(self) -> dict[str, str]:
        """Return what ``read_server`` takes, without the password itself; nothing without a mail server."""
        file = str(self.mail_password.resolve()) if self.mail_password else ""
        return {"url": self.mail, "sender": self.sender, "password": file} if self.mail else {}

    @property
    def address(self) -> str:
        """Return the URL for people to type into a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.url or f"http://{host}:{self.port}"


def public_url(text: str) -> str:
    """Return a public URL in the form in which browsers write it: in lower case, without the default port and
    without a slash at the end. Raises InputError."""
    try:
        parts = urlsplit(text.strip())
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError as error:
        raise InputError(f"{_EXPECTED}, got {text!r}: {error}") from None
    path = parts.path.rstrip("/")
    if parts.scheme not in PORTS or not host or " " in host:
        raise InputError(f"{_EXPECTED}, got {text!r}")
    if parts.username is not None or parts.query or parts.fragment or not _PATH.fullmatch(path):
        raise InputError(f"{_EXPECTED}, with nothing else but letters and digits behind it, got {text!r}")
    if path.split("/")[1:2] and path.split("/")[1] in OWN_PATHS:
        raise InputError(
            f"expected a path of --url that is none of the service's own ({path}): take another one"
        )
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{'' if port in (None, PORTS[parts.scheme]) else f':{port}'}{path}"


def find_rubrics(courses: Sequence[Path]) -> dict[str, Path | None]:
    """Return the paths of the rubrics by course id; None stands for the shipped rubric. Raises InputError."""
    if not courses:
        return {SHIPPED_ID: None}
    found: dict[str, Path | None] = {}
    for given in courses:
        path = given / _RUBRIC_FILE if given.is_dir() else given
        name = path.resolve().parent.name if path.name == _RUBRIC_FILE else path.stem
        if not path.is_file():
            raise InputError(f"expected a rubric, or a folder with a {_RUBRIC_FILE}", path=given)
        if not _COURSE_ID.fullmatch(name):
            raise InputError(
                f"expected a name of letters, digits, points, dashes and underscores, got {name!r}: "
                "it becomes the id of the course",
                path=given,
            )
        if name in found:
            raise InputError(f"two courses are called {name}: rename a folder", path=given)
        found[name] = path
    return found


def find_releases(given: Sequence[str], served: Collection[str]) -> dict[str, ReleaseFolder]:
    """Return the releases by the ids of these courses. Raises InputError."""
    found: dict[str, ReleaseFolder] = {}
    for text in given:
        id_, is_named, folder = text.partition("=")
        if not is_named and len(served) == 1:
            id_, folder = *served, text
        if id_ not in served or id_ in found:
            expected = f"one COURSE=DIR for each of {', '.join(sorted(served))}"
            raise InputError(f"expected {expected} (--release), got {text!r}")
        found[id_] = ReleaseFolder(Path(folder).resolve())
        found[id_].check()
    return found


_BIND_SECONDS: Final = 5.0
"""Binding the port is retried for 5 seconds, since a service that was just killed may still hold it."""
_AGAIN_SECONDS: Final = 1.0
"""A dead web process is restarted at most once a second."""
_END_SECONDS: Final = 15.0
"""The web process gets 15 seconds to end before it is killed."""
_BACKLOG: Final = 512
"""At most 512 connections wait to be accepted."""
_PACKAGES: Final = ("joserfc", "python_multipart", "starlette", "uvicorn")
"""The web process imports these packages of the extra [serve]."""


def check_installed() -> None:
    """Raise InputError if a package is missing that the web process needs."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise InputError(
            f"grader serve needs {', '.join(missing)}: install the extra [serve], such as by "
            "pip install 'maze-grader[serve]'"
        )


def bind_port(options: ServeOptions) -> socket.socket:
    """Bind the port. Raises InputError if that fails."""
    end = time.monotonic() + _BIND_SECONDS
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    while True:
        try:
            return socket.create_server((options.host, options.port), family=family, backlog=_BACKLOG)
        except (OSError, OverflowError) as error:
            if time.monotonic() >= end or options.port == 0:
                raise InputError(
                    f"cannot listen at {options.host} port {options.port}: {error}; "
                    "name another with --host and --port"
                ) from None
            time.sleep(_AGAIN_SECONDS / 10)


class WebProcess:
    """Starts, watches and ends the web process."""

    def __init__(self, config: Mapping[str, object], listening: socket.socket) -> None:
        """Start the process; ``config`` is the configuration for ``grader.serve.web.app``."""
        self._config, self._listening = config, listening
        self._process = self._start()
        self._looked = time.monotonic()

    def tick(self) -> None:
        """Restart the process if it has died, at most once a second."""
        if self._process.poll() is None or time.monotonic() < self._looked + _AGAIN_SECONDS:
            return
        print("grader: the web process ended and is restarted", file=sys.stderr, flush=True)
        self._process, self._looked = self._start(), time.monotonic()

    def close(self) -> None:
        """Ask the process to end, and kill it if it does not."""
        self._process.terminate()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process in a session of its own, so that Ctrl-C reaches only the dispatcher."""
        number = self._listening.fileno()
        config = {**self._config, "fd": number, "parent": os.getpid()}
        command = [sys.executable, "-m", "grader.serve.web.app", json.dumps(config)]
        return subprocess.Popen(command, pass_fds=[number], start_new_session=True)  # noqa: S603 - of ours


def start_web_process(
    options: ServeOptions, rubrics: Mapping[str, Path | None], listening: socket.socket
) -> WebProcess:
    """Start the web process with these options."""
    courses = {id_: str(path.resolve()) if path else None for id_, path in rubrics.items()}
    data = str(options.data.resolve())
    config = {"demo": options.demo, "url": options.url, "host": options.host, "proxies": options.proxies}
    config["mail"] = options.mail_server
    config["lab"] = str(options.lab.resolve()) if options.lab else None
    releases = find_releases(options.releases, rubrics)
    config["releases"] = {id_: str(release.path) for id_, release in releases.items()}
    return WebProcess({"data": data, "courses": courses, **config}, listening)


NO_PROXY: Final = "No proxy is set (--proxy 127.0.0.1): all visitors behind a proxy count as one address"
END_SECONDS: Final = 60.0
"""Running jobs get 60 seconds to finish when the service stops; then they wait for the next start."""
_SWEEP_SECONDS: Final = 600.0
"""Orphaned files and expired sign-ins are deleted every 600 seconds."""
_SWEEP_AGE_SECONDS: Final = 3600.0
"""Uploads younger than 3600 seconds are not swept, since they may be about to enter the queue."""
_BEAT_SECONDS: Final = 10.0
"""The dispatcher gives a sign of life every 10 seconds."""
_DISK_FULL_PAUSE_SECONDS: Final = 1.0
"""While the disk is full, the service tries again every second."""
_MOST_CLUSTER_JOBS: Final = 1000
"""At most 1000 jobs are given to a cluster at once."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a running service."""

    options: ServeOptions
    data: DataFolder
    store: Store
    served: Mapping[str, Course]
    web: WebProcess
    stop: StopRequests


def serve(options: ServeOptions) -> int:
    """Run until SIGTERM or Ctrl-C; return the exit status. Raises GraderError if it cannot start."""
    check_installed()
    data, wanted = DataFolder(options.data), find_rubrics(options.courses)
    with ExitStack() as stack:
        find_releases(options.releases, wanted)
        data.create()
        stack.enter_context(hold(data.folder))
        stop, store = stack.enter_context(counted_stop_requests()), Store(data.database, migrates=True)
        stack.callback(store.close)
        settings.put(store, settings.CLOSING, "")
        settings.put(store, settings.BEAT, repr(time.time()))
        listening = stack.enter_context(bind_port(options))
        options = replace(options, port=listening.getsockname()[1])
        settings.put(store, settings.ADDRESS, options.address)
        if options.cluster:
            cluster, told = stack.enter_context(open_cluster(options.cluster, data.certificate))
            options = replace(options, cluster=cluster)
            print(told, end="\n" * bool(told), flush=True)
        is_alone = _count_jobs(options) == 1 and not options.cluster
        sandbox, reason = choose_sandbox(options.sandbox, alone=is_alone)
        print(reason, flush=True)
        load = partial(load_course, sandbox=sandbox, language=options.language)
        served = {id_: load(path) for id_, path in wanted.items()}
        register_courses(store, {id_: course.rules for id_, course in served.items()})
        for id_, course in served.items():
            settings.put(store, settings.STAMP + id_, course.stamp())
            regrades.requeue_outdated(store, id_, course.stamp())
            if lacking := keep_course(data, id_, course):
                print(lacking, flush=True)
        web = stack.enter_context(closing(start_web_process(options, wanted, listening)))
        _run(_Parts(options, data, store, served, web, stop))
    return 0


def register_courses(store: Store, served: Mapping[str, CourseRules]) -> None:
    """Store the courses, with the time from which their marks may be sent, and what a job takes at most."""
    settings.put(store, settings.PURSE, f"{max(rules.most_seconds for rules in served.values()):g}")
    for id_, rules in served.items():
        courses.put(store, id_, rules.title, marks_from=rules.hidden_shown_from())


def _run(parts: _Parts) -> None:
    """Check the reference solutions, then grade attempts until the service is asked to stop."""
    for course in parts.served.values():
        check_course(course, partial(print, flush=True))
    parts.stop.has_begun = True
    jobs, cluster = _count_jobs(parts.options), parts.options.cluster
    lanes = {id_: start_workers(course, jobs, cluster=cluster) for id_, course in parts.served.items()}
    most = _MOST_CLUSTER_JOBS if cluster else jobs
    dispatcher = Dispatcher(parts.data, parts.store, lanes, most)
    for id_, lane in lanes.items():
        lane.on_step = partial(dispatcher.record_exercise, id_)
    updater = ClassFolderUpdater(parts.data, parts.store, parts.served)
    reader = uploads.UploadReader(parts.data, parts.store, parts.served)
    print(_greeting(parts), flush=True)
    try:
        _grade_until_stopped(parts, lanes, dispatcher, updater, reader)
        settings.put(parts.store, settings.CLOSING, "yes")
        told = "stopping after the attempts that are being graded; press Ctrl-C again to stop at once"
        print(told, flush=True)
        end, asked = time.monotonic() + END_SECONDS, parts.stop.asked
        while not dispatcher.is_idle and time.monotonic() < end and parts.stop.asked == asked:
            dispatcher.step(takes=False)
    finally:
        reader.close()
        for lane in lanes.values():
            lane.close()
        dispatcher.release()
        updater.close()
    print(_farewell(parts.store), flush=True)


def _grade_until_stopped(
    parts: _Parts,
    lanes: Mapping[str, Workers],
    dispatcher: Dispatcher,
    updater: ClassFolderUpdater,
    reader: uploads.UploadReader,
) -> None:
    """Grade attempts until the service is asked to stop; wait while the disk is full."""
    swept = beat = float("-inf")
    trouble, stored = "", (-1, 0.0)
    while not parts.stop.asked:
        try:
            if time.monotonic() > beat + _BEAT_SECONDS:
                beat = time.monotonic()
                settings.put(parts.store, settings.BEAT, repr(time.time()))
            at_once = max(lane.at_once for lane in lanes.values())
            now_there = (at_once, most_seconds_now(parts.served.values()))
            if stored != now_there:
                settings.put(parts.store, settings.WORKERS, str(now_there[0]))
                settings.put(parts.store, settings.PURSE, f"{now_there[1]:g}")
                stored = now_there
            dispatcher.step()
            reader.tick(time.time())
            updater.tick()
            parts.web.tick()
            if time.monotonic() > swept + _SWEEP_SECONDS:
                swept, now = time.monotonic(), time.time()
                uploads.sweep_orphans(parts.data, parts.store, older_than=now - _SWEEP_AGE_SECONDS)
                credentials.sweep_ended(parts.store, now)
                tries.sweep_old(parts.store, now)
            trouble = ""
        except DiskError as error:
            if trouble != str(error):
                trouble = str(error)
                told = f"grader: {trouble} (the service continues when there is room)"
                print(told, file=sys.stderr, flush=True)
            time.sleep(_DISK_FULL_PAUSE_SECONDS)


def _count_jobs(options: ServeOptions) -> int:
    return options.jobs or cpu_count() or 1


def _greeting(parts: _Parts) -> str:
    lines = [f"{id_}: {course.rules.title}" for id_, course in parts.served.items()]
    waiting = queue.count_by_state(parts.store)["waiting"]
    if waiting:
        lines.append(f"{_count_in_words(waiting)} from the last run: these are graded first")
    if parts.options.demo:
        lines.append("Demonstration mode: anybody can sign in under any name")
    if parts.options.url.startswith("https://") and not parts.options.proxies:
        lines.append(NO_PROXY)
    lines.append(f"Hand in at {parts.options.address}")
    without_staff = () if parts.options.demo else parts.served
    links = credentials.first_links(parts.store, without_staff, parts.options.address, time.time())
    return "\n".join([*lines, *(f"The first teacher signs in, once: {link}" for link in links)])


def _farewell(store: Store) -> str:
    waiting = queue.count_by_state(store)["waiting"]
    later = f"{_count_in_words(waiting)}: graded when the service starts again"
    return later if waiting else "no attempts are waiting"


def _count_in_words(count: int) -> str:
    return f"{count} attempt{'s' * (count != 1)} waiting"
