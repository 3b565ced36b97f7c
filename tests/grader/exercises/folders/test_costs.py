"""Ways that cost least: what the judge says, which mazes are drawn and asked, and where looks are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grader.course.exercise_folder import SHIPPED, load_own_exercise
from grader.course.maze_files import load_maze_file
from grader.course.plan import fixed_mazes
from grader.course.rubric import load_rubric
from grader.errors import MazeFileError
from grader.exercises.kit.costs import has_costs, is_detour, is_tie, least_from
from grader.exercises.kit.draw import draw_mazes
from grader.exercises.kit.folders.code import KNOWN, know, made
from grader.exercises.kit.folders.judge import looked_at, solver_values
from grader.exercises.kit.library import large_mazes_with_costs
from grader.exercises.registry import titles
from grader.languages import catalogue
from lab import EAST, NORTH, SOUTH, Maze, Vector
from lab.watch import Watch, WatchedMaze

DEAR = "+-+-+-+\n|S9  E|\n+ +-+ +\n| 2   |\n+-+-+-+"
TIE = "+-+-+\n|S2 |\n+2+ +\n|  E|\n+-+-+"
FILE = "name: Dear\ncatches: what counts moves\nvisibility: hidden\n{}maze: |\n" + "".join(
    f"  {line}\n" for line in DEAR.split("\n")
)
BOTH = ("cheapest", "a_star")


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    know([load_own_exercise(SHIPPED / name) for name in BOTH])
    yield
    know(())


def says(text: str, returned: Any, exercise: str = "cheapest", **asked: Any) -> str | None:
    found = KNOWN[exercise].complaint("solve", solver_values(text), returned, **asked)
    return None if found is None else catalogue("en").say(found.message)


@pytest.mark.parametrize("exercise", BOTH)
def test_a_dearer_way_is_told_with_both_sums(exercise: str) -> None:
    told = "returned a way that costs 9 + 1 = 10, though another costs 1 + 2 + 1 + 1 = 5"
    assert says(DEAR, [EAST, EAST], exercise) == told
    assert says(DEAR, [SOUTH, EAST, EAST, NORTH], exercise) is None


def test_any_of_several_cheapest_ways_is_right() -> None:
    assert says(TIE, [EAST, SOUTH]) is None
    assert says(TIE, [SOUTH, EAST]) is None


def test_what_is_no_way_is_told() -> None:
    assert says(DEAR, None) == "returned None, though a way to the exit (1, 3) costs 5"
    assert says(DEAR, [SOUTH, SOUTH]) == "runs into a wall at (2, 1) with move 2 (south)"
    assert says(DEAR, [SOUTH]) == "returned moves that end in (2, 1), not in the exit"
    assert (
        says(TIE.replace("E", " "), [EAST])
        == "returned a way that ends in (1, 2), though no way leads to an exit"
    )
    assert says(TIE.replace("E", " "), None) is None


def test_most_drawn_mazes_tell_costs_from_moves() -> None:
    detours, ties = (
        [Maze.from_text(text) for text in draw_mazes(name, 12, 5, is_ordinary=False)]
        for name in ("costs", "equal costs")
    )
    assert len(detours) == len(ties) == 12  # of the second, every other one is asked
    assert all(map(is_detour, detours))
    assert all(map(is_tie, ties))


def test_large_mazes_tell_costs_from_moves() -> None:
    mazes = [Maze.from_text(text) for _, text in large_mazes_with_costs(2026)]
    with_a_way = [maze for maze in mazes if maze.exit in least_from(maze, maze.entry)]
    assert sum(map(is_detour, with_a_way)) >= len(with_a_way) / 2
    assert sum(map(is_tie, with_a_way)) >= len(with_a_way) / 5


@pytest.mark.parametrize("exercise", BOTH)
def test_most_hidden_mazes_of_its_own_tell_costs_from_moves(exercise: str) -> None:
    mazes = [Maze.from_text(maze.text) for maze in KNOWN[exercise].exercise.mazes]
    assert sum(map(is_detour, mazes)) >= len(mazes) / 2
    assert sum(map(is_tie, mazes)) >= len(mazes) / 5


def rooms() -> list[Maze]:
    drawn = (
        KNOWN["a_star"].given("solve", each, "rooms")
        for each in KNOWN["a_star"].drawn("open_rooms", Random(7))
    )
    return [made(values)[0] for values in drawn]


def watched(maze: Maze, answers: type) -> tuple[list[Vector], tuple[Vector, ...]]:
    watch = Watch()
    way = answers().solve(WatchedMaze.of(maze, watch), None)
    return way, looked_at(maze, watch.asked, watch.probed)


def hand_in(exercise: str, file: str) -> type:
    space: dict[str, Any] = {}
    exec((SHIPPED / exercise / file).read_text(encoding="utf-8"), space)  # noqa: S102 - the grader's own
    found: type = space[KNOWN[exercise].exercise.name]
    return found


@pytest.mark.parametrize("file", ["reference.py", "right/heap.py", "right/dictionary-of-sums.py"])
def test_an_estimate_spares_more_than_half_of_the_cells(file: str) -> None:
    drawn = rooms()
    assert len(drawn) == 10
    for maze in drawn:
        least = least_from(maze, maze.entry)
        many = sum(each.cost < least[maze.exit or maze.entry].cost for each in least.values())
        way, cells = watched(maze, hand_in("a_star", file))
        assert 2 * len(cells) < many
        looks = {"looked_at": cells}
        assert says(maze.to_text(), way, "a_star", watched=looks, judged_by="looks") is None


def test_who_estimates_nothing_loses_the_check_whatever_it_is_called() -> None:
    for maze in rooms():
        way, cells = watched(maze, hand_in("cheapest", "right/heap.py"))
        told = says(maze.to_text(), way, "a_star", watched={"looked_at": cells}, judged_by="looks")
        assert told is not None
        assert told.startswith(f"looked at {len(cells)} cells before it came to the exit")
        assert says(maze.to_text(), way, "a_star") is None  # elsewhere, looks are not counted


def test_who_reads_the_maze_in_another_way_is_told_so() -> None:
    told = says(DEAR, [SOUTH, EAST, EAST, NORTH], "a_star", watched={"looked_at": ()}, judged_by="looks")
    assert told is not None
    assert told.startswith("returned a cheapest way through (1, 1), but never asked")


def test_looks_end_at_the_exit() -> None:
    maze = Maze.from_text(TIE)
    assert looked_at(maze, [(1, 1), (2, 2), (1, 2)], [(2, 1)]) == (Vector(1, 1), Vector(2, 1))


def loaded(tmp_path: Path, more: str = "", text: str = FILE) -> Any:
    path = tmp_path / "dear.yaml"
    path.write_text(text.format(more), encoding="utf-8")
    return load_maze_file(path, own=BOTH)


def test_a_maze_with_costs_is_for_none_of_the_six(tmp_path: Path) -> None:
    assert loaded(tmp_path).exercises == ()
    assert loaded(tmp_path, "exercises: [a_star]\n").exercises == ("a_star",)
    with pytest.raises(
        MazeFileError, match=r"dear.yaml:4:21: exercises: bfs is asked of mazes without costs only"
    ):
        loaded(tmp_path, "exercises: [a_star, bfs]\n")


def test_what_a_way_may_cost_is_at_least_what_the_cheapest_costs(tmp_path: Path) -> None:
    assert loaded(tmp_path, "at_most_cost: 5\n").stated[""].at_most_cost == 5
    with pytest.raises(MazeFileError, match="the cheapest way costs 5, at_most_cost is 4"):
        loaded(tmp_path, "at_most_cost: 4\n")
    with pytest.raises(MazeFileError, match="no step of this maze costs more than 1: state at_most_moves"):
        loaded(tmp_path, "at_most_cost: 4\n", FILE.replace("9", " ").replace(" 2 ", "   "))
    with pytest.raises(MazeFileError, match="no way leads to an exit"):
        loaded(tmp_path, "at_most_cost: 4\n", FILE.replace("E", " "))


def test_test_mazes_with_costs_are_asked_of_those_that_ask_about_costs(tmp_path: Path) -> None:
    (tmp_path / "mazes").mkdir()
    rubric = tmp_path / "rubric.yaml"
    checks = (
        f"{name}: {{checks: {{{name}.least-cost: {points}}}}}"
        for name, points in zip(BOTH, (40, 40), strict=True)
    )
    rubric.write_text(
        f"title: Costs\nexercises: {{{', '.join(checks)}, dfs: {{checks: {{dfs.cycles: 20}}}}}}\n",
        encoding="utf-8",
    )
    loaded(tmp_path / "mazes", "at_most_cost: 7\n")
    read = load_rubric(rubric, checks=titles())
    (dear,) = (maze for maze in fixed_mazes(read) if maze.name == "Dear")
    assert dear.exercises == BOTH
    assert {name: stated[0].at_most_cost for name, stated in dear.stated.items()} == dict.fromkeys(BOTH, 7)
    assert all(has_costs(maze.text) for maze in fixed_mazes(replace(read, mazes=())))
    assert json.dumps(dear.text)
