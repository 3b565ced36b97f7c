"""No answer earns more by failing first: how a call ends changes what is asked next, never for the better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar
from zlib import crc32

import pytest

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.kit.check import PlannedExercise, sample
from grader.exercises.kit.facts import facts_of
from grader.exercises.registry import titles
from grader.grading.case_runs import MakeCalls
from grader.grading.engine import grade, mingled
from grader.grading.exercise_grading import ExerciseGrading
from grader.model import Call, Claim, ExerciseResult, Submission
from grader.model.claims import CallsBefore
from grader.sandbox.process import ProcessBackend
from grader.session.submission_limits import not_asked
from lab import MOVES, Maze, Vector
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from tests.direct import run_with
from tests.submissions.loader import FILES, Case, cases

Fails = Callable[[Maze, int, Any], bool]
"""Tells whether a solver fails, of a maze, how many calls its process has made, and its search."""


class OfTheirOwn(Search):
    """A wrong Search: it gives out the cells in another order."""

    def first_pending(self) -> Vector:
        return self.last_pending()


class RightHand:
    """A solver that follows the wall, and cuts the loops out of its walk: right where there are no cycles."""

    def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
        search.mark_as_pending(maze.entry)
        cell, facing, walk, places, seen = maze.entry, 0, [maze.entry], {maze.entry: 0}, set()
        while not maze.is_exit(cell):
            if (cell, facing) in seen:
                return None
            seen.add((cell, facing))
            turns = ((facing + turn) % 4 for turn in (1, 0, 3, 2))
            facing = next((turn for turn in turns if maze.is_valid_at(cell, MOVES[turn])), facing)
            if not maze.is_valid_at(cell, MOVES[facing]):
                return None
            cell = cell + MOVES[facing]
            for left in walk[places.get(cell, len(walk)) + 1 :]:
                del places[left]
            walk = [*walk[: places.setdefault(cell, len(walk))], cell]
        return [Vector(b.row - a.row, b.column - a.column) for a, b in pairwise(walk)]


class Breadth(BFS):
    """A right solver, which stands on its search."""


def failing(solver: type[Any], fails: Fails) -> type[Any]:
    """The solver that raises where it is told to."""

    class Failing(solver):  # type: ignore[misc]
        turn: ClassVar[int] = 0

        def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
            Failing.turn += 1
            if fails(maze, Failing.turn, search):
                search.mark_as_pending(maze.entry)
                raise KeyError("on purpose")
            found: list[Vector] | None = super().solve(maze, search)
            return found

    return Failing


FAILURES: dict[str, Fails] = {
    "never": lambda *_: False,
    "but for the first call of a process": lambda _maze, turn, _search: turn > 1,
    "at the first call of a process": lambda _maze, turn, _search: turn == 1,
    "at every third call": lambda _maze, turn, _search: turn % 3 == 0,
    "by chance": lambda maze, _turn, _search: crc32(maze.to_text().encode()) % 5 == 0,
    "by chance, mostly": lambda maze, _turn, _search: crc32(maze.to_text().encode()) % 5 != 0,
    "on larger mazes": lambda maze, _turn, _search: maze.dimension.position_count > 30,
    "on smaller mazes": lambda maze, _turn, _search: maze.dimension.position_count <= 30,
    "with a search of their own": lambda _maze, _turn, search: isinstance(search, OfTheirOwn),
    "with a search of their own, in company": lambda _maze, turn, search: (
        turn > 1 and isinstance(search, OfTheirOwn)
    ),
}
HANGS: dict[str, Fails] = {
    "on larger mazes": FAILURES["on larger mazes"],
    "by chance": FAILURES["by chance"],
    "where a cycle is": lambda maze, _turn, _search: bool(facts_of(maze.to_text()).cycle),
    "where a cycle is, or no way": lambda maze, _turn, _search: (
        bool(facts_of(maze.to_text()).cycle) or facts_of(maze.to_text()).length is None
    ),
}
"""Where a solver goes on for ever; where a cycle or no way is, other checks are charged with it."""


EXAMPLES = 8


def plan() -> Plan:
    """Return the shipped plan with few mazes, none of them looked for to show a mistake on."""
    return _drawn(EXAMPLES)


@cache
def _drawn(examples: int) -> Plan:
    drawn = make_plan(replace(load_rubric(None, checks=titles()), examples=examples))
    return replace(drawn, exercises=tuple(map(_without_ladders, drawn.exercises)))


def _without_ladders(exercise: PlannedExercise) -> PlannedExercise:
    plain = (replace(check, ladder=None, control_ladder=None) for check in exercise.checks)
    return replace(exercise, checks=tuple(plain))


def score(
    exercise: str,
    solver: type[Any],
    fails: Fails,
    search: type[Search] = Search,
    *,
    hangs: bool = False,
    most: float = float("inf"),
) -> ExerciseResult:
    """What the solver earns that fails so, or goes on for ever, and is asked so many calls at the most."""
    planned = next(each for each in plan().exercises if each.id == exercise)
    left = iter(lambda: True, None) if most == float("inf") else iter([True] * int(most))

    def calls_with(search: type[Search]) -> MakeCalls:
        def make(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
            target = failing(solver, fails)
            claims = {call.id: made(call, target, alone) for call in mingled(calls)}
            return [claims[call.id] for call in calls]

        def made(call: Call, target: type[Any], alone: bool) -> Claim:
            if not next(left, False):
                return not_asked(CallsBefore(int(most), 60.0), call)
            claim = run_with(failing(solver, fails) if alone else target, search)([call], alone)[0]
            is_on_purpose = claim.fault is not None and claim.fault.kind == "KeyError"
            return replace(claim, outcome="endless", fault=None) if hangs and is_on_purpose else claim

        return make

    exam = ExerciseGrading(plan(), planned, calls_with(search), calls_with(Search))
    exam.grade_shown(search_is_wrong=search is not Search)
    exam.grade_hidden()
    return exam.result({})


@pytest.mark.parametrize("search", [Search, OfTheirOwn])
@pytest.mark.parametrize("solver", [RightHand, Breadth])
def test_no_solver_earns_more_by_failing(solver: type[Any], search: type[Search]) -> None:
    earned = {name: score("bfs", solver, fails, search).score for name, fails in FAILURES.items()}
    honest = earned.pop("never")
    assert {name: points for name, points in earned.items() if points > honest} == {}
    assert honest > 0


@pytest.mark.parametrize("solver", [RightHand, DFS])
def test_no_solver_earns_more_by_going_on_for_ever_or_by_using_up_its_time(solver: type[Any]) -> None:
    honest = score("bfs", solver, FAILURES["never"]).score
    hung = {name: score("bfs", solver, fails, hangs=True).score for name, fails in HANGS.items()}
    assert {name: points for name, points in hung.items() if points > honest} == {}
    cut = {most: score("bfs", solver, FAILURES["never"], most=most).score for most in (30, 100, 200)}
    assert {most: points for most, points in cut.items() if points > honest} == {}


def test_a_solver_that_hangs_on_cycles_is_charged_where_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The walls of controls are those of mazes without a way, and of a few of these all have cycles."""
    monkeypatch.setattr("tests.grader.grading.test_failing_first.EXAMPLES", 40)
    result = score("bfs", Breadth, HANGS["where a cycle is"], hangs=True)
    parts = {check.id.removeprefix("bfs."): check.score / check.max_score for check in result.checks}
    assert parts["cycles"] == parts["no-way"] == 0
    assert parts["valid-path"] == parts["shapes"] == parts["unchanged"] == parts["repeat"] == 1
    assert 0 < parts["shortest"] <= 0.9
    assert 0 < parts["visit-order"] <= 0.9


@pytest.mark.parametrize("share", [0, 0.12, 0.5, 0.85])
def test_what_was_not_asked_is_said_as_that_and_counts_as_lost(share: float) -> None:
    planned = next(each for each in plan().exercises if each.id == "bfs")
    shown = [check for check in planned.checks if check.id not in ("bfs.large", "bfs.hidden-mazes")]
    calls = {case.call.id for check in shown for case in (*check.cases, *check.controls)}
    result = score("bfs", Breadth, FAILURES["never"], most=int(share * len(calls)))
    assert result.score <= result.max_score * share
    told = [check for check in result.checks if check.id in {each.id for each in shown}]
    assert {check.verdict.status for check in told} <= {"passed", "not-asked"}
    cut = [check for check in told if check.verdict.status == "not-asked"]
    assert cut
    assert all(check.score < check.max_score and not check.by_clock for check in cut)
    assert {str(check.verdict.message.key) for check in cut} == {"said.not_asked"}  # type: ignore[union-attr]


# --- the bank --------------------------------------------------------------------------------------

OFTEN, CASES = 9, 6
"""One of so many wrong solvers is tried, on so many cases of each check."""
NAMES = {"dfs": "DFS", "bfs": "BFS", "dijkstra": "Dijkstra"}
LATER = """

_first, _calls = {name}.solve, 0


def _solve(self, maze, search):
    global _calls
    _calls += 1
    if _calls > 1:
        {does}
    return _first(self, maze, search)


{name}.solve = _solve
"""
"""Does something else from its second call on."""
WRONG_SEARCH = Case("wrong", "search-forgets-to-make-pending")


def bank() -> list[Any]:
    found = [each for each in cases("wrong") if each.name.partition("-")[0] in NAMES]
    return [pytest.param(each, id=each.name) for each in found if not each.expectation.slow][::OFTEN]


@cache
def bank_plan(exercise: str) -> Plan:
    """Return a plan of the search and a solver, with few cases of each check, of all sizes."""
    plan = make_plan(replace(load_rubric(None, checks=titles()), examples=CASES, explain=False))
    chosen = [_without_ladders(each) for each in plan.exercises if each.id in ("search", exercise)]
    few = [
        replace(each, checks=tuple(replace(it, cases=tuple(sample(it.cases, CASES))) for it in each.checks))
        for each in chosen
    ]
    return replace(plan, exercises=tuple(few))


@pytest.mark.processes
@pytest.mark.ci
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("case", bank())
def test_no_wrong_solver_earns_more_by_failing_later_or_by_a_wrong_search(case: Case) -> None:
    files, exercise = case.files(), case.name.partition("-")[0]
    file, name = FILES[exercise], NAMES[exercise]

    def points(**changed: bytes) -> float:
        submission = Submission("ada", {**files, **{FILES[id_]: text for id_, text in changed.items()}})
        report = grade(submission, bank_plan(exercise), ProcessBackend())
        return next(each.score for each in report.exercises if each.id == exercise)

    honest = points()
    for does in ("raise KeyError('on purpose')", "while True: maze.valid_moves_at(maze.entry)"):
        later = files[file] + LATER.format(name=name, does=does).encode()
        assert points(**{exercise: later}) <= honest, does
    assert points(search=WRONG_SEARCH.files()[FILES["search"]]) <= honest
