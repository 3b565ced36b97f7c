"""What wrong answers share, and how it is named; of the whole corpus in tests/grader/test_corpus.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from grader.exercises.kit.facts import Features, features_of
from grader.exercises.kit.kind import shared_by, told_by_checks
from grader.exercises.registry import kind_of, shared_names
from grader.languages import AND, catalogue, languages
from grader.model import Call, Claim, Solve
from grader.model.claims import Revisits, SolveRun, SolveRuns
from grader.session.connection import size_of
from lab import EAST, MOVES, NORTH, SOUTH, WEST, Vector
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.all_exercises import exercise
from tests.submissions.loader import EXERCISES, cases

Pairs = list[tuple[Call, Claim]]


def test_every_mistake_of_the_corpus_has_a_name_that_is_explained() -> None:
    named = [
        (id_, name)
        for case in cases()
        for id_ in case.expectation.exercises
        for name in (case.expectation.mistake or "").split(AND)
    ]
    held = {f"{id_}.{name}" for id_, name in named if name}
    assert held <= set(shared_names())
    assert all(catalogue(code).hint(id_) for code, id_ in product(languages(), shared_names()))


@pytest.mark.parametrize(
    ("lost", "told"), [(["dfs.repeat"], "dfs.remembers-the-maze-before"), (["dfs.repeat", "dfs.large"], None)]
)
def test_a_check_about_one_mistake_tells_it_where_no_other_is_lost(
    lost: Sequence[str], told: str | None
) -> None:
    assert told_by_checks(kind_of("dfs"), "dfs", lost, decides=False) == told


# --- solvers --------------------------------------------------------------------------------------

ROW = (NORTH, EAST, SOUTH, WEST)
TAKES: dict[str, Callable[[list[Any]], Any]] = {
    "first": lambda waiting: waiting.pop(0),
    "last": lambda waiting: waiting.pop(),
    "farthest": lambda waiting: waiting.pop(waiting.index(max(waiting, key=lambda each: len(each[1])))),
    "latest": lambda waiting: waiting.pop(
        max(range(len(waiting)), key=lambda at: (-len(waiting[at][1]), at))
    ),
}


def solver(moves: Sequence[Vector], take: str, no_way: object = None, seen: bool = False) -> type:
    """A solver that keeps pending cells with the moves to them."""

    class Solver:
        def solve(self, maze: Any, search: Any) -> Any:
            known, waiting = {maze.entry}, list[Any]([(maze.entry, [])])
            while waiting:
                cell, way = TAKES[take](waiting)
                if cell == maze.exit:
                    return way
                there = maze.valid_moves_at(cell)
                for move in (move for move in moves if move in there and cell + move not in known):
                    if seen and cell + move == maze.exit:
                        return [*way, move]
                    known.add(cell + move)
                    waiting.append((cell + move, [*way, move]))
            return no_way

    return Solver


@cache
def calls(exercise_id: str) -> dict[str, list[Call]]:
    """Some small calls of each check."""
    return {
        check.id: [case.call for case in check.cases if size_of(case.call) <= 60][:25]
        for check in exercise(exercise_id).checks
    }


def seen(exercise_id: str, target: type) -> tuple[Pairs, dict[str, Pairs | None]]:
    """What came of all calls, and as if the first of each check were lost."""
    run = run_with(target, Search)
    by_check = {
        id_: list(zip(asked, run(asked, False), strict=True)) for id_, asked in calls(exercise_id).items()
    }
    lost = {id_: None if id_.endswith("visit-order") else found for id_, found in by_check.items()}
    return [pair for found in by_check.values() for pair in found], lost


def names(exercise_id: str, target: type) -> set[str]:
    pairs, lost = seen(exercise_id, target)
    return {*shared_by(kind_of(exercise_id), exercise_id, pairs, lost).values()}


@pytest.mark.parametrize(
    ("id_", "moves", "take", "name"),
    [
        ("dfs", MOVES, "last", "west-first"),
        ("dfs", (NORTH, WEST, SOUTH, EAST), "last", "east-first"),
        ("dfs", (SOUTH, EAST, WEST, NORTH), "last", "west-before-east"),
        ("dfs", MOVES, "first", "first-found"),
        ("bfs", (EAST, NORTH, SOUTH, WEST), "first", "east-first"),
        ("bfs", (NORTH, EAST, WEST, SOUTH), "first", "west-before-south"),
        ("bfs", MOVES, "last", "last-found"),
        ("bfs", MOVES[::-1], "last", "last-found"),
        ("bfs", (SOUTH, NORTH, EAST, WEST), "last", "last-found+west-first"),
        ("bfs", MOVES, "latest", "latest-of-equals"),
        ("dijkstra", MOVES, "farthest", "last-found"),
        ("dijkstra", (SOUTH, NORTH, EAST, WEST), "first", "south-first"),
    ],
)
@pytest.mark.parametrize("sees", [False, True])
def test_what_all_points_share_that_agree_is_named(
    id_: str, moves: Sequence[Vector], take: str, name: str, sees: bool
) -> None:
    assert names(id_, solver(moves, take, seen=sees)) == {f"{id_}.{name}"}


@pytest.mark.parametrize(("id_", "moves", "take"), [("dfs", MOVES[::-1], "last"), ("bfs", MOVES, "first")])
def test_what_a_right_solver_visits_has_no_name_whatever_comes_back(
    id_: str, moves: Sequence[Vector], take: str
) -> None:
    assert names(id_, solver(moves, take, no_way=False)) == set()


def test_a_check_is_named_only_where_its_answer_is_explained() -> None:
    pairs, lost = seen("dfs", solver(MOVES, "last", no_way=False))
    told = shared_by(kind_of("dfs"), "dfs", pairs, lost)
    assert told["dfs.visit-order"] == "dfs.west-first"
    assert "dfs.no-way" not in told


def test_a_few_mazes_are_no_evidence() -> None:
    pairs, lost = seen("dfs", solver(MOVES, "last"))
    few = [pair for pair in pairs if pair[1].runs[0].asked][:4]
    assert shared_by(kind_of("dfs"), "dfs", few, lost) == {}


@pytest.mark.parametrize(
    ("again", "name"), [((0, 1, 0, 1), "never-marks"), ((0, 0, 0, 0), ""), ((0, 1, 1, 1), "")]
)
def test_who_goes_round_marks_nothing_and_who_stays_may(again: Sequence[int], name: str) -> None:
    """On two cells without an exit; where there is a way, the visits of such a BFS are right."""
    pairs, _ = seen("bfs", solver(MOVES, "first"))
    text = "+-+-+\n|S  |\n+-+-+"
    cells = tuple((1, 1 + at) for at in again)
    first = SolveRun(None, (), cells, (), (), used_search=False, late_looks=0, changed=None)
    run = replace(first, revisits=Revisits(cells[0], 400, cells[0], cells))
    endless = Call("two", Solve((text,))), Claim("two", "endless", SolveRuns((run,)))
    told = shared_by(kind_of("bfs"), "bfs", [*pairs, endless], {"bfs.no-way": [endless]})
    assert told == ({"bfs.no-way": f"bfs.{name}"} if name else {})


# --- checkers -------------------------------------------------------------------------------------


def checker(rule: Callable[[Features], bool]) -> type:
    class Checker:
        def is_perfect(self, maze: Any) -> bool:
            return rule(features_of(maze.to_text()))

    return Checker


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (lambda maze: len(maze.edges) == len(maze.cells) - 1, "counts-passages-only"),
        (lambda maze: maze.acyclic, "cycles-only"),
        (lambda maze: maze.acyclic_in_reach, "cycles-only"),
        (lambda maze: maze.connected, "reach-only"),
        (lambda maze: True, "looks-at-nothing"),
        (lambda maze: maze.perfect and maze.maze.has_exit(), "leans-on-the-exit"),
        (lambda maze: maze.maze.exit in maze.reached, "looks-at-nothing+leans-on-the-exit"),
        (lambda maze: maze.perfect and maze.maze.entry == (1, 1), "leans-on-the-entry"),
        (lambda maze: maze.perfect, ""),
        (lambda maze: not maze.perfect, ""),
        (lambda maze: False, ""),
    ],
)
def test_what_a_checker_asks_follows_from_its_answers(rule: Callable[[Features], bool], name: str) -> None:
    assert names("perfection", checker(rule)) == ({f"perfection.{name}"} if name else set())


@pytest.mark.parametrize("outcome", ["timeout", "died", "missing"])
@pytest.mark.parametrize("id_", EXERCISES)
def test_claims_without_a_value_are_taken_in(id_: str, outcome: str) -> None:
    asked = [case.call for check in exercise(id_).checks for case in check.cases[:20]]
    pairs = [(call, Claim(call.id, outcome)) for call in asked]  # type: ignore[arg-type]
    assert shared_by(kind_of(id_), id_, pairs, {f"{id_}.x": None}) == {}
