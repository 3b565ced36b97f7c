"""The runner: it imports the submission once, and answers rounds of calls.

    python -c "import sys; sys.path.insert(0, BOX); from inside.runner import main; main()" [options]

--own-pid-namespace   every process that can be signalled is the submission's: end them with kill(-1)
--scratch=FOLDER      empty this folder between the children, whose pipes are made in it where it is a mount;
                      may be given more than once
"""

from __future__ import annotations

import fcntl
import gc
import os
import resource
import sys
from binascii import a2b_base64
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

from . import child, fresh_start
from .calls import read_ahead
from .child_process import ChildListener, Pipe, fork, pipes_in
from .files import ChildJob, Codes, Message, compiled_ahead, look_into_folders
from .limits import Scratch, end_tree, prepare_self
from .ran import watch_writers
from .wire import ENDLESS, PROTOCOL, Budget, Pace, encode, read_trusted

SCRATCH_LEFT: Final = 3
"""Exit status of a runner that could not empty its scratch folder."""


class RunnerState:
    """What stays the same for all rounds."""

    # written out, since a box starts sooner without the module dataclasses
    def __init__(
        self,
        send: Callable[[bytes], None],
        ask: Callable[[bytes], bytes],
        folder: str,
        own_namespace: bool,
        scratch: tuple[Scratch, ...],
        pipe: Pipe,
    ) -> None:
        self.send, self.ask, self.folder = send, ask, folder
        self.own_namespace, self.scratch, self.pipe = own_namespace, scratch, pipe
        self.limits: dict[str, Any] = {}
        self.files: Mapping[str, bytes] = {}
        self.codes: Codes = {}
        self.charged = False
        self.processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
        """Those that the box may run on."""
        self.in_company: dict[str, list[Message]] = {}
        """The most calls that were to be made in one process, by file: a call that is alone in its own
        has them behind it as well, and so cannot be distinguished from the first of many."""


def run_round(state: RunnerState, message: Message) -> None:
    """Answer every call of a round, in order, and report that it is done.

    Stop after an endless call where the grader wants to choose again then.
    """
    _stay_on(state.processors if (processor := message.get("processor")) is None else {processor})
    pace = Pace(message["hurry"], message["tired"], message["stretch"])
    begun, (cpu_left, wall_left) = _took(), message["left"]
    left: list[Message] = message["calls"]
    budgets = [Budget(**told) for told in message["budgets"]]
    for call in left:
        call["budget"] = budgets[call["budget"]]
        read_ahead(call["arguments"])
    gc.freeze()  # what the children share is not looked at again in each of them, nor found by their code
    company = max(left, state.in_company.setdefault(message["target"]["file"], []), key=len)
    if not message["isolate"] and "versions" not in message:
        state.in_company[message["target"]["file"]] = company
    while left:
        calls, to_make = ([left[0], *company], 1) if message["isolate"] else (left, len(left))
        cpu, wall = (now - then for now, then in zip(_took(), begun, strict=True))
        pace = pace._replace(cpu_left=cpu_left - cpu, wall_left=wall_left - wall / pace.stretch)
        listener = _one_child(state, {**message, "calls": calls}, to_make, pace)
        left = left[len(listener.outcomes) :]
        for number, outcome in enumerate(listener.outcomes):
            pace = pace if number in listener.waited else pace.after(outcome)
        if message["until_endless"] and ENDLESS in listener.outcomes[-1:]:
            break
        if listener.unloaded is not None:
            for call in left:
                state.send(_reply(message["id"], call, listener.unloaded))
            left = []
    state.send(encode({"type": "done", "round": message["id"]}))


def _took() -> tuple[float, float]:
    """Return the processor seconds of all children that have ended, and the clock on the wall."""
    times = os.times()
    return times.children_user + times.children_system, times.elapsed


def _stay_on(processors: set[int]) -> None:
    """Keep the runner, and the children that it forks, on these processors, where the system can do so."""
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(0, processors)


def _reply(round_id: int, call: Message, told: Message) -> bytes:
    """Return an answer that the runner gives, not a child."""
    head = {"type": "reply", "round": round_id, "id": call["id"], "output": "", "cpu_seconds": 0.0}
    return encode({**head, **told})


def _one_child(state: RunnerState, message: Message, to_make: int, pace: Pace) -> ChildListener:
    """Run one child on the first calls of the message, until it and all that it started have ended."""
    mark = b"\0" + os.urandom(8).hex().encode() + b"\0"
    job = ChildJob(
        state.files,
        state.codes,
        state.folder,
        state.limits,
        message["id"],
        message["target"],
        message["calls"],
        to_make,
        pace,
        message["search"],
        mark,
        message.get("versions", []),
        message.get("lines", False),
        message.get("steps", []),
        state.charged,
    )
    most = state.limits["output_bytes"]
    if message["anew"]:
        process = fork(state.pipe, lambda *ends: fresh_start.start(state.folder, *ends), mark, most)
        process.hand_over(fresh_start.written(job))
    else:
        process = fork(state.pipe, lambda *ends: child.run(job, *ends), mark, most)
    listener = ChildListener(process, state.send, state.ask, job)
    try:
        listener.listen()
    finally:
        end_tree(process.pid, own_namespace=state.own_namespace)
    listener.conclude()
    process.close()
    if not all(scratch.clear() for scratch in state.scratch):
        os._exit(SCRATCH_LEFT)  # the grader starts another box
    return listener


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
    folders = [argument.partition("=")[2] for argument in arguments if argument.startswith("--scratch=")]

    def ask(line: bytes) -> bytes:
        """Send a question, and wait for its answer."""
        _write(sink, line)
        return (lines.next() or b"") + b"\n"

    state = RunnerState(
        send=lambda line: _write(sink, line),
        ask=ask,
        folder=sys.path[0],
        own_namespace=own_namespace,
        scratch=tuple(map(Scratch, folders)),
        pipe=pipes_in(folders),
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
    watch_writers()
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
