"""The options of ``grader serve``, and the courses that they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from grader.errors import InputError
from grader.serve.data_folder import DEFAULT

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
        "api",
        "attempts",
        "feedback",
        "invite",
        "lab",
        "lti",
        "sign-in",
        "sign-out",
        "staff",
        "static",
        "submit",
        "token",
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
    demo: bool = False
    lab: Path | None = None
    """The folder ``browser`` that ``grader release`` wrote, shown at /lab."""

    def __post_init__(self) -> None:
        """Normalise the URL. Raises InputError for an invalid URL or proxy, or for another folder."""
        object.__setattr__(self, "url", public_url(self.url) if self.url else "")
        if self.lab is not None and not (self.lab / LAB_CONFIG).is_file():
            raise InputError("expected the folder browser/ of a grader release (--lab)", path=self.lab)
        for proxy in self.proxies:
            try:
                ip_network(proxy)
            except ValueError as error:
                raise InputError(
                    f"expected the number of a proxy, such as 127.0.0.1 (--proxy): {error}"
                ) from None

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
