"""How the mistakes that hints are about are told; of the whole corpus in tests/grader/test_corpus.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from grader.exercises.kit.kind import diagnose, diagnose_each, told_by_checks
from grader.exercises.registry import kind_of, misconceptions
from grader.model import Call, Claim, Solve
from grader.model.claims import SolveRun, SolveRuns, VectorsValue
from grader.session.connection import size_of
from lab import Vector
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.all_exercises import exercise
from tests.submissions.loader import EXERCISES, cases


def test_every_mistake_of_the_corpus_has_its_model() -> None:
    named = [(case, id_) for case in cases() for id_ in case.expectation.exercises]
    held = {f"{id_}.{case.expectation.mistake}" for case, id_ in named if case.expectation.mistake}
    assert held <= set(misconceptions())
    assert len(set(misconceptions())) == len(misconceptions())


@pytest.mark.parametrize(
    ("lost", "told"), [(["dfs.repeat"], "dfs.remembers-the-maze-before"), (["dfs.repeat", "dfs.large"], None)]
)
def test_a_check_about_one_mistake_tells_it_where_no_other_is_lost(
    lost: Sequence[str], told: str | None
) -> None:
    assert told_by_checks(kind_of("dfs"), "dfs", lost, decides=False) == told


def test_a_few_runs_are_no_evidence() -> None:
    text = "+-+-+\n|S E|\n+-+-+"
    run = SolveRun(VectorsValue(((0, -1),)), (), (), (), (), used_search=False, late_looks=0, changed=None)
    calls = [Call(str(number), Solve((text,))) for number in range(3)]
    pairs = [(call, Claim(call.id, "returned", SolveRuns((run,)))) for call in calls]
    assert diagnose(kind_of("dfs"), "dfs", pairs) is None


ROOMS = ("+-+-+\n|S  |\n+ + +\n|   |\n+-+-+", "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+")
TREE = "+-+-+\n|S  |\n+ +-+\n|   |\n+-+-+"


def ended(texts: Sequence[str], *endless: str) -> list[tuple[Call, Claim]]:
    """What a right BFS answers, but where it has no end."""
    calls = [Call(text, Solve((text,))) for text in texts]
    claims = run_with(BFS, Search)(calls, False)
    late = {text: Claim(text, "timeout") for text in endless}
    return [(call, late.get(call.id, claim)) for call, claim in zip(calls, claims, strict=True)]


@pytest.mark.parametrize(
    ("endless", "hint"),
    [
        ((*ROOMS, TREE), "bfs.forgets-to-mark"),
        (ROOMS[:1], None),
        ((ROOMS[0], TREE), "bfs.waits-without-a-way"),
    ],
    ids=str,
)
def test_who_walks_in_circles_has_no_end_where_there_are_any(
    endless: Sequence[str], hint: str | None
) -> None:
    corridors = ["+" + "-+" * n + "\n|S" + " " * (2 * n - 3) + "E|\n+" + "-+" * n for n in range(2, 20)]
    assert diagnose(kind_of("bfs"), "bfs", ended((*corridors, *ROOMS, TREE), *endless)) == hint


@pytest.mark.parametrize("outcome", ["timeout", "died", "missing"])
@pytest.mark.parametrize("id_", EXERCISES)
def test_claims_without_a_value_are_taken_in(id_: str, outcome: str) -> None:
    calls = [case.call for check in exercise(id_).checks for case in check.cases[:20]]
    pairs = [(call, Claim(call.id, outcome)) for call in calls]  # type: ignore[arg-type]
    assert diagnose(kind_of(id_), id_, pairs) is None


class Stack:
    """Takes the last of the moves first, and says False where there is no way."""

    def solve(self, maze: Any, search: Any) -> Any:
        visited: set[Vector] = set()
        stack: list[Any] = [(maze.entry, [])]
        while stack:
            cell, moves = stack.pop()
            if cell == maze.exit:
                return moves
            visited.add(cell)
            ahead = [move for move in maze.valid_moves_at(cell) if cell + move not in visited]
            stack += [(cell + move, [*moves, move]) for move in ahead]
        return False


def test_a_slip_does_not_hide_the_mistake_behind_it() -> None:
    run = run_with(Stack, Search)
    small = {
        check.id: [case.call for case in check.cases if size_of(case.call) <= 60][:25]
        for check in exercise("dfs").checks
    }
    seen = {id_: list(zip(calls, run(calls, False), strict=True)) for id_, calls in small.items()}
    told = diagnose_each(kind_of("dfs"), "dfs", seen)
    assert told["dfs.no-way"] == "dfs.another-no-way"
    assert told["dfs.visit-order"] == "dfs.west-first"
