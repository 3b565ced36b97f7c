"""Stories of submissions, recorded in a real process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

import pytest

from grader.model import ExerciseResult
from tests.grader.grading.explain.test_places import graded
from tests.submissions.loader import base

pytestmark = pytest.mark.usefixtures("_untraced")

REACHES = b"""class PerfectionChecker:
    def is_perfect(self, maze):
        seen, stack = {maze.entry}, [maze.entry]
        while stack:
            cell = stack.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    stack.append(cell + move)
        return len(seen) == maze.dimension.position_count
"""
HELPED = b"""from helpers.walk import walked


class BFS:
    def solve(self, maze, search):
        return walked(maze)
"""
HELPER = b"""

def walked(maze):
    queue, seen = [(maze.entry, [])], {maze.entry}
    while queue:
        cell, way = queue.pop(0)
        if maze.is_exit(cell):
            return way
        for move in reversed(maze.valid_moves_at(cell)):
            if cell + move not in seen:
                seen.add(cell + move)
                queue.append((cell + move, way + [move]))
    return None
"""


@cache
def result(exercise: str, *files: tuple[str, bytes]) -> ExerciseResult:
    return graded(exercise, {**base(), **dict(files)})


def test_a_checker_is_shown_beside_a_maze_that_it_answers_rightly() -> None:
    found = result("perfection", ("perfection_checker.py", REACHES))
    assert found.story is not None
    example = next(each.verdict.counterexample for each in found.checks if each.id == found.story.check)
    assert example is not None
    expected = example["expected"]
    assert isinstance(expected, Mapping)
    (beside,) = cast(list[str], expected["mazes"])
    assert sum(a != b for a, b in zip(str(example["maze"]), beside, strict=True)) == 1
    assert found.story.steps[0].text.key == "said.story_wall"
    assert dict(found.story.steps[0].text.values)["value"] == "True"
    assert found.story.steps[-1].values["seen"].count("(") > 1


def test_the_lines_of_a_helper_are_told_with_their_file() -> None:
    found = result("bfs", ("solvers/bfs.py", HELPED), ("helpers/walk.py", HELPER)).story
    assert found is not None
    assert found.steps[0].file == "helpers/walk.py"
    text = HELPER.decode().split("\n")
    assert found.code == tuple(text[found.first_line - 1 : found.first_line - 1 + len(found.code)])
    told = [text[step.line - 1].strip() for step in found.steps if step.line and "helpers" in step.file]
    assert "queue.append((cell + move, way + [move]))" in told


def test_a_mistake_that_leaves_the_grid_is_told_and_silences_nobody() -> None:
    right = b"return search.moves_to(position)"
    code = base()["solvers/dfs.py"]
    assert right in code
    found = result("dfs", ("solvers/dfs.py", code.replace(right, right + b"[::-1]")))
    assert found.story is not None
    assert found.look_at is not None
