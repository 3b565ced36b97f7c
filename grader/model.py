"""The values that travel through the grader; all frozen.

Submission ─ intake        what was handed in, as file contents
Call       ─ checks        one thing to do with the submission, as plain data
Claim      ─ session       what came back: believed by nobody yet
Verdict    ─ oracle        what a judge made of it, for one check
Report     ─ engine        all verdicts of one submission, with points
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Plain = Any
"""Plain data: what JSON can say."""

Status = Literal[
    "passed",
    "failed",
    "crashed",
    "timeout",
    "out-of-memory",
    "output-limit",
    "violation",
    "missing",
    "skipped",
]
Outcome = Literal[
    "returned", "raised", "died", "timeout", "out-of-memory", "output-limit", "violation", "missing"
]
"""How a call ended. ``raised`` and ``died`` (the process ended) make a check ``crashed``."""

Visibility = Literal["public", "hidden"]


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student handed in."""

    name: str
    files: Mapping[str, bytes]
    """Contents by path from the submission's root, parts joined with "/"."""
    notes: tuple[str, ...] = ()
    """What intake left out or refused, a sentence each."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a submission may use; the unit stands in the name."""

    call_cpu_seconds: float = 5.0
    call_wall_seconds: float = 60.0
    submission_wall_seconds: float = 300.0
    memory_bytes: int = 512 * 1024 * 1024
    processes: int = 32
    output_bytes: int = 64 * 1024
    reply_bytes: int = 4 * 1024 * 1024
    disk_bytes: int = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Target:
    """A name in a file of the submission: ``Target("solvers/dfs.py", "DFS")``."""

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the student's code; ``arguments`` as grader/inside/PROTOCOL.md has them."""

    id: str
    kind: Literal["solve", "script", "is_perfect", "generate"]
    arguments: Mapping[str, Plain]
    cpu_seconds: float = 5.0
    group: str = ""
    """Calls that one check hangs on: after one of them ran into a limit, the others need no run."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a traceback, in a file of the submission."""

    file: str
    line: int
    function: str
    code: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call gave no value: the exception, cut to the student's files, or how it was ended."""

    kind: str
    """The exception's class, or "exit status 3", "signal 9"."""
    message: str
    trace: tuple[Frame, ...] = ()
    stage: Literal["import", "construct", "call"] = "call"


@dataclass(frozen=True, slots=True)
class Claim:
    """What the sandbox said about one call; checked for its shape, not for its truth."""

    call: str
    outcome: Outcome
    value: Plain = None
    fault: Fault | None = None
    output: str = ""
    """What the student's code printed during the call, capped."""
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of one check."""

    status: Status
    message: str = ""
    hint: str = ""
    misconception: str | None = None
    """The wrong model that explains what came, where exactly one does."""
    counterexample: Mapping[str, Plain] | None = None
    """A small, plain case on which the submission is wrong, as results.json shows it: "maze",
    "expected", "actual" and more for the pictures."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check with its verdict and points."""

    id: str
    title: str
    max_score: float
    visibility: Visibility
    verdict: Verdict

    @property
    def score(self) -> float:
        """All the points, or none."""
        return self.max_score if self.verdict.status == "passed" else 0.0


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """The checks of one exercise."""

    id: str
    title: str
    checks: tuple[CheckResult, ...]
    output: str = ""
    """What the student's code printed, capped."""
    gallery: tuple[Mapping[str, Plain], ...] = ()
    """For the generator: some of the mazes that it makes, with their dimension and seed."""
    zeroed: bool = False
    """A check that decides over the whole exercise failed: what passed is not counted."""

    @property
    def score(self) -> float:
        """The points that the checks gave."""
        return round(sum(check.score for check in self.checks), 2)

    @property
    def max_score(self) -> float:
        """The points that there are."""
        return round(sum(check.max_score for check in self.checks), 2)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is known about one graded submission."""

    submission: str
    sandbox: str
    title: str
    isolation: str
    """What the sandbox protects, in a sentence."""
    exercises: tuple[ExerciseResult, ...]
    notes: tuple[str, ...] = ()
    language: str = "en"
    timing: Mapping[str, float] = field(default_factory=dict)
    """Seconds by part; the only thing that may differ from run to run."""

    @property
    def score(self) -> float:
        """The points of all exercises."""
        return round(sum(exercise.score for exercise in self.exercises), 2)

    @property
    def max_score(self) -> float:
        """The points that there are in all."""
        return round(sum(exercise.max_score for exercise in self.exercises), 2)
