"""Mazes that differ in one thing from one that a checker got wrong."""

from __future__ import annotations

from itertools import islice

import pytest

from grader.exercises.kit.check import Case, Wrong
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.findings import Finding
from grader.exercises.perfection.judge import twins
from grader.languages import said
from grader.model import Call, IsPerfect

ROOM = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n"
PERFECT = "+-+-+\n|S| |\n+ + +\n|  E|\n+-+-+\n"


def wrong(text: str, before: tuple[str, ...] = ()) -> Wrong:
    case = Case(Call("c", IsPerfect(text, before)), said("after_others"), facts_of(text), text)
    return Wrong(case, Finding("failed", said("changed"), {}, {}))


def test_in_one_cell_there_is_no_room_for_an_exit() -> None:
    assert not [*twins(wrong("+-+\n|S|\n+-+"))]


@pytest.mark.parametrize("text", [ROOM, PERFECT, ROOM.replace("E", " "), PERFECT.replace("E", " ")])
def test_twins_differ_in_what_they_say(text: str) -> None:
    facts = facts_of(text)
    found = [*twins(wrong(text))]
    assert len({each.case.call.id for each in found}) == len(found) > 2
    for twin in found:
        ours, theirs = facts.maze.to_text(), twin.case.facts.maze.to_text()
        changed = [n for n, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
        most = {"no_exit": 1, "exit": 1, "marks": 2, "open": 1, "wall": 1, "moved": 2}[twin.told.key]
        assert len(changed) == most
        assert twin.case.facts.is_perfect is not facts.is_perfect or twin.told.key != "wall"
        assert all(each.facts.is_perfect is not facts.is_perfect for each in twin.also)


def test_what_differs_in_entry_or_exit_comes_first_and_is_not_right_by_chance() -> None:
    first, second, third = islice(twins(wrong(ROOM)), 3)
    assert [each.told.key for each in (first, second, third)] == ["no_exit", "marks", "wall"]
    assert first.also
    assert third.case.facts.is_perfect


def test_a_series_of_mazes_and_a_large_maze_have_no_twins() -> None:
    assert not [*twins(wrong(ROOM, (PERFECT,)))]
    assert not [*twins(wrong("+-" * 26 + "+\n|S" + "  " * 25 + "|\n" + "+-" * 26 + "+\n"))]
