"""The parent's side of a batch: which calls a child makes, and what is answered for the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from . import child
from .child_listener import Listening, Message
from .child_process import fork
from .faults import fault
from .process_tree import empty, end_tree
from .time_budget import Patience
from .wire import COSTLY, PRESSED, SPENT, encode


class Box:
    """What stays the same for all batches."""

    # written out, since a box starts sooner without the module dataclasses
    def __init__(
        self, send: Callable[[bytes], None], folder: str, own_namespace: bool, scratch: tuple[str, ...]
    ) -> None:
        self.send, self.folder, self.own_namespace, self.scratch = send, folder, own_namespace, scratch
        self.limits: dict[str, Any] = {}
        self.files: Mapping[str, bytes] = {}


def run_batch(box: Box, message: Message) -> None:
    """Answer every call of a batch, in order, and say that it is done."""
    patience = Patience(float(box.limits["call_wall_seconds"]), message["hurry"])
    left: list[Message] = list(message["calls"])
    spent: dict[str, tuple[str, str]] = {}
    while left:
        if left[0]["group"] in spent:
            box.send(_not_run(message["id"], left.pop(0), spent))
            continue
        listening = _one_child(box, {**message, "calls": _stretch(message, left, spent)}, patience)
        for outcome in listening.outcomes:
            call = left.pop(0)
            if outcome in SPENT and call["group"]:
                spent[call["group"]] = (call["id"], outcome)
        if any(outcome in COSTLY for outcome in listening.outcomes):
            patience = patience._replace(hurry=PRESSED)
        if listening.unloaded is not None:
            for call in left:
                box.send(reply(message["id"], call, listening.unloaded))
            left.clear()
    box.send(encode({"type": "done", "batch": message["id"]}))


def reply(batch: int, call: Message, told: Message) -> bytes:
    """An answer that the runner gives by itself."""
    head = {"type": "reply", "batch": batch, "id": call["id"], "output": "", "cpu_seconds": 0.0}
    return encode({**head, **told})


def _not_run(batch: int, call: Message, spent: Mapping[str, tuple[str, str]]) -> bytes:
    first, outcome = spent[call["group"]]
    why = f"not run, since the call {first} of the same group ended so"
    return reply(batch, call, {"outcome": outcome, "fault": fault("not run", why, "call")})


def _stretch(message: Message, left: list[Message], spent: Mapping[str, object]) -> list[Message]:
    """The calls that the next child is to make."""
    if message["isolate"]:
        return left[:1]
    ends = (number for number, call in enumerate(left) if call["group"] in spent)
    return left[: next(ends, len(left))]


def _one_child(box: Box, message: Message, patience: Patience) -> Listening:
    """Run one child on the calls of the message, to its end and that of all that it started."""
    mark = b"\0" + os.urandom(8).hex().encode() + b"\0"
    job = child.Job(
        box.files, box.folder, box.limits, message["id"], message["target"], message["calls"], patience, mark
    )
    offspring = fork(lambda descriptor: child.run(job, descriptor), mark)
    listening = Listening(offspring, box.send, job)
    try:
        listening.to_the_end()
    finally:
        end_tree(offspring.pid, own_namespace=box.own_namespace)
    listening.conclude()
    offspring.close()
    for folder in box.scratch:
        empty(folder)
    return listening
