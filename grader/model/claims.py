"""What is asked of a submission, and what came back: a claim, which is believed by nobody yet.

Every kind of value is as grader/inside/PROTOCOL.md has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar, Final, Literal, TypeVar

from grader.model.data import Data, Json
from grader.model.reports import Remark
from lab.exercises import FILES
from lab.leftovers import Leftover
from lab.maze import Position
from lab.steps import Event
from lab.watch import STREAMS

Outcome = Literal[
    "returned",
    "raised",
    "died",
    "endless",
    "timeout",
    "out-of-memory",
    "output-limit",
    "violation",
    "missing",
    "not-asked",
]
"""How a call ended. ``raised`` and ``died`` (the process ended) make a check ``crashed``; ``not-asked`` is
one that was never made, since the calls before it had used up the time of its exercise."""

Positions = tuple[Position, ...]

# --- what a call of the student's code gave, by its real type ---------------------------------------


@dataclass(frozen=True, slots=True)
class NoneValue:
    """None."""

    kind: ClassVar[str] = "none"


@dataclass(frozen=True, slots=True)
class BoolValue:
    """True or False."""

    kind: ClassVar[str] = "bool"
    value: bool


@dataclass(frozen=True, slots=True)
class IntValue:
    """A whole number."""

    kind: ClassVar[str] = "int"
    value: int


@dataclass(frozen=True, slots=True)
class VectorValue:
    """A pair of whole numbers."""

    kind: ClassVar[str] = "vector"
    value: Position


@dataclass(frozen=True, slots=True)
class VectorsValue:
    """Pairs of whole numbers."""

    kind: ClassVar[str] = "vectors"
    value: Positions
    container: str = "list"
    """The class of what holds them."""

    @property
    def counts_as_list(self) -> bool:
        """Whether it is a list of moves, or as good as one."""
        return self.container in ("list", "tuple", "deque")


@dataclass(frozen=True, slots=True)
class MazeValue:
    """A maze, as text that is still to be read."""

    kind: ClassVar[str] = "maze"
    text: str


@dataclass(frozen=True, slots=True)
class OddElement:
    """The first element of a container that is no vector."""

    index: int
    type_name: str
    text: str


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Anything else, described."""

    kind: ClassVar[str] = "other"
    type_name: str
    text: str
    element: OddElement | None = None


Value = NoneValue | BoolValue | IntValue | VectorValue | VectorsValue | MazeValue | OtherValue

NONE = NoneValue()
_TRUE, _FALSE = BoolValue(True), BoolValue(False)


def truth_value(value: bool) -> BoolValue:
    """Return a shared value for a truth value: there are thousands, of only two kinds."""
    return _TRUE if value else _FALSE


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception."""

    kind: str
    """Its class."""
    is_lookup: bool
    """It is a LookupError."""


# --- what came of a call, by its kind ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Revisits:
    """Which cells a solver came to more than once before it was cut off."""

    cell: Position
    """The one that it came to most often."""
    times: int
    first: Position
    """The one that it came to again before all others."""
    walk: Positions
    """Where it came first, repeats included."""


@dataclass(frozen=True, slots=True)
class SolveRun:
    """What was seen of a solver in one maze."""

    returned: Value | None
    """None where the run was cut off; never in a call that returned."""
    taken: Positions
    asked: Positions
    probed: Positions
    tested: Positions
    used_search: bool
    late_looks: int
    """How often the solver looked where the exit is after it had asked about the last cell."""
    changed: str | None
    """The maze afterwards, where it is not what it was."""
    pending: int | None = None
    """How many cells were pending in a search that was cut off, where that is known."""
    revisits: Revisits | None = None
    """Where a search that was cut off came by again."""

    @property
    def streams(self) -> dict[str, Positions]:
        """The observations that hold anything, by name, the most telling first."""
        named = zip(STREAMS, (self.taken, self.asked, self.probed, self.tested), strict=True)
        return {name: positions for name, positions in named if positions}


@dataclass(frozen=True, slots=True)
class SolveRuns:
    """A run for each maze, as far as they came."""

    runs: tuple[SolveRun, ...]


@dataclass(frozen=True, slots=True)
class ScriptSteps:
    """What each step gave, as far as they came."""

    steps: tuple[Value | Raised, ...]


@dataclass(frozen=True, slots=True)
class PerfectionAnswer:
    """What a perfection checker said of a maze."""

    returned: Value
    changed: str | None
    """The maze afterwards, where it is not what it was."""


@dataclass(frozen=True, slots=True)
class GeneratedMazes:
    """What a generator made, as far as it came."""

    returned: tuple[Value, ...]
    opened: tuple[tuple[Position, Position], ...] = ()
    """The cells on both sides of the walls that it opened first, of mazes of 25 cells."""


@dataclass(frozen=True, slots=True)
class FunctionAnswer:
    """What a function, or a method, returned."""

    returned: Data
    changed: str | None
    """A maze that it was given, where that is not what it was."""
    used_search: bool


ClaimValue = SolveRuns | ScriptSteps | PerfectionAnswer | GeneratedMazes | FunctionAnswer

# --- claims -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a traceback, in a file of the submission."""

    file: str
    line: int
    function: str
    code: str


NOT_RUN: Final = "not run"
"""The kind of the fault of a call that was never made, for what had happened before it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call gave no value: the exception, cut to the student's files, or how it was ended."""

    kind: str
    """The exception's class, or "exit status 3", "signal 9"."""
    message: str
    trace: tuple[Frame, ...] = ()
    stage: Literal["import", "construct", "call"] = "call"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a call did until it went beyond its budget."""

    what: Literal["turns", "questions", "waits"]
    """``waits``: nothing was used up, but so many of its threads wait for what nobody can bring."""
    count: int
    size: int
    """The number of cells of its mazes, or of the steps of its script."""


@dataclass(frozen=True, slots=True)
class CallsBefore:
    """The calls of an exercise that used up its time."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran in a call, as far as the process of the submission says."""

    functions: tuple[tuple[str, int, str], ...] = ()
    """Functions of its files: the file, the line at which one begins, and its name."""
    chose: bool = False
    """Whether one of them called ``random.choices``."""
    unseen: tuple[str, ...] = ()
    """The names of code that stands in no file."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the sandbox said about one call; checked for its shape, not for its truth."""

    call: str
    outcome: Outcome
    value: ClaimValue | None = None
    """Of the call's kind: whole where it returned, else as much as is known."""
    fault: Fault | None = None
    output: str = ""
    """What the student's code printed during the call, capped."""
    cpu_seconds: float = 0.0
    spent: Spent | None = None
    """Of a call that was endless, where that is known."""
    meaning: int | None = field(default=None, compare=False, repr=False)
    """A number that claims of the same arguments and the same bytes share in this process; few have none."""
    lines: frozenset[int] = frozenset()
    """The lines of the target's file that were run, of a call that was traced."""
    before: CallsBefore | None = None
    """Of a call that was not asked: those that were."""
    left: tuple[Leftover, ...] = field(default=(), compare=False)
    """What the call passed over, as far as no call before it in the same process told of it."""
    events: tuple[Event, ...] = field(default=(), compare=False)
    """What happened step by step, of a call that was recorded."""
    ran: Ran | None = field(default=None, compare=False)
    """What ran, of a call that was asked it and came back."""

    def of_call(self, call: str) -> Claim:
        """Return the same claim on a call of that name; ``dataclasses.replace`` takes five times as long."""
        told = (self.outcome, self.value, self.fault, self.output, self.cpu_seconds)
        return Claim(
            call, *told, self.spent, self.meaning, self.lines, self.before, self.left, self.events, self.ran
        )

    @property
    def was_made(self) -> bool:
        """Whether the call was made, rather than left out for what had happened before."""
        return self.fault is None or self.fault.kind != NOT_RUN

    @property
    def came_back(self) -> bool:
        """Whether the call came to an end by itself, if only by an exception."""
        return self.outcome not in ("endless", "timeout", "out-of-memory", "died", "not-asked")

    @property
    def runs(self) -> tuple[SolveRun, ...]:
        """The runs of a solver."""
        return self.value.runs if isinstance(self.value, SolveRuns) else ()

    @property
    def steps(self) -> tuple[Value | Raised, ...]:
        """The steps of a script."""
        return self.value.steps if isinstance(self.value, ScriptSteps) else ()

    @property
    def answer(self) -> PerfectionAnswer | None:
        """What a perfection checker said; None where the call came to no end."""
        returned = self.outcome == "returned"
        return self.value if returned and isinstance(self.value, PerfectionAnswer) else None

    @property
    def data(self) -> FunctionAnswer | None:
        """What a function returned; None where the call came to no end."""
        returned = self.outcome == "returned"
        return self.value if returned and isinstance(self.value, FunctionAnswer) else None

    @property
    def made(self) -> tuple[Value, ...]:
        """What a generator made."""
        return self.value.returned if isinstance(self.value, GeneratedMazes) else ()


def alike_in(claims: Mapping[str, Claim]) -> Claim | None:
    """Return one of the claims, if all are about the same exception, raised in the same line."""
    first = next(iter(claims.values()), None)
    raised = _raised(first) if first is not None else None
    return first if raised and all(_raised(claim) == raised for claim in claims.values()) else None


def _raised(claim: Claim) -> tuple[object, ...] | None:
    """Return the exception that a call raised, and where; None where it ended otherwise."""
    fault = claim.fault
    if claim.outcome != "raised" or fault is None or not fault.trace:
        return None
    return fault.stage, fault.kind, fault.trace[-1]


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
