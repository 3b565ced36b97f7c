"""What a check is: cases, a judge for their claims, and what is told of a case that went wrong.

The kind of case on which a hidden check failed: a word from a short list, and nothing about the maze
itself.

Code that has seen hidden mazes may choose which of them it gets wrong, and so which word is shown: less than
four bits per check (docs/security.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple

from grader.exercises.kit.facts import Facts
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.small_mazes import Stated, simpler, small_mazes
from grader.languages import Message, Text, said
from grader.model import Call, Claim, Json, Target, Telling
from lab import Dimension
from lab.exercises import BY_ID, Kind
from lab.recorded import Told
from lab.render.marks import Marked

Claims = Mapping[str, Claim]
"""Claims by call id."""


@dataclass(frozen=True)
class Case:
    """One call, and what the trusted side knows about it."""

    call: Call
    label: Message
    """Where it happens, for people: "the maze “A”", "a maze of 2 x 3"."""
    given: object
    """What the judge starts from: the facts of a maze, or the exercise's own data."""
    maze: str | None = None
    code: str = ""
    """The call as a student would write it."""
    hidden: bool = False
    """Whether the maze is hidden: nothing about it may be revealed."""
    wave: int = 0
    """Slow calls (1), slower ones (2) and the slowest (3) are made after all others, and only if those of the
    check were right."""
    stated: tuple[Stated, ...] = ()
    """An instructor's statements about a solver on this maze, for the check to judge."""
    marked: tuple[Marked, ...] = ()
    """The arguments that are drawn into the maze."""
    mazes: tuple[tuple[str, str], ...] = ()
    """Where there are several, those beside ``maze``: each by its name, and as text."""

    @property
    def pictured(self) -> dict[str, Telling]:
        """What is drawn of it beside the maze, as counterexamples tell it."""
        told: dict[str, Telling] = {"marked": [each.plain for each in self.marked]} if self.marked else {}
        return told | ({"mazes": dict(self.mazes)} if self.mazes else {})

    @property
    def facts(self) -> Facts:
        """The facts of the maze. Raises TypeError if the case is not about one."""
        if not isinstance(self.given, Facts):
            raise TypeError(f"expected a case with a maze, got {self.call.id}")
        return self.given


@dataclass(frozen=True, slots=True)
class Wrong:
    """A case that the submission gets wrong, and how."""

    case: Case
    finding: Finding

    def told(self) -> dict[str, Text]:
        """Return where and how it went wrong, and what was expected, as values of a sentence."""
        expected = self.finding.expected["text"]
        words = expected if isinstance(expected, Message) else str(expected)
        return {"label": self.case.label, "finding": self.finding.message, "expected": words}

    @property
    def undone(self) -> Wrong:
        """The same, found by a control: marked as work left undone."""
        return replace(self, finding=replace(self.finding, undone=True))


class Twin(NamedTuple):
    """A case that differs from a wrong one in one thing."""

    case: Case
    told: Told
    """In what."""
    also: tuple[Case, ...] = ()
    """Cases that have to be right as well, so that it is not right by chance."""


Judge = Callable[[Sequence[Case], Claims], "Wrong | None"]


@dataclass(frozen=True)
class Ladder:
    """Where to find smaller cases to show a mistake on."""

    rungs: Callable[[], Iterable[Case]]
    """The small cases of the check's kind, the smallest first."""
    simpler: Callable[[Wrong], Iterable[Case]]
    """Return the cases one step smaller than a failed one, the smallest first."""
    size: Callable[[Case], float]
    telling: float = 0
    """Cases smaller than this say little about a mistake: they are shown only if no other case has it."""

    def cut(self, count: int) -> Ladder:
        """Return only the first rungs, with nothing made smaller."""
        return replace(self, rungs=lambda: islice(self.rungs(), count), simpler=lambda _: ())


@dataclass(frozen=True)
class Check:
    """A promise of the lab, and how it is tested."""

    id: str
    title: str
    cases: tuple[Case, ...]
    judge: Judge
    """Finds the first wrong case. It may be given only some of the cases; the claims may include those of
    others, which show how the submission works."""
    control: Judge | None = None
    """Refuses what was right by chance, such as a solver that always returns None, or without any work: a
    solver that never solves a maze never changes one either."""
    controls: tuple[Case, ...] = ()
    """The cases of the control."""
    ladder: Ladder | None = None
    """Where to find a small case to show a mistake on."""
    control_ladder: Ladder | None = None
    """The same for the control, which must then work on a single case."""
    alone: bool = True
    """Whether a failed case is tried again in a process of its own, so that what one call leaves behind does
    not count against the next; False for the checks about just that."""
    twins: Callable[[Case], Sequence[Case]] | None = None
    """For checks about what calls leave behind: a case is wrong if it failed after others, and its twins,
    which follow no other call, are right in processes of their own. A case that is its own twin is one call;
    any other one is a series, which contains what comes before."""
    note: Callable[[Claims], Message | None] | None = None
    """What staff are told of work that passes the check, and is for a person to look at."""
    ends_elsewhere: Callable[[Case], bool] = lambda _: False
    """Whether another check is about calls on such a case coming back at all: one that does not is charged to
    that one, and this one gives the part of its points that the others are of its cases."""
    by_person: bool = False
    """Whether a person marks it: then it has no cases."""
    shows: tuple[str, ...] = ()
    """The literals that a person marks; all of them without."""
    rare: frozenset[str] = frozenset()
    """The calls on which that answer is wrong which is right in most cases: they weigh as all others."""

    @property
    def looks_one_by_one(self) -> bool:
        """Whether each case of the check is right or wrong by itself."""
        return self.alone and self.twins is None


@dataclass(frozen=True)
class PlannedExercise:
    """One exercise of a course: what to call, and the checks in the rubric's order."""

    id: str
    title: str
    target: Target
    checks: tuple[Check, ...]

    def __post_init__(self) -> None:
        """Raise ValueError if two calls share an id: only one of them would be made."""
        calls: dict[str, Call] = {}
        for check in self.checks:
            for case in (*check.cases, *check.controls):
                if calls.setdefault(case.call.id, case.call) != case.call:
                    raise ValueError(f"expected one call of the name {case.call.id!r}, got two that differ")

    @property
    def kind(self) -> Kind:
        """The exercise's kind."""
        return BY_ID[self.id].kind


def each(judge: Callable[[Case, Claim], Finding | None]) -> Judge:
    """Return a judge that examines cases one by one, and stops at the first wrong one.

    A claim that means the same as the one just found right, for the same call, is not judged again.
    """
    right: set[tuple[str, int]] = set()

    def first(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        for case in cases:
            claim = claims[case.call.id]
            key = None if claim.meaning is None else (case.call.id, claim.meaning)
            if key in right:
                continue
            finding = judge(case, claim)
            if finding is not None:
                return Wrong(case, finding)
            if key is not None:
                right.add(key)
        return None

    return first


def together(judge: Callable[[Case, Sequence[Claim]], Finding | None]) -> Judge:
    """Return a judge that examines all claims at once."""

    def all_at_once(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        finding = judge(cases[0], [claims[case.call.id] for case in cases])
        return None if finding is None else Wrong(cases[0], finding)

    return all_at_once


def after_others(judge: Judge) -> Judge:
    """Return a judge that says of a wrong case that it fails only after others, never alone."""

    def first(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        wrong = judge(cases, claims)
        if wrong is None:
            return None
        message = said("after_others", finding=wrong.finding.message)
        extra = {**wrong.finding.extra, "reproduce": None}  # it is right when called alone
        return replace(wrong, finding=replace(wrong.finding, message=message, extra=extra))

    return first


def sample(cases: Sequence[Case], count: int) -> Sequence[Case]:
    """Return at most ``count`` of the cases, spread evenly from the first to the last."""
    if len(cases) <= count:
        return cases
    if count == 1:
        return cases[:1]
    return [cases[number * (len(cases) - 1) // (count - 1)] for number in range(count)]


LARGE: Final = 24 * 24
"""From this many cells on, a maze or a dimension is called large."""
LONG: Final = 100
"""From this many cells on, a single row or column is called a long dimension."""

_FORMS: Final = ("narrow", "room", "cycles", "no_cycle", "no_way")
KINDS: Final = (
    *(f"{size}{form}" for size in ("", "large_") for form in _FORMS),
    *("no_exit", "islands", "cycle_and_islands", "long_dimension", "large_dimension"),
)
"""All words that may be said."""


def of_a_way(case: Case) -> str:
    """Return what a solver meets: no way, a room, cycles, or no cycles."""
    if not isinstance(case.given, Facts):
        return ""
    facts = case.given
    if facts.maze.exit is None:
        return "no_exit"
    return _size(facts) + ("no_way" if facts.length is None else _form(facts))


def of_a_graph(case: Case) -> str:
    """Return what makes a maze perfect, or not."""
    if not isinstance(case.given, Facts):
        return ""
    facts = case.given
    if not facts.islands:
        return _size(facts) + _form(facts)
    return "cycle_and_islands" if facts.cycle else "islands"


def of_a_dimension(dimension: Dimension) -> str:
    """Return what is special about a dimension; usually nothing."""
    if _is_narrow(dimension):
        return "long_dimension" if dimension.position_count >= LONG else ""
    return "large_dimension" if dimension.position_count >= LARGE else ""


def _form(facts: Facts) -> str:
    if _is_narrow(facts.dimension):
        return "narrow"
    rows, columns = facts.dimension.row_count, facts.dimension.column_count
    if facts.passage_count == rows * (columns - 1) + columns * (rows - 1):
        return "room"
    return "cycles" if facts.cycle else "no_cycle"


def _size(facts: Facts) -> str:
    return "large_" if facts.dimension.position_count >= LARGE else ""


def _is_narrow(dimension: Dimension) -> bool:
    return 1 in (dimension.row_count, dimension.column_count)


def maze_ladder(kind: str, case: Callable[[str], Case], *, telling: int = 0) -> Ladder:
    """Return a ladder of small mazes of a kind, and mazes made smaller; size is the number of cells."""
    return Ladder(
        rungs=lambda: map(case, small_mazes(kind)),
        simpler=lambda wrong: map(case, simpler(wrong.case.facts.text, kind)),
        size=lambda case: case.facts.dimension.position_count,
        telling=telling,
    )


def case_ladder(cases: Sequence[Case], size: Callable[[Case], float]) -> Ladder:
    """Return a ladder of small cases, the smallest first; nothing is made smaller."""
    return Ladder(rungs=lambda: cases, simpler=lambda _: (), size=size)


def file_of(check: str) -> str:
    """Return the file name for saving the maze of a check, unique on a page."""
    return f"{check.replace('.', '-')}.txt"


def module_of(target: Target) -> str:
    """Return the module name under which Python imports an exercise's file."""
    return target.file.removesuffix(".py").replace("/", ".")


def one_by_one(mazes: Sequence[str], code: str, call: str, *, file: str) -> Json:
    """Return several mazes in one file, and a command that makes the call with each in turn."""
    made = call.format("Maze.from_text(m)")
    code = (
        f"from lab import Maze; {code}[print({made}) for m in open('{file}').read().strip().split('\\n\\n')]"
    )
    return {"file": file, "content": "\n\n".join(mazes), "command": f'python -c "{code}"'}
