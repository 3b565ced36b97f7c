"""The parent's side of a round: which calls a child makes, and what is answered for the others."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from . import child, fresh_start
from .budgets import ENDLESS, Budget, Pace
from .child_listener import ChildListener
from .child_process import fork
from .files import Codes
from .job import ChildJob, Message
from .maze_reading import read_ahead
from .process_tree import end_tree
from .scratch import Scratch
from .wire import encode

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
    ) -> None:
        self.send, self.ask, self.folder = send, ask, folder
        self.own_namespace, self.scratch = own_namespace, scratch
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
        listener = _one_child(state, {**message, "calls": calls}, to_make, pace)
        left = left[len(listener.outcomes) :]
        for outcome in listener.outcomes:
            pace = pace.after(outcome)
        if message["until_endless"] and ENDLESS in listener.outcomes[-1:]:
            break
        if listener.unloaded is not None:
            for call in left:
                state.send(_reply(message["id"], call, listener.unloaded))
            left = []
    state.send(encode({"type": "done", "round": message["id"]}))


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
        process = fork(lambda replies, answers: fresh_start.start(state.folder, replies, answers), mark, most)
        process.hand_over(fresh_start.written(job))
    else:
        process = fork(lambda replies, answers: child.run(job, replies, answers), mark, most)
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
