"""``maze trace --given``: calls of a course's own exercises, with what they are given beside the maze."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab import Dimension, Maze, Vector, exercises
from lab.commands.errors import CommandError
from lab.commands.trace_arguments import arguments_of, given_options, read_given
from lab.commands.trace_child import record_solver
from lab.exercises import Exercise
from lab.render.trace import to_page

ROOM = Maze.from_text("+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+")
CALLS = (("solve", ("maze", "key", "rooms")),)
COLLECT = Exercise("collect", "Collect", "collect.py", "Collect", "answer", CALLS)
SIZES = Exercise("sizes", "Sizes", "sizes.py", "sizes", "answer", (("", ("maze", "dimension", "search")),))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of a course with an exercise of its own, for a file that tests write."""
    added = exercises.EXERCISES[len(exercises.LAB_EXERCISES) :]
    exercises.add_to_the_lab([replace(COLLECT, file=f"{tmp_path.name}.py")])  # a module of its own
    yield tmp_path
    exercises.add_to_the_lab(added)


def page(folder: Path, answer: str, *given: str) -> str:
    text = f"class Collect:\n    def solve(self, maze, key, rooms):\n        return {answer}\n"
    (folder / f"{folder.name}.py").write_text(text, encoding="utf-8")
    recording = record_solver(ROOM, folder, "Collect", given, seconds=6_000.0)
    recording.pop("left", None)
    return to_page("Collect", ROOM, recording, {f"{folder.name}.py": text})


def test_values_are_pythons_and_pairs_are_cells() -> None:
    found = read_given(["key=(2, 3)", "rooms = {(1, 2): 4}", "all=[(1, 1), {(2, 2)}]", "name='a=b'"])
    assert found == {"key": (2, 3), "rooms": {(1, 2): 4}, "all": [(1, 1), {(2, 2)}], "name": "a=b"}
    assert type(found["key"]) is Vector


@pytest.mark.parametrize("text", ["key", "key=", "key=x", "key=f(1)", "key=(1", "={1: [}", "key={[]: 1}"])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(CommandError, match="expected a name and a value as in Python"):
        read_given([text])


def test_arguments_come_in_their_order() -> None:
    assert arguments_of(COLLECT, ROOM, None, {"rooms": 2, "key": 1}) == [ROOM, 1, 2]
    assert arguments_of(SIZES, ROOM, "a search", {}) == [ROOM, Dimension(2, 2), "a search"]


@pytest.mark.parametrize(
    ("value", "option"),
    [
        (Vector(2, 3), "key=(2, 3)"),
        ([Vector(1, 1)], "key=[(1, 1)]"),
        ({Vector(1, 1): 2}, "key={(1, 1): 2}"),
        ("it's", None),
        ("$HOME", None),
        ({n: n for n in range(40)}, None),
        (ROOM, None),
    ],
)
def test_what_is_short_is_proposed_as_an_option(value: object, option: str | None) -> None:
    found = given_options(COLLECT, {"maze": ROOM, "key": value, "rooms": 1})
    assert found == (option and f' --given "{option}" --given "rooms=1"')


@pytest.mark.parametrize(
    ("exercise", "given", "told"),
    [
        (
            COLLECT,
            {"key": 1},
            "Collect is given rooms beside the maze: say what it is, as in --given",
        ),
        (COLLECT, {"kee": 1}, "--given: Collect has no kee; expected key or rooms"),
        (COLLECT, {"maze": 1}, "--given: Collect has no maze; expected key or rooms"),
        (SIZES, {"key": 1}, "--given: sizes has no key; it takes nothing that can be given"),
    ],
)
def test_arguments_that_are_not_those_of_the_call_are_refused(
    exercise: Exercise, given: dict[str, object], told: str
) -> None:
    with pytest.raises(CommandError) as refused:
        arguments_of(exercise, ROOM, None, given)
    assert told in str(refused.value)


@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize(
    ("answer", "told", "drawn"),
    [
        ("[(1, 0), (0, 1)]", "Collect returned a way of 2 moves.", 'class="found-way"'),
        ("{key: 7}", "Collect returned {Vector(row=2, column=1): 7}.", ">7</text>"),
        ("[key]", "Collect returned [Vector(row=2, column=1)].", ">1</text>"),
        ("len(rooms)", "Collect returned 1.", ">K</text>"),
        ("None", "Collect returned None.", ">K</text>"),
    ],
)
def test_the_page_shows_what_is_given_and_what_came(folder: Path, answer: str, told: str, drawn: str) -> None:
    shown = page(folder, answer, "key=(2, 1)", "rooms={(1, 2): 1234}")
    assert told in shown
    assert drawn in shown
    assert ">K</text>" in shown
    assert "key: (2, 1). rooms: (1, 2) 1234" in shown
    assert "rooms, which is in no picture" in shown
