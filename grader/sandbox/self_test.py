"""Test a back end: open a box, say hello to its runner, and wait for the answer."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Final

from grader.errors import SandboxError
from grader.inside.wire import PROTOCOL, decode, encode
from grader.model import Limits
from grader.sandbox.base import Backend, Box, Probe, Protection

HELLO_SECONDS: Final = 20.0
"""How long a runner may take to answer, far more than it needs; a slower machine cannot grade."""
_MAX_ANSWER_BYTES: Final = 65536
"""The most bytes of an answer that are read."""


def hello(box: Box, limits: Limits, *, seconds: float = HELLO_SECONDS) -> str:
    """Say hello to the runner in a box and return its description. Raises SandboxError."""
    deadline = time.monotonic() + seconds
    message = {"type": "hello", "protocol": PROTOCOL, "limits": asdict(limits)}
    answer = b""
    try:
        box.write(encode(message), deadline=deadline)
        while not answer.endswith(b"\n"):
            data = box.read(deadline=deadline)
            if not data or len(answer) > _MAX_ANSWER_BYTES:
                break
            answer += data
        return str(decode(answer, cap=_MAX_ANSWER_BYTES)["runner"])
    except BrokenPipeError:
        raise SandboxError(f"the runner ended before it listened{_last_words(box)}") from None
    except (ValueError, KeyError, TypeError):
        got = repr(answer[:200].decode("utf-8", "replace")) if answer else "nothing"
        raise SandboxError(f"expected the runner's hello, got {got}{_last_words(box)}") from None


def probe_by_hello(backend: Backend, protections: tuple[Protection, ...], *, advice: str = "") -> Probe:
    """Open a box, say hello to its runner, and return the outcome."""
    limits = Limits()
    try:
        box = backend.open(limits)
        try:
            runner = hello(box, limits)
        finally:
            box.close()
    except SandboxError as error:
        return Probe(backend.name, False, str(error), advice)
    return Probe(backend.name, True, f"a box with {runner} answered", "", protections)


def _last_words(box: Box) -> str:
    complaint = getattr(box, "complaint", str)()
    return f"; it said: {' '.join(complaint.split())[-500:]}" if complaint else ""
