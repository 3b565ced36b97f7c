"""The exercise that ships as an extra, graded in a box: right walks in several styles, and wrong ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from grader.course.exercise_folder import SHIPPED
from grader.course.plan import Plan, load_plan
from grader.feedback.text import render_text
from grader.grading.engine import grade
from grader.model import CheckJson, ResultsJson, Submission
from grader.results import as_data
from grader.sandbox.bubblewrap import BubblewrapBackend

Graded = Callable[[Path], ResultsJson]
HANDED_IN = Path(__file__).parents[3] / "submissions" / "wall_follower"
RIGHT = sorted((HANDED_IN / "right").glob("*.py"))
REFERENCE = SHIPPED / "wall_follower" / "reference.py"
POINTS: Final = {
    "perfect": 30,
    "corridors": 10,
    "cycles": 20,
    "no-way": 10,
    "large": 10,
    "unchanged": 5,
    "repeat": 5,
    "hidden-mazes": 10,
}
WALK = frozenset({"perfect", "corridors", "cycles", "large", "hidden-mazes"})
"""What is lost by a walk that is not by the rule."""
ROUND = frozenset({"cycles", "no-way", "large", "hidden-mazes"})
"""What is lost by one that goes round."""
ALL_BUT_NO_WAY = WALK | {"unchanged", "repeat"}
ALL = frozenset(POINTS)
LETS_GO = (
    r"lets go of the wall with move \d+ \(\w+\): at \(\d+, \d+\), facing \w+, the right hand leads \w+\."
)
GIVES_UP = r"returned None, though the walk comes to the exit \(\d+, \d+\) with move \d+"
WRONG: Final[Mapping[str, tuple[str, str, frozenset[str]]]] = {
    "ahead_first": ("perfect", LETS_GO, WALK),
    "always_none": ("perfect", GIVES_UP, ALL),
    "faces_as_it_did_before": ("repeat", f"solved .*after another .* {LETS_GO}", frozenset({"repeat"})),
    "fails_where_it_is_walled_in": (
        "no-way",
        "raised IndexError.*line 12",
        frozenset({"no-way", "hidden-mazes"}),
    ),
    "forgets_the_last_move": (
        "perfect",
        r"stops after 0 of 1 moves, in \(1, 1\), which is not",
        ALL_BUT_NO_WAY,
    ),
    "gives_up_in_a_cell_again": ("perfect", GIVES_UP, WALK),
    "gives_up_too_early": ("perfect", GIVES_UP, WALK),
    "goes_on_from_the_exit": (
        "perfect",
        r"goes on from the exit \(1, 2\) with move 2 \(west\)",
        ALL_BUT_NO_WAY,
    ),
    "keeps_the_walk_that_goes_round": ("no-way", r"returned a walk that ends in \(1, 1\), though", ROUND),
    "left_hand": ("perfect", LETS_GO, ALL_BUT_NO_WAY),
    "names_instead_of_moves": ("perfect", "a list whose element 1 is 'east' .a str.", ALL_BUT_NO_WAY),
    "never_gives_up": ("no-way", "went on for ever", ROUND),
    "never_turns": ("perfect", GIVES_UP, ALL),
    "no_search_parameter": ("perfect", r"takes self, maze: it is called with self, maze, search", ALL),
    "returns_cells": ("perfect", r"element 1 of the list is \(1, 2\), which is none", ALL_BUT_NO_WAY),
    "shortest_way": ("perfect", LETS_GO, ALL_BUT_NO_WAY),
    "starts_facing_east": ("perfect", LETS_GO, WALK),
    "through_walls": ("perfect", r"runs into a wall at \(1, 1\) with move 1 \(east\)", ALL),
    "turns_back_before_left": ("cycles", LETS_GO, ALL),
    "walls_up_behind": ("unchanged", "changed the maze that it was given", frozenset({"unchanged"})),
    "without_dead_ends": ("perfect", LETS_GO, WALK),
}
"""Of each the check that tells it, the words, and what it loses."""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """A course of this exercise alone, with the shipped mazes."""
    folder = tmp_path_factory.mktemp("course")
    lines = [f"      wall_follower.{name}: {{points: {points}}}\n" for name, points in POINTS.items()]
    (folder / "rubric.yaml").write_text(
        "title: Walls\nexercises:\n  wall_follower:\n    checks:\n" + "".join(lines)
    )
    (folder / "mazes").symlink_to(SHIPPED.parent / "mazes")
    return load_plan(folder / "rubric.yaml", explain=False)


@pytest.fixture(scope="module")
def results(plan: Plan) -> Graded:
    """Grades a file, once."""

    @cache
    def graded(path: Path) -> ResultsJson:
        submission = Submission(path.stem, {"solvers/wall_follower.py": path.read_bytes()})
        return as_data(grade(submission, plan, BubblewrapBackend()))

    return graded


def checks(results: ResultsJson) -> dict[str, CheckJson]:
    return {each["id"].partition(".")[2]: each for each in results["exercises"][0]["checks"]}


def test_there_is_a_row_for_each_wrong_one() -> None:
    assert set(WRONG) == {path.stem for path in (HANDED_IN / "wrong").glob("*.py")}


@pytest.mark.usefixtures("_untraced")
def test_what_staff_may_try_needs_the_kit_of_the_course(results: Graded) -> None:
    """The maze command of the grader's own environment has the lab's exercises alone."""
    shown = render_text(results(HANDED_IN / "wrong" / "never_turns.py"), source="results/ada")
    [heading] = {line.strip() for line in shown.splitlines() if "Try it yourself" in line}
    assert heading.endswith("(with the maze command of the course's kit, which knows this exercise):")


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("path", [REFERENCE, *RIGHT], ids=lambda path: path.stem)
def test_right_walks_get_everything(path: Path, results: Graded) -> None:
    graded = results(path)
    assert [
        (id_, each["message"]) for id_, each in checks(graded).items() if each["status"] != "passed"
    ] == []
    assert graded["score"] == 100


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("name", WRONG)
def test_wrong_walks_are_told_what_and_where(name: str, results: Graded) -> None:
    told, words, lost = WRONG[name]
    graded = checks(results(HANDED_IN / "wrong" / f"{name}.py"))
    assert {id_ for id_, each in graded.items() if each["status"] != "passed"} == lost
    assert re.search(words, graded[told]["message"])
