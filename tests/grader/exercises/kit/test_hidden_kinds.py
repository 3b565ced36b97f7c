"""The kinds of cases that hidden checks name."""

from __future__ import annotations

import pytest

from grader.exercises.kit.check import KINDS, Case
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.library import large_mazes
from grader.exercises.registry import kind_of
from grader.languages import catalogue, languages, said
from grader.model import Call, Generate, IsPerfect, Solve
from lab import Dimension, Factory

ROOM = Factory().fully_connected(Dimension(2, 3)).to_text()
LARGE_ROOM = Factory().fully_connected(Dimension(24, 24)).to_text()
ROW = Factory().fully_connected(Dimension(1, 5)).to_text()
WALLS = Factory().fully_disconnected(Dimension(2, 2)).to_text()
TREE = "+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+"
RING = "+-+-+-+\n|S   E|\n+ + +-+\n|     |\n+-+-+-+"
RING_AND_ISLAND = "+-+-+-+\n|S   E|\n+ + +-+\n|   | |\n+-+-+-+"


@pytest.mark.parametrize(
    ("maze", "searched", "checked"),
    [
        (ROOM, "room", "room"),
        (LARGE_ROOM, "large_room", "large_room"),
        (ROW, "narrow", "narrow"),
        (WALLS, "no_way", "islands"),
        (TREE, "no_cycle", "no_cycle"),
        (TREE.replace("E", " "), "no_exit", "no_cycle"),
        (RING, "cycles", "cycles"),
        (RING_AND_ISLAND, "cycles", "cycle_and_islands"),
    ],
)
def test_a_maze_is_named_by_what_is_asked_of_it(maze: str, searched: str, checked: str) -> None:
    label = said("the_maze", name="One dead end")
    solved = Case(Call("a", Solve((maze,))), label, facts_of(maze))
    judged = Case(Call("b", IsPerfect(maze)), label, facts_of(maze))
    assert kind_of("bfs").hidden_kind(solved) == searched
    assert kind_of("perfection").hidden_kind(judged) == checked


def test_large_mazes_are_called_large() -> None:
    label = said("a_script")
    named = {
        kind_of("dfs").hidden_kind(Case(Call("a", Solve((text,))), label, facts_of(text)))
        for _, text in large_mazes(2026)
    }
    assert len(named) > 2
    assert all("large" in name or "no_exit" in name for name in named)


def test_a_dimension_is_named_by_its_form() -> None:
    label = said("a_dimension", size="1 x 300")
    named = (((1, 300), "long"), ((100, 1), "long"), ((60, 60), "large"), ((24, 24), "large"))
    for dimension, name in (*named, ((1, 99), ""), ((5, 7), "")):
        case = Case(Call("a", Generate(*dimension, seed=1)), label, None)
        assert kind_of("generator").hidden_kind(case) == (f"{name}_dimension" if name else "")


@pytest.mark.parametrize("language", languages())
def test_every_kind_has_words_that_tell_no_maze(language: str) -> None:
    t = catalogue(language)
    words = {t.say(said("hidden_kind", kind=said(f"kind_{name}"))) for name in KINDS}
    assert len(words) == len(KINDS)
    assert not [text for text in words if any(sign.isdigit() for sign in text)]
