"""What checks draw from: each family has its feature, and is the same for everybody."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises import registry
from grader.exercises.kit.draw import FAMILIES, draw
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.library import HAS, SMALL_FOR_ONE, CaseBook, large_mazes, nearly_perfect, serpentine
from grader.exercises.kit.small_mazes import FixedMaze
from grader.exercises.search.judge import answers
from grader.exercises.search.scripts import KINDS, Script, scripts
from lab import Dimension, Vector
from reference.solvers.search import Search
from tests.grader.words import english


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


def test_another_seed_draws_others() -> None:
    one, other = (CaseBook(seed=seed, examples=30).family("way") for seed in (1, 2))
    assert set(one) != set(other)


def test_a_strategy_with_few_examples_gives_those() -> None:
    assert sorted(draw(st.integers(1, 3), 10, seed=1)) == [1, 2, 3]


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


@pytest.mark.parametrize("gain", [1, 2, 3, 4])
def test_ways_become_shorter_by_an_odd_and_an_even_number_of_moves(gain: int) -> None:
    drawn = draw(scripts("shorter way"), 100, seed=1)
    assert sum(gains(script) == {gain} for script in drawn) >= 5


def test_fixed_mazes_go_to_the_exercises_that_use_them() -> None:
    room = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
    book = CaseBook(
        seed=1,
        examples=1,
        mazes=[FixedMaze("public", room, False, ("dfs",)), FixedMaze("hidden", room, True, ("dfs", "bfs"))],
    )
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
    assert Facts(mazes["a divided room of 60 x 60"]).is_perfect
    for size in ("24 x 24", "60 x 60"):
        assert Facts(mazes[f"a maze of {size} with many cycles"]).cycle
        assert Facts(mazes[f"a maze of {size} with many cycles and no way"]).length is None
    endless = Facts(mazes["a serpentine of 60 x 60 without an exit"])
    assert endless.is_perfect
    assert endless.maze.exit is None
    cut = Facts(mazes["a twisty maze of 60 x 60 with a wall across the way"])
    assert cut.length is None
    assert not cut.cycle
    assert 500 < len(cut.islands) < 3100
    assert Facts(serpentine(Dimension(5, 4)).to_text()).length == 19
