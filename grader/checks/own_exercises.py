"""The checks of an exercise that a course adds: its own judge, asked about families of mazes.

Beside those that its folder declares there are two more, as of every solver: ``unchanged`` and ``repeat``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from grader.cases.library import CaseBook
from grader.checks import solvers
from grader.checks.base import Case, Check, Judge, each
from grader.checks.solver_cases import SolverCases
from grader.checks.solvers import on_most
from grader.oracle.own import judge_left_alone, judge_not_none, judge_own
from grader.oracle.own_exercises import KNOWN

FAMILIES: Final[Mapping[str, Callable[[SolverCases], tuple[Case, ...]]]] = {
    "way": lambda cases: cases.way,
    "shapes": lambda cases: cases.shapes,
    "cycles": lambda cases: cases.cycles,
    "no-way": lambda cases: cases.no_way,
    "large": lambda cases: cases.large,
    "hidden": lambda cases: cases.hidden,
}
"""The mazes that a check may ask about."""
_LADDERS: Final = {"way": "way", "shapes": "shapes", "cycles": "cycles", "no-way": "no way"}
STANDARD: Final = ("unchanged", "repeat")
"""The checks that every exercise has besides those of its own."""


def titles(exercise: str) -> dict[str, str]:
    """The checks of an exercise by id."""
    own = KNOWN[exercise].exercise
    found = {f"{exercise}.{name}": own.texts["en"][f"checks.{name}"] for name in own.checks}
    return found | {f"{exercise}.{name}": solvers.TITLES[name] for name in STANDARD}


def checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    """The checks by id, each made when it is asked for."""
    cases, known = SolverCases(book, exercise), titles(exercise)
    judge = _each(exercise, judge_own)
    not_none, solved = on_most(_each(exercise, judge_not_none)), on_most(judge)

    def declared(families: Sequence[str], id_: str) -> Check:
        ladder = next((cases.ladder(_LADDERS[family]) for family in families if family in _LADDERS), None)
        asked = tuple(case for family in families for case in FAMILIES[family](cases))
        check = Check(id_, known[id_], asked, judge, ladder=ladder)
        return _controlled(check, cases, not_none) if "no-way" in families else check

    def unchanged(id_: str) -> Check:
        asked = (*cases.way, *cases.cycles, *cases.no_way)
        left_alone = _each(exercise, judge_left_alone)
        return _controlled(
            Check(id_, known[id_], asked, left_alone, ladder=cases.ladder("way")), cases, solved
        )

    def repeat(id_: str) -> Check:
        judge_series = partial(solvers.remembers, judge_own, exercise)
        check = Check(id_, known[id_], cases.repeat, judge_series, alone=False, twins=cases.others)
        return _controlled(check, cases, solved)

    makers: dict[str, Callable[[str], Check]] = {
        name: partial(declared, families) for name, families in KNOWN[exercise].exercise.checks.items()
    }
    makers |= {"unchanged": unchanged, "repeat": repeat}
    return {f"{exercise}.{name}": partial(make, f"{exercise}.{name}") for name, make in makers.items()}


def _controlled(check: Check, cases: SolverCases, control: Judge) -> Check:
    return replace(check, control=control, controls=cases.controls, control_ladder=cases.ladder("reachable"))


def _each(exercise: str, judge: solvers.FactsJudge) -> Judge:
    return each(lambda case, claim: judge(case.facts, claim, exercise))
