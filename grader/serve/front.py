"""The web process, as the dispatcher sees it: started before all others, and started again where it dies.

The socket is the dispatcher's: so a port that is taken is told at once, and nobody is turned away while the
web process is replaced.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.serve.options import ServeOptions

_BIND_SECONDS: Final = 5.0
"""How long a port may still be held by a service that was killed a moment ago."""
_AGAIN_SECONDS: Final = 1.0
_END_SECONDS: Final = 15.0
_BACKLOG: Final = 512
_NEEDED: Final = ("joserfc", "python_multipart", "starlette", "uvicorn")


def check_installed() -> None:
    """Raise InputError where the web process could not begin."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"grader serve needs {', '.join(missing)}: install the extra [serve], such as by "
            "pip install 'maze-grader[serve]'"
        )


def listen(options: ServeOptions) -> socket.socket:
    """Take the port. Raises InputError where that cannot be had."""
    end = time.monotonic() + _BIND_SECONDS
    while True:
        try:
            return socket.create_server(
                (options.host, options.port), family=_family(options), backlog=_BACKLOG
            )
        except (OSError, OverflowError) as error:
            if time.monotonic() >= end or options.port == 0:
                raise InputError(
                    f"cannot listen at {options.host} port {options.port}: {error}; "
                    "name another with --host and --port"
                ) from None
            time.sleep(_AGAIN_SECONDS / 10)


def _family(options: ServeOptions) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in options.host else socket.AF_INET


class Front:
    """The process, and how it is started."""

    def __init__(self, told: Mapping[str, object], listening: socket.socket) -> None:
        """``told`` is what grader.serve.web needs to know."""
        self._told, self._listening = told, listening
        self._process = self._start()
        self._looked = time.monotonic()

    def tick(self) -> None:
        """Start it again where it has died, though not more often than once a second."""
        if self._process.poll() is None or time.monotonic() < self._looked + _AGAIN_SECONDS:
            return
        print("grader: the web process ended, and is started again", file=sys.stderr, flush=True)
        self._process, self._looked = self._start(), time.monotonic()

    def close(self) -> None:
        """End it gently, and then for sure."""
        self._process.terminate()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        """In a session of its own: Ctrl-C is for the dispatcher, which ends it in order."""
        number = self._listening.fileno()
        told = {**self._told, "fd": number, "parent": os.getpid()}
        command = [sys.executable, "-m", "grader.serve.web", json.dumps(told)]
        return subprocess.Popen(command, pass_fds=[number], start_new_session=True)  # noqa: S603 - of ours


@contextmanager
def running(
    options: ServeOptions, rubrics: Mapping[str, Path | None], listening: socket.socket
) -> Iterator[Front]:
    """The web process, for as long as it is needed."""
    courses = {id_: str(path.resolve()) if path else None for id_, path in rubrics.items()}
    data = str(options.data.resolve())
    told = {"demo": options.demo, "url": options.url, "host": options.host, "proxies": options.proxies}
    front = Front({"data": data, "courses": courses, **told}, listening)
    try:
        yield front
    finally:
        front.close()
