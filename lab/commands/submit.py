"""``maze submit``: hand in to the course's service, and show the result.

The address and the token are asked for once, and kept in a file that only its owner can read. The token is
sent to that address only, by https or to this machine; redirects are not followed.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from lab.commands import pack
from lab.commands.errors import CommandError, cannot_write
from lab.user_folders import user_folder

_SECONDS: Final = 60.0
"""How long the service may take to answer."""
_PAUSE_SECONDS: Final = 1.0
_FAILURES: Final = 10
"""How often in a row the service may fail to report progress."""
_MOST_BYTES: Final = 1024 * 1024
_ON_ITS_WAY: Final = ("waiting", "running")
_HERE: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Service:
    """The service to hand in to, and the user's token."""

    url: str
    token: str

    def call(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        """Send a request to the service and return its answer. Raises CommandError."""
        request = urllib.request.Request(  # noqa: S310 - the address was checked
            f"{self.url}{path}",
            data=body,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/zip"},
        )
        try:
            with _OPENER.open(request, timeout=_SECONDS) as answer:
                return _data(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise CommandError(_refused(error, hands_in=body is not None)) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            advice = "" if body is None else "; try again, or use the page"
            raise CommandError(f"{self.url} cannot be reached: {reason}{advice}") from None


def submit(given: argparse.Namespace, *, pause: Callable[[float], None] = time.sleep) -> None:
    """Hand in, wait, and print the result, with the first cause of each exercise that lost points.

    Raises CommandError.
    """
    content, warnings = pack.build_zip(given.dir, named_by="maze submit DIR")
    service = _service(given.to)
    for warning in warnings:
        print(f"Warning: {warning}")
    attempt = service.call("/api/submit", content)
    print(f"Handed in as attempt {attempt['number']}: {attempt['page']}", flush=True)
    try:
        _store(service)
    except CommandError as error:
        print(f"Warning: {error}", flush=True)
    told = ""
    while not given.no_wait and attempt["state"] in _ON_ITS_WAY:
        told = _tell(attempt, told)
        pause(_PAUSE_SECONDS)
        attempt = _poll(service, attempt, pause)
    _tell(attempt, told)
    for cause in attempt.get("causes", ()):
        print(f"  {cause}")
    if "score" in attempt:
        print(f"{attempt['score']:g} of {attempt['max_score']:g} points: {attempt['page']}")


def _poll(service: Service, attempt: Mapping[str, Any], pause: Callable[[float], None]) -> dict[str, Any]:
    """Return the attempt's current state, or the last known one while the service does not answer."""
    path = f"/api/attempts/{urllib.parse.quote(attempt['attempt'], safe='')}"
    for _ in range(_FAILURES):
        try:
            return service.call(path)
        except CommandError as error:
            failed = error
            pause(_PAUSE_SECONDS)
    raise CommandError(f"it is handed in, and its result will stand at {attempt['page']}; now {failed}")


def _tell(attempt: Mapping[str, Any], before: str) -> str:
    """Print the state of the attempt if it has changed; return it."""
    if attempt["told"] != before:
        print(attempt["told"], flush=True)
    return str(attempt["told"])


def _service(given: str | None) -> Service:
    """Return the service named now, or else that of the last time."""
    known = _read_stored()
    url = (given or known.get("url", "")).rstrip("/")
    if not url:
        raise CommandError("where to? name the service of your course once: maze submit --to https://...")
    parts = urllib.parse.urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _HERE):
        raise CommandError(f"expected an address that begins with https://, got {url}")
    token = os.environ.get("MAZE_TOKEN") or (known.get("token", "") if known.get("url") == url else "")
    return Service(url, token or _ask_user(url))


def _ask_user(url: str) -> str:
    print(f"Make a token on your page at {url}, and paste it here; it is not shown.")
    try:
        token = getpass.getpass("Token: ").strip()
    except EOFError:
        token = ""
    if not token or not token.isascii() or not token.isprintable():
        raise CommandError("expected a token: your page makes one")
    return token


def _file() -> Path:
    base = user_folder("XDG_CONFIG_HOME", ".config")
    if base is None:
        raise CommandError(
            "the token is not kept, since you have no home here: name a folder by XDG_CONFIG_HOME"
        )
    return base / "maze" / "submit.json"


def _read_stored() -> dict[str, str]:
    """Return the texts that were stored the last time."""
    try:
        found = json.loads(_file().read_bytes())
    except (OSError, ValueError, CommandError):
        return {}
    texts = found.items() if isinstance(found, dict) else ()
    return {str(key): value for key, value in texts if isinstance(value, str)}


def _store(service: Service) -> None:
    """Store a token that was accepted, readable by its owner only."""
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(json.dumps({"url": service.url, "token": service.token}), encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: the token is for one address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Refuse the redirect."""


_OPENER: Final = urllib.request.build_opener(_NoRedirects)


def _data(answer: IO[bytes]) -> dict[str, Any]:
    """Parse the service's answer. Raises ValueError if it is invalid."""
    found = json.loads(answer.read(_MOST_BYTES))
    if not isinstance(found, dict) or not {"attempt", "number", "state", "page", "told"} <= found.keys():
        raise ValueError("what answers there is no service of this lab")
    return found


def _refused(error: urllib.error.HTTPError, *, hands_in: bool) -> str:
    """Return the service's own error message, or one for the status."""
    try:
        found = json.loads(error.read(_MOST_BYTES))
        told = found["error"]
    except (OSError, ValueError, KeyError, TypeError):
        told = f"the service answered {error.code} {error.reason}"
    if error.code == 401:
        return f"{told}; then: maze submit --to URL"
    return f"not handed in: {told}" if hands_in else told
