"""What was handed in, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, TypeVar

from grader.model.data import Json
from grader.model.reports import Remark
from lab.exercises import FILES
from lab.maze import Position


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student handed in."""

    name: str
    files: Mapping[str, bytes]
    """Contents by path from the submission's root, parts joined with "/"."""
    remarks: tuple[Remark, ...] = ()
    """What intake left out or refused, what it repaired, and what it cannot decide."""

    @property
    def holds_an_exercise(self) -> bool:
        """Whether there is anything to grade: at least one of the six files."""
        return any(file in self.files for file in FILES)


@dataclass(frozen=True, slots=True)
class Target:
    """A name in a file of the submission: ``Target("solvers/dfs.py", "DFS")``."""

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Solve:
    """One solver is made, and solves each of the mazes."""

    kind: ClassVar[Literal["solve"]] = "solve"
    mazes: tuple[str, ...]


Step = tuple[int, str, tuple[Position, ...]]
"""The number of a Search, what is called on it, and the vectors that it is given."""


@dataclass(frozen=True, slots=True)
class RunScript:
    """Searches are made, and called in turn."""

    kind: ClassVar[Literal["script"]] = "script"
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class IsPerfect:
    """A perfection checker is made, and asked about the maze, perhaps after others; what it says of
    those does not matter."""

    kind: ClassVar[Literal["is_perfect"]] = "is_perfect"
    maze: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generate:
    """A generator is made from the seed, and makes ``times`` mazes; ``noise`` seeds the global random."""

    kind: ClassVar[Literal["generate"]] = "generate"
    rows: int
    columns: int
    seed: int
    times: int = 1
    noise: int = 0


Given = tuple[str, str]
"""One argument as it is sent: "search", "factory", "rng" or "data", and the JSON of what makes it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A function is called, or a method of a new object, perhaps after calls whose answers do not matter."""

    kind: ClassVar[Literal["ask"]] = "ask"
    method: str
    """Empty for a function."""
    values: tuple[Given, ...]
    size: int
    """The number of cells of its mazes, or of the parts of its other arguments."""
    before: tuple[tuple[Given, ...], ...] = ()


Arguments = Solve | RunScript | IsPerfect | Generate | Ask
"""What is asked, by kind of call, as grader/inside/PROTOCOL.md has it."""


Asked = TypeVar("Asked", Solve, RunScript, IsPerfect, Generate, Ask)


def plain_arguments(arguments: Arguments) -> dict[str, Json]:
    """Return the arguments as they are sent."""
    return {each.name: getattr(arguments, each.name) for each in fields(arguments)}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the student's code."""

    id: str
    arguments: Arguments
    group: str = ""
    """Calls that one check depends on: after one of them ran into a limit, the others need no run."""
    anew: bool = False
    """The call is made in a program that was started once more, with another seed for its hashes."""
    version: bytes | None = None
    """Another text of the target's file, on which the call is made."""
    traced: bool = False
    """The claim is to tell which lines of the target's file were run."""
    recorded: tuple[tuple[str, int], ...] = ()
    """Files of the submission: the claim is to tell each step in them. The number is added to their lines."""

    def asked(self, kind: type[Asked]) -> Asked:
        """Return the arguments, which must be of the given kind. Raises TypeError where they are not."""
        if not isinstance(self.arguments, kind):
            raise TypeError(f"expected a call with {kind.__name__}, got {type(self.arguments).__name__}")
        return self.arguments
