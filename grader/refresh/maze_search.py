"""Search for fresh mazes that catch at least the mistakes that the old ones catch, by a bank."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Protocol

from grader.course.maze_files import MazeFile
from grader.course.plan import Plan
from grader.exercises.kit.cases.fixed_mazes import FixedMaze
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.registry import make_checks
from grader.refresh.candidates import candidates, form
from grader.release.maze_drawings import Rows
from grader.verification.bank import KnownSubmission
from grader.verification.bank_grading import Graded

# --- maze strength ----------------------------------------------------------------------------------
# Measure single mazes: which wrong submissions of a bank each catches, and which right ones it fails.


CHECK = "hidden-mazes"


class GradeBank(Protocol):
    """A function that grades submissions into a folder of a given name."""

    def __call__(self, bank: Sequence[KnownSubmission], plan: Plan, name: str, /) -> Sequence[Graded]:
        """Return the results of each submission."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What one maze catches, and what it punishes wrongly."""

    caught: frozenset[tuple[str, str]]
    """The wrong submissions that it catches, each with the wrong exercise."""
    punished: frozenset[tuple[str, str]]
    """Submissions that it fails, each with an exercise in which they are right."""

    def is_as_good_as(self, other: Strength) -> bool:
        """Return whether it catches all that the other one does, and punishes nobody."""
        return self.caught >= other.caught and not self.punished


def measure_strengths(
    mazes: Sequence[MazeFile], bank: Sequence[KnownSubmission], plan: Plan, grade: GradeBank, name: str
) -> Mapping[str, Strength]:
    """Grade the bank on all mazes; return each maze's strength by name."""
    graded = grade(bank, plan_for_mazes(plan, mazes), name)
    return {maze.name: _strength(maze.name, graded) for maze in mazes}


def _strength(maze: str, graded: Sequence[Graded]) -> Strength:
    lost = [
        (one.known, check.partition(".")[0])
        for one in graded
        for check, names in one.wrong_mazes.items()
        if maze in names
    ]
    due = {(known.name, id_) for known, id_ in lost if id_ in known.loses}
    may = {(known.name, id_) for known, id_ in lost if id_ in known.may_lose}
    return Strength(frozenset(due), frozenset((known.name, id_) for known, id_ in lost) - due - may)


def plan_for_mazes(plan: Plan, mazes: Sequence[MazeFile]) -> Plan:
    """Return the plan with only the checks of hidden mazes, on these mazes."""
    found = (_with_mazes(exercise, mazes) for exercise in plan.exercises)
    digest = hashlib.sha256(repr((plan.rubric.digest, [(maze.name, maze.text) for maze in mazes])).encode())
    rubric = replace(plan.rubric, mazes=tuple(mazes), digest=digest.hexdigest())
    return replace(plan, rubric=rubric, exercises=tuple(exercise for exercise in found if exercise.checks))


def _with_mazes(exercise: PlannedExercise, mazes: Sequence[MazeFile]) -> PlannedExercise:
    """Return the exercise with only its check of hidden mazes, if it has one."""
    fixed = [FixedMaze(maze.name, maze.text, hidden=True, exercises=maze.exercises) for maze in mazes]
    ids = [check.id for check in exercise.checks if check.id == f"{exercise.id}.{CHECK}"]
    made = make_checks(exercise.id, ids, CaseBook(1, 1, fixed))
    return replace(exercise, checks=tuple(_make_independent(check) for check in made if check.cases))


def _make_independent(check: Check) -> Check:
    """Make all cases of the check independent, so that no failure skips a later maze."""
    cases = (replace(case, call=replace(case.call, group=case.call.id)) for case in check.cases)
    return replace(check, cases=tuple(cases), control=None, controls=())


ROUNDS: Final = 4
"""The search ends after this many rounds."""
EACH: Final = 6
"""How many candidates are tried per round for each maze without a replacement."""


@dataclass(frozen=True, slots=True)
class RenewedMaze:
    """A hidden maze with its replacement, or the reason why it has none."""

    old: MazeFile
    caught: int
    """How many mistakes of the bank the old maze catches."""
    new: MazeFile | None = None
    """The fresh maze; None if the old one is kept."""
    new_caught: int = 0
    reason: str = ""
    """Why the old maze is kept."""


def renew_mazes(
    plan: Plan, bank: Sequence[KnownSubmission], grade: GradeBank, seed: int, seen: Iterable[Rows] = ()
) -> list[RenewedMaze]:
    """Search for a fresh maze to replace each hidden one; return one result for each, in file order.

    ``seen`` are the forms of mazes that students have seen, which do not count as fresh.
    """
    hidden = [maze for maze in plan.rubric.mazes if maze.visibility == "hidden"]
    wrong = [each for each in bank if each.loses]
    before = measure_strengths(hidden, wrong, plan, grade, "old")
    search = _FreshSearch(
        plan, bank, grade, seed, before, {*seen, *(form(maze.text) for maze in plan.rubric.mazes)}
    )
    for number in range(1, ROUNDS + 1):
        search.go_on([maze for maze in hidden if not why_kept(maze, plan)], number)
    return [_conclude(maze, before[maze.name], search.found.get(maze.name), plan) for maze in hidden]


@dataclass
class _FreshSearch:
    """The state of the search."""

    plan: Plan
    bank: Sequence[KnownSubmission]
    grade: GradeBank
    seed: int
    before: Mapping[str, Strength]
    known: set[Rows]
    """The canonical forms of mazes that do not count as fresh."""
    found: dict[str, tuple[MazeFile, Strength]] = field(default_factory=dict)
    """Fresh mazes with their strengths, by the names of the old ones."""

    def go_on(self, mazes: Sequence[MazeFile], number: int) -> None:
        """Try candidates for each maze that has no replacement yet."""
        tried = [
            (maze.name, fresh)
            for maze in mazes
            if maze.name not in self.found
            for fresh in self._fresh(maze, number)
        ]
        worth = self._strengths(tried, self._useful_submissions, f"round-{number}")
        good = [(old, new) for old, new in tried if worth[new.name].is_as_good_as(self.before[old])]
        right = [each for each in self.bank if not each.loses and not each.earns_nothing]
        fair = self._strengths(good, right, f"right-{number}")
        for old, new in good:
            if not fair[new.name].punished:
                self.found.setdefault(old, (new, worth[new.name]))

    @property
    def _useful_submissions(self) -> list[KnownSubmission]:
        """The wrong submissions that some old maze catches."""
        names = {name for strength in self.before.values() for name, _ in strength.caught}
        return [each for each in self.bank if each.name in names]

    def _strengths(
        self, pairs: Sequence[tuple[str, MazeFile]], bank: Sequence[KnownSubmission], name: str
    ) -> Mapping[str, Strength]:
        mazes = [maze for _, maze in pairs]
        return (
            measure_strengths(mazes, bank, self.plan, self.grade, name) if mazes and bank else _nothing(mazes)
        )

    def _fresh(self, maze: MazeFile, number: int) -> list[MazeFile]:
        made = candidates(maze.maze, EACH, Random(f"{self.seed}/{maze.name}/{number}"), self.known)
        names = (_name(maze.name, f"{self.seed}.{number}.{place}") for place in range(1, EACH + 1))
        return [
            replace(maze, name=name, maze=each, text=each.to_text(), visit_order={})
            for name, each in zip(names, made, strict=False)
        ]


def _nothing(mazes: Sequence[MazeFile]) -> Mapping[str, Strength]:
    return {maze.name: Strength(frozenset(), frozenset()) for maze in mazes}


def _name(old: str, tag: str) -> str:
    """Return a name not used by any maze of this year or an earlier one."""
    return f"{old.partition(' (anew')[0][:50]} (anew, {tag})"


def why_kept(maze: MazeFile, plan: Plan) -> str:
    """Return why a maze cannot be replaced automatically; empty if it can."""
    if maze.stated:
        return "its file makes statements about it: write another maze yourself"
    owns = [check for each in plan.rubric.exercises for check in each.checks if check.own]
    names = [check.id for check in owns if check.own and maze.name in check.own.mazes]
    return f"the check {names[0]} names it: write another maze yourself" if names else ""


def _conclude(
    maze: MazeFile, strength: Strength, found: tuple[MazeFile, Strength] | None, plan: Plan
) -> RenewedMaze:
    if found is None:
        reason = (
            why_kept(maze, plan) or "none of the mazes that were tried catches as much: try another --seed"
        )
        return RenewedMaze(maze, len(strength.caught), reason=reason)
    return RenewedMaze(maze, len(strength.caught), found[0], len(found[1].caught))
