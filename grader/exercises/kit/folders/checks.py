"""The checks of an exercise in a folder: its own judge, on families of mazes or on drawn cases.

If the exercise is given a maze, two more checks are added: ``unchanged`` and ``repeat``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, zip_longest
from typing import Final

from grader.exercises.kit.answers import describe_data, difference
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Case, Check, Judge, each
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.folders.cases import FAMILIES, LADDERS, AnswerCases
from grader.exercises.kit.folders.code import KNOWN, Asked, OwnExercise, check_title
from grader.exercises.kit.folders.judge import (
    judge_answer,
    judge_answer_left_alone,
    judge_left_alone,
    judge_not_none,
    judge_own,
)
from grader.exercises.kit.solvers import checks as solvers
from grader.exercises.kit.solvers.cases import SolverCases
from grader.exercises.kit.solvers.checks import on_most
from grader.model import Ask, Claim
from grader.model.data import Data

STANDARD: Final = ("unchanged", "repeat")
"""The checks that every exercise about mazes has besides its own."""
ANSWERS: Final = 5
"""No answer is right on more than one in this many controls, if there are as many answers."""
CONTROLS: Final = 40
"""About how many cases with other answers show that a submission does not always give the same answer."""


def standard_checks(own: OwnExercise) -> tuple[str, ...]:
    """Return the checks that an exercise has besides its own."""
    return STANDARD if any("maze" in each.arguments for each in own.calls.values()) else ()


def titles(exercise: str) -> dict[str, str]:
    """Return the titles of an exercise's checks, by id."""
    own = KNOWN[exercise].exercise
    found = {f"{exercise}.{name}": check_title(own, name) for name in own.checks}
    return found | {f"{exercise}.{name}": solvers.TITLES[name] for name in standard_checks(own)}


def checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    """Return functions that make the checks, by id."""
    return (
        _solver_checks(book, exercise)
        if KNOWN[exercise].exercise.is_solver
        else _answer_checks(book, exercise)
    )


# --- solvers ----------------------------------------------------------------------------------------


def _solver_checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    cases, known = SolverCases(book, exercise), titles(exercise)
    judge = _each(exercise, judge_own)
    not_none, solved = on_most(_each(exercise, judge_not_none)), on_most(judge, solvers.never_ends)

    def declared(asked: Asked, id_: str) -> Check:
        families = asked.cases
        ladder = next((cases.ladder(LADDERS[family]) for family in families if family in LADDERS), None)
        made = tuple(case for family in families for case in FAMILIES[family](cases))
        check = Check(id_, known[id_], made, judge, ladder=ladder)
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

    return _makers(exercise, declared, unchanged, repeat)


def _controlled(check: Check, cases: SolverCases, control: Judge) -> Check:
    return replace(check, control=control, controls=cases.controls, control_ladder=cases.ladder("reachable"))


def _each(exercise: str, judge: solvers.FactsJudge) -> Judge:
    return each(lambda case, claim: judge(case.facts, claim, exercise))


def _makers(
    exercise: str,
    declared: Callable[[Asked, str], Check],
    unchanged: Callable[[str], Check],
    repeat: Callable[[str], Check],
) -> dict[str, Callable[[], Check]]:
    own = KNOWN[exercise].exercise
    makers: dict[str, Callable[[str], Check]] = {
        name: partial(declared, asked) for name, asked in own.checks.items()
    }
    standard = {"unchanged": unchanged, "repeat": repeat}
    makers |= {name: standard[name] for name in standard_checks(own)}
    return {f"{exercise}.{name}": partial(make, f"{exercise}.{name}") for name, make in makers.items()}


# --- answers of any form ----------------------------------------------------------------------------


def _answer_checks(book: CaseBook, exercise: str) -> dict[str, Callable[[], Check]]:
    own, cases, known = KNOWN[exercise].exercise, AnswerCases(book, exercise), titles(exercise)
    judge = _asked(exercise, judge_answer)
    solved = on_most(judge)

    def declared(asked: Asked, id_: str) -> Check:
        made = tuple(case for name in asked.cases for case in cases.of(asked.method, name))
        check = Check(id_, known[id_], made, judge, ladder=cases.ladder(asked.method, asked.cases))
        others = _with_other_answers(exercise, made, cases, own)
        return replace(check, control=on_most(judge), controls=others) if others else check

    def unchanged(id_: str) -> Check:
        asked = cases.everywhere()
        left_alone = _asked(exercise, judge_answer_left_alone)
        return Check(id_, known[id_], asked, left_alone, control=solved, controls=_telling(exercise, asked))

    def repeat(id_: str) -> Check:
        asked, series = cases.everywhere(), cases.series()
        check = Check(id_, known[id_], series, judge, alone=False, twins=cases.by_itself)
        return replace(check, control=solved, controls=_telling(exercise, asked))

    return _makers(exercise, declared, unchanged, repeat)


def _with_other_answers(
    exercise: str, made: Sequence[Case], cases: AnswerCases, own: OwnExercise
) -> tuple[Case, ...]:
    """Return controls for a check with only one right answer: cases of its method with other answers.

    A submission that always gives that answer passes the check without knowing anything.
    """
    if not made:
        return ()
    right = [_right(exercise, case) for case in made]
    if any(difference(right[0], other) is not None for other in right[1:]):
        return ()
    method = made[0].call.asked(Ask).method
    others = (
        case
        for asked in own.checks.values()
        if asked.method == method
        for name in asked.cases
        if name not in ("hidden", "large")
        for case in cases.of(method, name)
    )
    told = {case.call.id: case for case in others if difference(right[0], _right(exercise, case)) is not None}
    return tuple(told.values())[:: max(1, len(told) // CONTROLS)]


def _telling(exercise: str, cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return some of the cases, without those that have the most frequent answer, unless all have it.

    There are so few of each other answer that always giving it is right in at most a fifth of them, if there
    are enough answers.
    """
    by_answer: dict[str, list[Case]] = {}
    for case in cases:
        by_answer.setdefault(describe_data(_right(exercise, case)), []).append(case)
    usual = max(by_answer, key=lambda answer: len(by_answer[answer]))
    rare = [found for answer, found in by_answer.items() if answer != usual] or [[*cases]]
    fewest = max(map(len, rare))
    while fewest > 1 and ANSWERS * fewest > sum(min(fewest, len(found)) for found in rare):
        fewest -= 1
    in_turns = (case for each in zip_longest(*(found[:fewest] for found in rare)) for case in each if case)
    return tuple(islice(in_turns, CONTROLS))


def _right(exercise: str, case: Case) -> Data:
    asked = case.call.asked(Ask)
    return KNOWN[exercise].right(asked.method, asked.values)


def _asked(exercise: str, judge: Callable[[Ask, Claim, str], Finding | None]) -> Judge:
    return each(lambda case, claim: judge(case.call.asked(Ask), claim, exercise))
