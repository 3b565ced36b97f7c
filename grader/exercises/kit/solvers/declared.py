"""An instructor's own checks: test mazes, with statements about a solver on each."""

from __future__ import annotations

from dataclasses import dataclass

from grader.exercises.kit.cases.fixed_mazes import FixedMaze
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Case, Check, each
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.solvers.cases import SolverCases
from grader.exercises.kit.solvers.statements import judge_stated
from grader.exercises.kit.solvers.ways import judge_way
from grader.model import Claim


@dataclass(frozen=True, slots=True)
class Own:
    """A check as it was declared."""

    title: str
    mazes: tuple[FixedMaze, ...]
    """Each with everything that the check judges there."""


def own_check(book: CaseBook, exercise: str, id_: str, own: Own) -> Check:
    """Make the check: it pays for a way on each of its mazes, found as stated."""

    def judge(case: Case, claim: Claim) -> Finding | None:
        return judge_way(case.facts, claim, exercise) or broken(case, claim, exercise)

    cases = SolverCases(book, exercise).of_own_check(id_.partition(".")[2], own.mazes)
    return Check(id_, own.title, cases, each(judge))


def broken(case: Case, claim: Claim, exercise: str) -> Finding | None:
    """Return the first statement about this maze that a solver breaks."""
    found = (judge_stated(case.facts, claim, exercise, stated) for stated in case.stated)
    return next((finding for finding in found if finding is not None), None)
