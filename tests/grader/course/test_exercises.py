"""One record for an exercise: what others know of it, they take from there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.checks import TITLES as CHECKS
from grader.course.exercises import TITLES, WITH_MAZES, target_of
from grader.inside.student_class import SEARCH_FILE, SEARCH_NAME
from grader.model import Target
from grader.verification.bank import SHIPPED
from lab.exercises import BY_ID, EXERCISES, FILES, SOLVER_IDS

ROOT = Path(__file__).parents[3]
RECORD = ROOT / "lab" / "exercises.py"
IN_THE_BOX = ROOT / "grader" / "inside" / "student_class.py"
"""Knows where the search is, since the record is not in the box."""


def test_the_grader_knows_each_exercise() -> None:
    ids = [exercise.id for exercise in EXERCISES]
    assert [list(TITLES), list(CHECKS)] == [ids, ids]
    assert target_of("dfs") == Target("solvers/dfs.py", "DFS")
    assert SOLVER_IDS == ("dfs", "bfs", "dijkstra")
    assert WITH_MAZES == ("dfs", "bfs", "dijkstra", "perfection")


def test_the_box_looks_for_the_search_where_it_is() -> None:
    assert (BY_ID["search"].file, BY_ID["search"].name) == (SEARCH_FILE, SEARCH_NAME)


def constants(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("package", ["lab", "grader", "scripts"])
def test_no_file_of_an_exercise_is_named_a_second_time(package: str) -> None:
    paths = set((ROOT / package).rglob("*.py")) - {RECORD, IN_THE_BOX}
    own = [path for path in paths if SHIPPED not in path.parents]
    assert [path for path in own if set(FILES) & set(constants(path))] == []
