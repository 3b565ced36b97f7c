"""What checks draw from: each family has its feature, and is the same for everybody; and small mazes."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises import registry
from grader.exercises.kit.draw import FAMILIES, draw
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.library import HAS, SMALL_FOR_ONE, CaseBook, large_mazes, nearly_perfect, serpentine
from grader.exercises.kit.small_mazes import (
    IS,
    LEAST_WAY,
    FixedMaze,
    read,
    sets_to_tell_apart,
    shape_of,
    simpler,
    small_mazes,
    with_a_way,
)
from grader.exercises.kit.solvers.cases import CONTROLS, SolverCases
from grader.exercises.search.judge import answers
from grader.exercises.search.scripts import KINDS, Script, scripts
from lab import Dimension, Maze, Vector
from reference.solvers.search import Search
from tests.grader.words import english

DRAW = """
from grader.exercises.kit.draw import draw
from hypothesis import strategies as st
print(draw(st.integers(), 300, 7))
"""


@pytest.mark.parametrize("family", [name for name in FAMILIES if name in HAS])
@given(data=st.data())
def test_each_family_has_its_feature(family: str, data: st.DataObject) -> None:
    text = data.draw(FAMILIES[family]).to_text()
    assert facts_of(text).cycle if family == "cycles" else HAS[family](text)


def test_a_way_is_asked_for_where_there_is_one() -> None:
    book = CaseBook(seed=3, examples=60)
    assert all(facts_of(text).length for text in book.family("way"))
    assert any(facts_of(text).cycle for text in book.family("no way"))
    assert any(facts_of(text).maze.exit is not None for text in book.family("no way"))
    assert any(facts_of(text).maze.exit is None for text in book.family("no way"))


def test_draws_are_the_same_for_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for name in ("one", "other"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        texts.append(CaseBook(seed=7, examples=50).family("cycles"))
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 50 + 50 // SMALL_FOR_ONE


def test_a_strategy_with_few_examples_gives_those() -> None:
    assert sorted(draw(st.integers(1, 3), 10, seed=1)) == [1, 2, 3]


@pytest.mark.processes
@pytest.mark.parametrize("before", ["import grader.batch.class_run", "import lab.cli, grader.feedback.page"])
def test_what_else_is_loaded_changes_no_example(before: str) -> None:
    def drawn(before: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", before + DRAW], capture_output=True, text=True, check=True
        ).stdout

    assert drawn(before) == drawn("")


@pytest.mark.parametrize("count", [1, 7, 30])
def test_of_what_is_drawn_each_size_keeps_its_share(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = st.integers(0, 10**6)
    kept = draw(numbers, count, 3, size=int)
    monkeypatch.setattr("grader.exercises.kit.draw.DRAWN_FOR_ONE", 1)
    every = draw(numbers, 3 * count, 3)
    assert sorted(kept) == sorted(every)[::3]
    assert [number for number in every if number in kept] == [*kept]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_scripts_record_something_and_repeat_nothing_open(kind: str, data: st.DataObject) -> None:
    script = data.draw(scripts(kind))
    assert any(method == "record" for _, method, _ in script)
    assert len(answers(script)) == len(script)


def gains(script: Script) -> set[int]:
    """By how many moves ways become shorter."""
    search, found = Search(), set()
    for _, method, vectors in script:
        before = {cell: search.distance_to(cell) for cell in search.known_cells}
        with suppress(LookupError):
            value = getattr(search, method)
            _ = value if method == "known_cells" else value(*(Vector(*vector) for vector in vectors))
        found |= {distance - search.distance_to(cell) for cell, distance in before.items()}
    return found - {0}


def test_scripts_of_the_kind_hold_a_shorter_way() -> None:
    drawn = draw(scripts("shorter way"), 100, seed=1)
    assert all(map(gains, drawn))
    assert not any(map(gains, draw(scripts("known cell"), 100, seed=1)))
    for gain in (1, 2, 3, 4):
        assert sum(gains(script) == {gain} for script in drawn) >= 5


def test_fixed_mazes_go_to_the_exercises_that_use_them() -> None:
    room = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
    mazes = [FixedMaze("public", room, False, ("dfs",)), FixedMaze("hidden", room, True, ("dfs", "bfs"))]
    book = CaseBook(seed=1, examples=1, mazes=mazes)
    assert [maze.name for maze in book.fixed("dfs", hidden=False)] == ["public"]
    assert [maze.name for maze in book.fixed("bfs", hidden=True)] == ["hidden"]
    assert book.fixed("dfs", hidden=False, having="way") == []
    assert [maze.name for maze in book.fixed("dfs", hidden=False, having="cycles")] == ["public"]


@pytest.mark.parametrize("seed", range(5))
def test_large_mazes_may_lack_little_of_being_perfect(seed: int) -> None:
    more, fewer, *moved = (facts_of(text) for text in nearly_perfect(seed))
    cells = more.dimension.position_count
    assert (more.passage_count, len(more.distances)) == (cells, cells)
    assert fewer.passage_count == cells - 2
    assert len(fewer.distances) < cells
    (check,) = registry.make_checks("perfection", ["perfection.deep"], CaseBook(seed, 20))
    for other in moved:
        assert (other.passage_count, len(other.islands)) == (other.dimension.position_count - 1, 1)
        assert other.cycle
    assert {each.text for each in (more, fewer, *moved)} <= {case.facts.text for case in check.cases}


def test_large_mazes_are_what_they_are_called() -> None:
    mazes = {english(label): text for label, text in large_mazes(1)}
    assert Facts(mazes["a serpentine of 60 x 60"]).is_perfect
    assert Facts(mazes["a maze of 60 x 60 with many cycles and no way"]).length is None
    cut = Facts(mazes["a twisty maze of 60 x 60 with a wall across the way"])
    assert cut.length is None
    assert not cut.cycle
    assert 500 < len(cut.islands) < 3100
    assert Facts(serpentine(Dimension(5, 4)).to_text()).length == 19


def test_the_four_of_a_set_differ_in_kind_only() -> None:
    for texts in sets_to_tell_apart(seed=5):
        perfect, more, fewer, as_many = facts = [facts_of(text) for text in texts]
        assert len({(each.dimension, each.maze.entry, each.maze.exit) for each in facts}) == 1
        assert [each.is_perfect for each in facts] == [True, False, False, False]
        assert not more.islands
        assert not fewer.cycle
        assert as_many.cycle
        assert as_many.islands
        assert fewer.passage_count < perfect.passage_count == as_many.passage_count < more.passage_count


@given(FAMILIES["no way"])
def test_a_way_is_made_without_touching_a_wall(maze: Maze) -> None:
    text = maze.to_text()
    found = with_a_way(text, Random(3))
    if found is not None:
        assert (facts_of(found).length or 0) >= LEAST_WAY
        assert facts_of(found).walls == Facts(text).walls


@pytest.mark.parametrize("examples", [5, 60])
def test_few_drawn_mazes_make_as_many_controls_as_many_do(examples: int) -> None:
    controls = SolverCases(CaseBook(1, examples), "bfs").controls
    assert 0.75 * CONTROLS < len({case.facts.text for case in controls}) == len(controls) < 2 * CONTROLS


def size(text: str) -> int:
    return facts_of(text).dimension.position_count


@pytest.mark.parametrize("kind", HAS)
def test_small_mazes_are_of_their_kind_each_comes_once_and_the_smallest_first(kind: str) -> None:
    texts = small_mazes(kind)
    assert all(HAS[kind](text) for text in texts[::7])
    assert len(set(texts)) == len(texts)
    sizes = [len(read(text).cells) for text in texts]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("kind", "cells", "count"),
    [
        ("way", 2, 4),  # both dimensions, each way round
        ("way", 6, 2 * 30 + 2 * 15 * 30),  # two corridors, fifteen trees of 2 x 3 as of 3 x 2
        ("cycles", 4, 12),
        ("cycles", 6, 2 * 8 * 30),
        ("perfect", 4, 3 * (2 + 4)),
        ("missing passage", 3, 3 * 2 * 3),
        ("extra passage", 4, 3),
        ("no way", 2, 2 * 6),
    ],
)
def test_up_to_six_cells_none_is_missing(kind: str, cells: int, count: int) -> None:
    assert sum(len(read(text).cells) == cells for text in small_mazes(kind)) == count


@given(st.sampled_from([*IS]).flatmap(lambda kind: st.tuples(st.just(kind), FAMILIES[
    kind if kind in FAMILIES else "cycles"])))  # fmt: skip
def test_a_grid_is_the_maze_that_it_was_read_from(drawn: tuple[str, object]) -> None:
    kind, maze = drawn
    text = maze.to_text()  # type: ignore[attr-defined]
    assert read(text).text() == text
    assert IS[kind](shape_of(read(text))) == HAS[kind](text)


@given(st.sampled_from([*FAMILIES]).flatmap(lambda kind: st.tuples(st.just(kind), FAMILIES[kind])))
def test_what_is_made_of_a_maze_is_smaller_and_of_the_same_kind(drawn: tuple[str, object]) -> None:
    kind, maze = drawn
    kind = kind if kind in HAS else "reachable"
    text = maze.to_text()  # type: ignore[attr-defined]
    made = list(simpler(text, kind))
    assert all(HAS[kind](less) and size(less) < size(text) for less in made)
    assert [size(less) for less in made] == sorted(map(size, made))
    assert len(set(made)) == len(made)


def test_a_row_that_is_taken_out_leaves_what_it_joined_joined() -> None:
    shaft = "+-+\n|S|\n+ +\n| |\n+ +\n|E|\n+-+"
    assert list(simpler(shaft, "way")) == ["+-+\n|S|\n+ +\n|E|\n+-+"]
    assert list(simpler("+-+-+\n|S E|\n+-+-+", "way")) == []
