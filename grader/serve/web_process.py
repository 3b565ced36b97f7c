"""The web process, as the dispatcher sees it: started first, and restarted if it dies.

The dispatcher owns the socket: so it is known at once if the port is taken, and no visitor is refused while
the web process is restarted.
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


class WebProcess:
    """Starts, watches and ends the web process."""

    def __init__(self, config: Mapping[str, object], listening: socket.socket) -> None:
        """Start the process; ``config`` is the configuration for ``grader.serve.web.server``."""
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
        command = [sys.executable, "-m", "grader.serve.web.server", json.dumps(config)]
        return subprocess.Popen(command, pass_fds=[number], start_new_session=True)  # noqa: S603 - of ours


@contextmanager
def running_web_process(
    options: ServeOptions, rubrics: Mapping[str, Path | None], listening: socket.socket
) -> Iterator[WebProcess]:
    """Run the web process for the duration of the context."""
    courses = {id_: str(path.resolve()) if path else None for id_, path in rubrics.items()}
    data = str(options.data.resolve())
    config = {"demo": options.demo, "url": options.url, "host": options.host, "proxies": options.proxies}
    config["lab"] = str(options.lab.resolve()) if options.lab else None
    process = WebProcess({"data": data, "courses": courses, **config}, listening)
    try:
        yield process
    finally:
        process.close()
