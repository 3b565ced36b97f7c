"""The exercise that ships as an extra, graded in a box: right walks in several styles, and wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from grader.course.exercise_folder import SHIPPED
from grader.course.plan import Plan, load_plan
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
LOST: Final[Mapping[frozenset[str], str]] = {
    WALK: "ahead_first gives_up_in_a_cell_again gives_up_too_early starts_facing_east without_dead_ends",
    ALL: "always_none never_turns no_search_parameter through_walls turns_back_before_left",
    ALL_BUT_NO_WAY: "forgets_the_last_move goes_on_from_the_exit left_hand names_instead_of_moves "
    "returns_cells shortest_way",
    ROUND: "keeps_the_walk_that_goes_round never_gives_up",
    frozenset({"repeat"}): "faces_as_it_did_before",
    frozenset({"unchanged"}): "walls_up_behind",
    frozenset({"no-way", "hidden-mazes"}): "fails_where_it_is_walled_in",
}
"""Which of the wrong walks lose what; what each is told stands in tests/golden."""
WRONG = {name: lost for lost, names in LOST.items() for name in names.split()}


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


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("path", [REFERENCE, *RIGHT], ids=lambda path: path.stem)
def test_right_walks_get_everything(path: Path, results: Graded) -> None:
    graded = results(path)
    assert [
        (id_, each["message"]) for id_, each in checks(graded).items() if each["status"] != "passed"
    ] == []
    assert graded["score"] == 100


@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("name", WRONG)
def test_wrong_walks_lose_what_is_about_their_mistake(name: str, results: Graded) -> None:
    graded = checks(results(HANDED_IN / "wrong" / f"{name}.py"))
    assert {id_ for id_, each in graded.items() if each["status"] != "passed"} == WRONG[name]
