"""The runner in the box: reads messages, answers them, and never runs a line of the submission.

    python -c "import sys; sys.path.insert(0, BOX); from inside.runner import main; main()" [options]

--own-pid-namespace   every process that can be signalled is the submission's: end them with kill(-1)
--scratch=FOLDER      empty this folder between the children; may be given more than once
"""

from __future__ import annotations

import fcntl
import gc
import os
import resource
import sys
from binascii import a2b_base64
from importlib import import_module
from typing import Any, Final, NoReturn

import lab.leftovers
import lab.watch  # noqa: F401 - loaded once here, so that no child has to

from .compile_ahead import compiled_ahead
from .files import look_into_folders
from .process_tree import prepare_self
from .round import RunnerState, run_round
from .scratch import Scratch
from .wire import PROTOCOL, encode, read_trusted

_MAX_LINE_BYTES: Final = 256 * 1024 * 1024
_CHUNK_BYTES: Final = 1024 * 1024
_PRIVATE: Final = 10
"""The protocol's descriptors lie from here on."""
_OFTEN_USED: Final = (
    *("bisect", "collections", "copy", "dataclasses", "enum", "functools", "heapq", "itertools"),
    *("math", "operator", "pdb", "queue", "random", "string", "typing"),
)
"""Harmless modules that are loaded ahead, where the submission names them: a fork then has them."""


def main() -> None:
    """Serve one grader until it is gone."""
    gc.disable()  # a message is tens of thousands of lists, and nothing in here refers to itself
    arguments = sys.argv[1:]
    source, sink = _private_streams()
    own_namespace = "--own-pid-namespace" in arguments
    prepare_self(adopt_orphans=not own_namespace)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lines = _Lines(source)

    def ask(line: bytes) -> bytes:
        """Send a question, and wait for its answer."""
        _write(sink, line)
        return (lines.next() or b"") + b"\n"

    state = RunnerState(
        send=lambda line: _write(sink, line),
        ask=ask,
        folder=sys.path[0],
        own_namespace=own_namespace,
        scratch=tuple(Scratch(a.partition("=")[2]) for a in arguments if a.startswith("--scratch=")),
    )
    while (line := lines.next()) is not None:
        message = read_trusted(line)
        if message["type"] == "bye":
            break
        if message["type"] not in _HANDLERS:
            _refuse(f"expected one of {', '.join((*_HANDLERS, 'bye'))}, got a message {message['type']!r}")
        _HANDLERS[message["type"]](state, message)
    os._exit(0)


def _hello(state: RunnerState, message: dict[str, Any]) -> None:
    if message["protocol"] != PROTOCOL:
        _refuse(f"expected protocol {PROTOCOL}, got {message['protocol']}: use one version on both sides")
    state.limits = message["limits"]
    version = ".".join(map(str, sys.version_info[:3]))
    state.send(encode({"type": "hello", "protocol": PROTOCOL, "runner": f"python {version}"}))


def _load(state: RunnerState, message: dict[str, Any]) -> None:
    state.files = {path: a2b_base64(content) for path, content in message["files"].items()}
    state.charged = message.get("leftovers") == "charged"
    for name in _OFTEN_USED:
        if any(name.encode() in content for content in state.files.values()):
            import_module(name)
    look_into_folders()
    state.send(encode({"type": "loaded", "files": len(state.files)}))
    state.codes = compiled_ahead(state.files)
    gc.freeze()  # what the children share with the runner is not looked at again in each of them


_HANDLERS: Final = {"hello": _hello, "load": _load, "round": run_round}


def _refuse(message: str) -> NoReturn:
    sys.stderr.write(f"runner: {message}\n")
    sys.stderr.flush()
    os._exit(2)


def _private_streams() -> tuple[int, int]:
    """Move the protocol away from descriptors 0 and 1; what is left there leads nowhere."""
    source = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _PRIVATE)
    sink = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _PRIVATE)
    ended, end = os.pipe()
    os.close(end)
    os.dup2(ended, 0)
    os.close(ended)
    os.dup2(2, 1)
    return source, sink


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class _Lines:
    """The lines of a descriptor, each read whole before it is looked at."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()

    def next(self) -> bytes | None:
        """Return the next line; None at the end."""
        looked_at = 0
        while (end := self._buffer.find(b"\n", looked_at)) < 0:
            looked_at = len(self._buffer)
            data = os.read(self._descriptor, _CHUNK_BYTES)
            if not data or looked_at > _MAX_LINE_BYTES:
                return None
            self._buffer += data
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line
