"""Checks of an instructor's own: test mazes, and what is stated of a solver on each of them."""

from __future__ import annotations

from dataclasses import dataclass

from grader.cases.library import CaseBook, FixedMaze
from grader.checks.base import Case, Check, each
from grader.checks.solver_cases import SolverCases
from grader.model import Claim
from grader.oracle.findings import Finding
from grader.oracle.statements import judge_stated
from grader.oracle.ways import judge_way


@dataclass(frozen=True, slots=True)
class Own:
    """A check as it was declared."""

    title: str
    mazes: tuple[FixedMaze, ...]
    """With all that the check judges on each."""


def own_check(book: CaseBook, exercise: str, id_: str, own: Own) -> Check:
    """Make the check: it pays for a way on each of its mazes, found as is stated."""

    def judge(case: Case, claim: Claim) -> Finding | None:
        return judge_way(case.facts, claim, exercise) or broken(case, claim, exercise)

    cases = SolverCases(book, exercise).of_own_check(id_.partition(".")[2], own.mazes)
    return Check(id_, own.title, cases, each(judge))


def broken(case: Case, claim: Claim, exercise: str) -> Finding | None:
    """The first statement about this maze that a solver breaks."""
    found = (judge_stated(case.facts, claim, exercise, stated) for stated in case.stated)
    return next((finding for finding in found if finding is not None), None)
