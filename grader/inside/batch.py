"""The parent's side of a batch: which calls a child makes, and what is answered for the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from . import child
from .child_listener import ChildListener, Message
from .child_process import fork
from .process_tree import empty, end_tree
from .time_budget import COSTLY, PRESSED, TimeBudget
from .wire import encode


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
    budget = TimeBudget(float(box.limits["call_wall_seconds"]), message["hurry"])
    left: list[Message] = message["calls"]
    while left:
        calls = left[:1] if message["isolate"] else left
        listener = _one_child(box, {**message, "calls": calls}, budget)
        left = left[len(listener.outcomes) :]
        if any(outcome in COSTLY for outcome in listener.outcomes):
            budget = budget._replace(hurry=PRESSED)
        if listener.unloaded is not None:
            for call in left:
                box.send(_reply(message["id"], call, listener.unloaded))
            left = []
    box.send(encode({"type": "done", "batch": message["id"]}))


def _reply(batch: int, call: Message, told: Message) -> bytes:
    """An answer that the runner gives by itself."""
    head = {"type": "reply", "batch": batch, "id": call["id"], "output": "", "cpu_seconds": 0.0}
    return encode({**head, **told})


def _one_child(box: Box, message: Message, budget: TimeBudget) -> ChildListener:
    """Run one child on the calls of the message, to its end and that of all that it started."""
    mark = b"\0" + os.urandom(8).hex().encode() + b"\0"
    job = child.Job(
        box.files, box.folder, box.limits, message["id"], message["target"], message["calls"], budget, mark
    )
    process = fork(lambda descriptor: child.run(job, descriptor), mark)
    listener = ChildListener(process, box.send, job)
    try:
        listener.listen()
    finally:
        end_tree(process.pid, own_namespace=box.own_namespace)
    listener.conclude()
    process.close()
    for folder in box.scratch:
        empty(folder)
    return listener
