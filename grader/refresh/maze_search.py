"""Looking for fresh mazes that catch, of a bank of wrong submissions, at least what the old ones catch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from grader.course.maze_files import MazeFile
from grader.course.plan import Plan
from grader.refresh.candidates import candidates, form
from grader.refresh.maze_strength import GradeBank, Strength, measure_strengths
from grader.release.maze_drawings import Rows
from grader.verification.bank import KnownSubmission

ROUNDS: Final = 4
EACH: Final = 6
"""In each of 4 rounds, 6 mazes are tried in the place of each that none was found for."""


@dataclass(frozen=True, slots=True)
class RenewedMaze:
    """What became of a hidden maze."""

    old: MazeFile
    caught: int
    """How many mistakes of the bank the old one catches."""
    new: MazeFile | None = None
    """None where the old one is kept."""
    new_caught: int = 0
    reason: str = ""
    """Why it is kept."""


def renew_mazes(
    plan: Plan, bank: Sequence[KnownSubmission], grade: GradeBank, seed: int, seen: Iterable[Rows] = ()
) -> list[RenewedMaze]:
    """Look for a fresh maze in the place of each hidden one, by the order of their files; what students
    have seen is not fresh."""
    hidden = [maze for maze in plan.rubric.mazes if maze.visibility == "hidden"]
    wrong = [each for each in bank if each.loses]
    before = measure_strengths(hidden, wrong, plan, grade, "old")
    search = _FreshSearch(
        plan, bank, grade, seed, before, {*seen, *(form(maze.text) for maze in plan.rubric.mazes)}
    )
    for number in range(1, ROUNDS + 1):
        search.go_on([maze for maze in hidden if not why_kept(maze, plan)], number)
    return [_renewed(maze, before[maze.name], search.found.get(maze.name), plan) for maze in hidden]


@dataclass
class _FreshSearch:
    """What was found so far."""

    plan: Plan
    bank: Sequence[KnownSubmission]
    grade: GradeBank
    seed: int
    before: Mapping[str, Strength]
    known: set[Rows]
    """The forms of mazes that are not fresh."""
    found: dict[str, tuple[MazeFile, Strength]] = field(default_factory=dict)
    """By the names of the old mazes, fresh ones with what they catch."""

    def go_on(self, mazes: Sequence[MazeFile], number: int) -> None:
        """Try some in the place of each maze that none was found for."""
        tried = [
            (maze.name, fresh)
            for maze in mazes
            if maze.name not in self.found
            for fresh in self._fresh(maze, number)
        ]
        worth = self._strengths(tried, self._telling, f"round-{number}")
        good = [(old, new) for old, new in tried if worth[new.name].is_as_good_as(self.before[old])]
        right = [each for each in self.bank if not each.loses and not each.earns_nothing]
        fair = self._strengths(good, right, f"right-{number}")
        for old, new in good:
            if not fair[new.name].punished:
                self.found.setdefault(old, (new, worth[new.name]))

    @property
    def _telling(self) -> list[KnownSubmission]:
        """The wrong submissions that any of the old mazes catches."""
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
    """A name that no maze of this year or of others has."""
    return f"{old.partition(' (anew')[0][:50]} (anew, {tag})"


def why_kept(maze: MazeFile, plan: Plan) -> str:
    """Why a maze has to stay as it is; empty where it need not."""
    if maze.stated:
        return "states something of itself: write another"
    owns = [check for each in plan.rubric.exercises for check in each.checks if check.own]
    names = [check.id for check in owns if check.own and maze.name in check.own.mazes]
    return f"{names[0]} asks about it: write another" if names else ""


def _renewed(
    maze: MazeFile, strength: Strength, found: tuple[MazeFile, Strength] | None, plan: Plan
) -> RenewedMaze:
    if found is None:
        reason = why_kept(maze, plan) or "no maze that was tried catches as much: try another --seed"
        return RenewedMaze(maze, len(strength.caught), reason=reason)
    return RenewedMaze(maze, len(strength.caught), found[0], len(found[1].caught))
