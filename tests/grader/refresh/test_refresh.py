"""``grader refresh``: next year's course, as strong as this year's, and what of this year's got out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cli import main
from grader.course.plan import Plan, load_plan
from grader.course.rubric import SHIPPED, load_rubric
from grader.exercises import registry
from grader.exercises.kit.facts import facts_of
from grader.refresh import Strength, candidates, form, measure_strengths, renew_mazes, stretch
from grader.verification.bank import Graded, KnownSubmission
from lab import Maze
from lab.costs import dear_steps, has_costs
from tests.lab.drawn import mazes_with_costs

FORK = "+-+-+-+\n|  S E|\n+-+-+-+"
LOOP = "+-+-+-+\n|  S  |\n+ + + +\n|    E|\n+-+-+-+"
RUBRIC = """\
title: Lab
# a word
examples: 5
seed: 7   # of this year
mazes: tests   # beside it
exercises: {dfs: {checks: {dfs.valid-path: 60, dfs.hidden-mazes: {points: 40, visibility: hidden}}}}
"""
HURRY = [
    "--sandbox",
    "process",
    "--quiet",
    "--jobs",
    "1",
    "--only",
    "reference",
    "--only",
    "wrong--dfs-west-*",
]


def maze_file(name: str, text: str, *, hidden: bool = True, more: str = "") -> str:
    drawing = text.replace("\n", "\n  ")
    visibility = "hidden" if hidden else "public"
    return f"name: {name}\ncatches: a mistake\nvisibility: {visibility}\n{more}maze: |\n  {drawing}\n"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    (folder / "tests").mkdir(parents=True)
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "tests/fork.yaml").write_text(maze_file("Fork", FORK, more="exercises: [dfs]\n"))
    (folder / "tests/own.yaml").write_text(maze_file("Own", LOOP, more="at_most_visits: 6\n"))
    (folder / "tests/shown.yaml").write_text(maze_file("Shown", "+-+-+\n|S E|\n+-+-+", hidden=False))
    return folder


# --- candidates ---------------------------------------------------------------------------------


@given(mazes_with_costs(), st.integers())
def test_a_stretched_maze_keeps_what_its_passages_cost(maze: Maze, seed: int) -> None:
    def dear(of: Maze) -> Counter[int]:
        return Counter(cost for _, _, cost in dear_steps(of))

    wider = dear(stretch(maze, Random(seed)))
    assert all(wider[cost] >= count for cost, count in dear(maze).items())
    assert wider.keys() == dear(maze).keys()


def test_mazes_that_differ_in_costs_alone_are_two_and_their_candidates_cost_too() -> None:
    maze = Maze.from_text("+-+-+-+-+\n|S9     |\n+ +-+ + +\n| 2 2 3 |\n+ + + + +\n|      E|\n+-+-+-+-+")
    other = maze.copy()
    other.break_wall((1, 1), (0, 1), 8)
    assert len({form(each.to_text()) for each in (maze, other)}) == 2
    known = {form(maze.to_text())}
    found = candidates(maze, 3, Random(1), known)
    assert len(found) == 3
    assert all(map(has_costs, found))
    assert {cost for each in found for _, _, cost in dear_steps(each)} <= {2, 3, 9}


def test_a_stretched_maze_is_of_its_kind_and_as_long_at_least() -> None:
    for maze in load_rubric(SHIPPED, checks=registry.titles()).mazes:
        for seed in range(5):
            before, after = facts_of(maze.text), facts_of(stretch(maze.maze, Random(seed)).to_text())
            rows, columns = before.dimension.row_count, before.dimension.column_count
            grown = after.dimension.position_count - before.dimension.position_count
            assert grown in (rows, columns)
            assert after.fault_count == before.fault_count
            assert (after.part_count, after.maze.exit is None) == (
                before.part_count,
                before.maze.exit is None,
            )
            assert (after.length is None) == (before.length is None)
            assert before.length is None or (after.length or 0) >= before.length


def test_candidates_are_new_and_of_the_same_kind() -> None:
    def kind(text: str) -> tuple[bool, ...]:
        facts = facts_of(text)
        return facts.maze.exit is None, facts.length is None, bool(facts.cycle), bool(facts.islands)

    for text in (LOOP, *(maze.text for maze in load_rubric(SHIPPED, checks=registry.titles()).mazes[:8])):
        known = {form(text)}
        found = [maze.to_text() for maze in candidates(Maze.from_text(text), 8, Random(1), known)]
        assert len(found) == 8
        assert len({*map(form, found), form(text)}) == 9 == len(known)
        assert {*map(kind, found)} == {kind(text)}


def test_turned_and_mirrored_mazes_are_the_same() -> None:
    assert form(LOOP) == form(LOOP[::-1]) != form(FORK)


# --- the search ---------------------------------------------------------------------------------


def test_a_maze_takes_the_place_of_one_that_catches_no_more_and_punishes_nobody(course: Path) -> None:
    """The bank is pretended: who catches what hangs on the round and the place of a maze in it alone."""
    bank = [
        KnownSubmission("right--one", {}),
        *(KnownSubmission(f"wrong--{name}", {}, frozenset({"dfs"})) for name in ("a", "b", "c")),
        KnownSubmission("wrong--elsewhere", {}, frozenset({"bfs"}), frozenset({"dfs"})),
    ]
    asked: list[tuple[str, list[str]]] = []
    places: dict[str, str] = {}

    def grade(some: Sequence[KnownSubmission], plan: Plan, name: str) -> list[Graded]:
        asked.append((name, [known.name for known in some]))
        for place, maze in enumerate(plan.rubric.mazes, start=1):
            places.setdefault(maze.name, maze.name if name == "old" else f"{name}.{place}")
        return [graded(known, [maze.name for maze in plan.rubric.mazes]) for known in some]

    patterns = {
        "wrong--a": r"Fork|Own|.*[^1]",
        "wrong--b": r"Fork|round-2\.[3-6]",
        "wrong--c": r"Own",
        "right--one": r".*\.[34]",
        "wrong--elsewhere": r".*",
    }

    def graded(known: KnownSubmission, mazes: list[str]) -> Graded:
        names = [name for name in mazes if re.fullmatch(patterns[known.name], places[name])]
        return Graded(known, {}, {}, {}, {"dfs.hidden-mazes": names}, {})

    plan = load_plan(course / "rubric.yaml")
    fork, own = renew_mazes(plan, bank, grade, seed=9)
    assert (fork.old.name, fork.caught, fork.new_caught, fork.reason) == ("Fork", 2, 2, "")
    assert fork.new is not None
    assert re.fullmatch(r"Fork \(anew, [0-9a-f]{12}\)", fork.new.name)
    assert fork.new.exercises == ("dfs",)
    assert (own.new, own.reason) == (None, "its file makes statements about it: write another maze yourself")
    assert asked[0] == ("old", ["wrong--a", "wrong--b", "wrong--c", "wrong--elsewhere"])
    assert [name for name, _ in asked] == ["old", "round-1", "round-2", "right-2"]
    again, _ = renew_mazes(plan, bank, grade, seed=9, seen=[form(fork.new.text)])
    assert again.new is None or form(again.new.text) != form(fork.new.text)


def test_where_nothing_is_as_good_the_old_one_stays(course: Path) -> None:
    def grade(some: Sequence[KnownSubmission], plan: Plan, _name: str) -> list[Graded]:
        names = [maze.name for maze in plan.rubric.mazes if maze.name == "Fork"]
        return [Graded(known, {}, {}, {}, {"dfs.hidden-mazes": names}, {}) for known in some]

    (course / "tests/own.yaml").unlink()
    bank = [KnownSubmission("wrong--a", {}, frozenset({"dfs"}))]
    (kept,) = renew_mazes(load_plan(course / "rubric.yaml"), bank, grade, seed=9)
    assert (kept.new, kept.reason) == (
        None,
        "none of the mazes that were tried catches as much: try another --seed",
    )


def test_strength_is_what_is_caught_where_it_is_wrong(course: Path) -> None:
    plan = load_plan(course / "rubric.yaml")
    known = KnownSubmission("wrong--a", {}, frozenset({"dfs"}), frozenset({"bfs"}))
    mazes = {"dfs.hidden-mazes": ["Fork"], "bfs.hidden-mazes": ["Fork"], "perfection.hidden-mazes": ["Fork"]}
    found = measure_strengths(
        plan.rubric.mazes[:1], [known], plan, lambda some, *_: [Graded(some[0], {}, {}, {}, mazes, {})], "x"
    )
    pairs = frozenset({("wrong--a", "dfs")}), frozenset({("wrong--a", "perfection")})
    assert found == {"Fork": Strength(*pairs)}
    assert not found["Fork"].is_as_good_as(Strength(frozenset(), frozenset()))


# --- the command --------------------------------------------------------------------------------


@pytest.mark.processes
def test_the_command_writes_a_course_that_catches_as_much(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new"
    asked = ["--from", str(course), "--out", str(new), "--seed", "8", "--keep", str(tmp_path / "kept")]
    assert main(["refresh", *asked, *HURRY]) == 0
    told = capsys.readouterr().out
    assert "Looked through the public tests: no maze of a hidden check is there." in told
    assert "Seed 8 replaces 7" in told
    assert "Hidden mazes made anew: 1 of 2" in told
    assert "own.yaml: its file makes statements about it" in told
    rubric = (new / "rubric.yaml").read_text(encoding="utf-8")
    assert rubric == RUBRIC.replace("seed: 7", "seed: 8")
    mazes = {maze.path.name: maze for maze in load_plan(new / "rubric.yaml").rubric.mazes}
    assert mazes["own.yaml"].text == LOOP
    fresh = mazes["fork.yaml"]
    assert form(fresh.text) != form(FORK)
    assert (fresh.catches, fresh.visibility, fresh.exercises) == ("a mistake", "hidden", ("dfs",))
    told = re.search(r"fork\.yaml +(\d+) +(\d+)", told)  # type: ignore[assignment]
    assert told is not None
    assert 0 < int(told[1]) <= int(told[2])
    assert not list(tmp_path.glob(".maze-grader-*"))


def test_what_students_have_seen_is_told(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    (results / "ada").mkdir(parents=True)
    turned = "\n".join(LOOP.split("\n")[::-1])
    shown = {"exercises": [{"checks": [{"counterexample": {"maze": turned}}]}]}
    (results / "ada/results.json").write_text(json.dumps(shown), encoding="utf-8")
    (results / "ada/feedback.html").write_text("<p>nothing</p>", encoding="utf-8")
    assert main(["refresh", "--from", str(course / "rubric.yaml"), "--results", str(results)]) == 0
    told = capsys.readouterr().out
    assert "students have 1 (the public tests and 2 pages of students)" in told
    assert f"the hidden maze “Own”: {results}/ada/results.json" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old", "results"]
