"""What is stated of a maze: who breaks it is told how, and no right solver ever does."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.maze_files import load_maze_file
from grader.errors import MazeFileError
from grader.exercises.kit.draw import FAMILIES, draw
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.small_mazes import Stated
from grader.exercises.kit.solvers.cases import judge_stated
from grader.languages import Message
from lab import EAST, NORTH, Maze, Vector
from tests.grader.exercises.solvers.solvers_in_styles import RIGHT, ReadsAndGoesWestFirst, WestFirst, claim_of

CORNER = "+-+-+-+-+\n|    E  |\n+ +-+-+-+\n|S      |\n+ +-+-+ +\n|       |\n+-+-+-+-+"
BEYOND = Vector(1, 4)


def judged(solver: type, stated: Stated) -> Finding | None:
    return judge_stated(facts_of(CORNER), claim_of(solver, CORNER), "dfs", stated)


@pytest.mark.parametrize(
    ("solver", "stated", "key"),
    [
        (WestFirst, Stated(at_most_visits=10), "too_many_visits"),
        (WestFirst, Stated(at_most_moves=2), "too_many_moves"),
        (WestFirst, Stated(must_visit=(Vector(3, 4), BEYOND)), "not_visited"),
        (WestFirst, Stated(way=(EAST, NORTH)), "not_the_way"),
    ],
)
def test_what_is_broken_is_told_and_drawn(solver: type, stated: Stated, key: str) -> None:
    finding = judged(solver, stated)
    assert finding is not None
    assert isinstance(finding.message, Message)
    assert (finding.status, finding.message.key) == ("failed", f"said.{key}")
    assert finding.expected["visits"]
    assert finding.actual["visits"]


@pytest.mark.parametrize(
    ("solver", "stated"),
    [
        (WestFirst, Stated(at_most_visits=11, at_most_moves=3, must_visit=(Vector(3, 4), Vector(1, 3)))),
        (WestFirst, Stated(way=(NORTH, EAST, EAST))),
        (ReadsAndGoesWestFirst, Stated(at_most_visits=1, must_visit=(BEYOND,))),
        (WestFirst, Stated()),
    ],
)
def test_what_is_kept_to_cannot_be_seen_or_is_no_way_at_all_is_let_be(solver: type, stated: Stated) -> None:
    assert judged(solver, stated) is None


def accepted(path: Path, maze: Maze, exercise: str) -> list[Stated]:
    """The strictest statements that a file may make of a maze, one by one."""
    facts = facts_of(maze.to_text())
    moves = [move.name for move in facts.ways[exercise][0]]
    counts = range(1, facts.dimension.position_count + 1)
    tried = [
        *(next(filter(None, (read(path, maze, exercise, f"{key}: {n}") for n in counts)))
          for key in ("at_most_visits", "at_most_moves")),
        read(path, maze, exercise, f"way: [{', '.join(moves)}]"),
        *(read(path, maze, exercise, f"must_visit: [[{c.row}, {c.column}]]")
          for c in facts.dimension.all_positions()),
    ]  # fmt: skip
    return [stated for stated in tried if stated is not None]


def read(path: Path, maze: Maze, exercise: str, statement: str) -> Stated | None:
    drawing = maze.to_text().replace("\n", "\n  ")
    head = f"name: n\ncatches: c\nvisibility: hidden\nexercises: [{exercise}]\n{statement}\n"
    path.write_text(f"{head}maze: |\n  {drawing}\n", encoding="utf-8")
    try:
        return load_maze_file(path).stated[exercise]
    except MazeFileError:
        return None


@pytest.mark.parametrize("family", ["way", "cycles"])
@pytest.mark.parametrize("exercise", RIGHT)
def test_no_right_solver_breaks_what_may_be_stated(tmp_path: Path, exercise: str, family: str) -> None:
    kinds = set()
    for maze in small_mazes(family, 12):
        facts = facts_of(maze.to_text())
        for stated in accepted(tmp_path / "maze.yaml", maze, exercise):
            kinds.add(tuple(key for key in Stated.__slots__ if getattr(stated, key)))
            for solver in RIGHT[exercise]:
                assert judge_stated(facts, claim_of(solver, facts.text), exercise, stated) is None
    assert len(kinds) == 4


def small_mazes(family: str, count: int) -> list[Maze]:
    texts = FAMILIES[family].filter(_is_small).map(Maze.to_text)
    return [Maze.from_text(text) for text in draw(texts, count, 5)]


def _is_small(maze: Maze) -> bool:
    return maze.dimension.position_count <= 20 and facts_of(maze.to_text()).length is not None
