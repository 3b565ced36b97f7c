"""What a check is: cases, and a judge for their claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from grader.exercises.kit.cases.fixed_mazes import Stated
from grader.exercises.kit.facts import Facts
from grader.exercises.kit.findings import Finding
from grader.languages import Message, Text, said
from grader.model import Call, Claim, Target
from lab.exercises import BY_ID, Kind

Claims = Mapping[str, Claim]
"""The claims by the id of the call."""


@dataclass(frozen=True)
class Case:
    """One call, and what the trusted side knows of it."""

    call: Call
    label: Message
    """Where it happens, for people: "the maze “A”", "a maze of 2 x 3"."""
    given: object
    """What the judge starts from: the facts of a maze, or what else the exercise has."""
    maze: str | None = None
    code: str = ""
    """The call as a student would write it."""
    hidden: bool = False
    """The case is a hidden maze: no word of it gets out."""
    wave: int = 0
    """Calls that take long (1), longer (2), or longest (3), are made after all others, and where those of
    the check were right only."""
    stated: tuple[Stated, ...] = ()
    """What an instructor states of a solver on this maze, and the check is to judge."""

    @property
    def facts(self) -> Facts:
        """The facts of the maze, of a case that is about one. Raises TypeError for any other."""
        if not isinstance(self.given, Facts):
            raise TypeError(f"expected a case with a maze, got {self.call.id}")
        return self.given


@dataclass(frozen=True, slots=True)
class Wrong:
    """A case on which the submission is wrong, and how."""

    case: Case
    finding: Finding

    def told(self) -> dict[str, Text]:
        """Return where it went wrong, how, and what was expected, as values of a sentence."""
        expected = self.finding.expected["text"]
        words = expected if isinstance(expected, Message) else str(expected)
        return {"label": self.case.label, "finding": self.finding.message, "expected": words}


Judge = Callable[[Sequence[Case], Claims], "Wrong | None"]


@dataclass(frozen=True)
class Ladder:
    """Where smaller cases come from, to show a mistake on."""

    rungs: Callable[[], Iterable[Case]]
    """The small cases of the check's kind, the smallest first."""
    simpler: Callable[[Wrong], Iterable[Case]]
    """The cases that one which went wrong can be made into in a step, the smallest first."""
    size: Callable[[Case], float]
    telling: float = 0
    """Smaller cases than this say little of a mistake: they are shown where no other case has it."""

    def cut(self, count: int) -> Ladder:
        """Return the first rungs only, with nothing made smaller."""
        return replace(self, rungs=lambda: islice(self.rungs(), count), simpler=lambda _: ())


@dataclass(frozen=True)
class Check:
    """A promise of the lab, and how it is tested."""

    id: str
    title: str
    cases: tuple[Case, ...]
    judge: Judge
    """Says which case is wrong first. It is also asked about a part of the cases; the claims may hold
    those of others, which tell how the submission works."""
    control: Judge | None = None
    """Refuses what was right by chance, as from a solver that always says None, or for no work at all:
    a solver that never solves a maze never harms one."""
    controls: tuple[Case, ...] = ()
    """What the control looks at."""
    ladder: Ladder | None = None
    """Where to look for a small case to show a mistake on."""
    control_ladder: Ladder | None = None
    """The same for what the control found, which then can be asked about a single case."""
    alone: bool = True
    """A case that went wrong is tried again in a process of its own, so that what one call leaves
    behind does not count against the next; the checks about just that do without."""
    twins: Callable[[Case], Sequence[Case]] | None = None
    """The check is about what calls leave behind: a case is wrong where it went wrong after others, and
    its twins, which have none before them, are right in processes of their own. A case that is its own
    twin is one call; any other one is a series, which holds what comes before."""
    brief: tuple[Case, ...] = ()
    """Cases that stand for the check's own where those would take too long: each question on its way."""


@dataclass(frozen=True)
class PlannedExercise:
    """One exercise of a course: what to call, and the checks in the rubric's order."""

    id: str
    title: str
    target: Target
    checks: tuple[Check, ...]

    def __post_init__(self) -> None:
        """Raise ValueError where two calls go by one name: only one of them would be made."""
        calls: dict[str, Call] = {}
        for check in self.checks:
            for case in (*check.cases, *check.controls, *check.brief):
                if calls.setdefault(case.call.id, case.call) != case.call:
                    raise ValueError(f"expected one call of the name {case.call.id!r}, got two that differ")

    @property
    def kind(self) -> Kind:
        """What is asked for."""
        return BY_ID[self.id].kind


def each(judge: Callable[[Case, Claim], Finding | None]) -> Judge:
    """Return a judge that looks at the cases one by one, and stops at the first that is wrong.

    A claim that means the same as one found right before, of the same call, is not judged again.
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
    """Return a judge that looks at all the claims at once."""

    def all_at_once(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        finding = judge(cases[0], [claims[case.call.id] for case in cases])
        return None if finding is None else Wrong(cases[0], finding)

    return all_at_once


def after_others(judge: Judge) -> Judge:
    """Return a judge that says of a wrong case that it went wrong only after others: alone, none shows
    that."""

    def first(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        wrong = judge(cases, claims)
        if wrong is None:
            return None
        message, hint = said("after_others", finding=wrong.finding.message), said("left_behind")
        extra = {**wrong.finding.extra, "reproduce": None}  # alone it is right
        return replace(wrong, finding=replace(wrong.finding, message=message, hint=hint, extra=extra))

    return first
