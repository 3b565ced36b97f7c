"""What sessions are tried with: replies as a box writes them, and a run of a few calls."""

from __future__ import annotations

from typing import Any

from grader.model import Call, Claim, Limits, Submission
from grader.session.connection import encode
from grader.session.session import Session
from tests.grader.session.popen_box import CHECKER, question

SUBMISSION = Submission("ada", {CHECKER.file: b"\xff\x00", "x/y.py": b""})
YES: dict[str, Any] = {
    "outcome": "returned",
    "value": {"returned": {"type": "bool", "value": True}, "changed": None},
}
LIMITS = Limits(reply_bytes=10_000, output_bytes=100)


BUDGET = {
    "turns": 208_320,
    "tired_turns": 52_000,
    "questions": 13_200,
    "depth": 5_040,
    "cpu_seconds": 5.0,
    "wall_seconds": 15.0,
}
"""What a call about four cells gets."""


def reply(name: str = "c1", round_id: int = 1, **told: Any) -> bytes:
    return encode({"type": "reply", "round": round_id, "id": name, **told})


def done(round_id: int = 1) -> bytes:
    return encode({"type": "done", "round": round_id})


def run(backend: Any, *calls: Call, limits: Limits = LIMITS, **options: Any) -> tuple[Claim, ...]:
    with Session(backend, limits, SUBMISSION, stretch=lambda: 1.0) as session:
        return session.run(CHECKER, calls or (question("c1"),), **options)
