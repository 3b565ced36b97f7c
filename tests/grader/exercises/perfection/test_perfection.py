"""What a checker's answers mean, the mazes shown beside one that it got wrong, and a student's own mazes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.rubric import load_rubric
from grader.exercises.kit.check import Case, Wrong
from grader.exercises.kit.draw import marked, with_cycle_in_reach, with_walls
from grader.exercises.kit.facts import Facts, Features, facts_of
from grader.exercises.kit.findings import Finding
from grader.exercises.perfection.judge import judge_afresh, share_of_yes, twins
from grader.exercises.perfection.kind import examine
from grader.exercises.perfection.typical_mistakes import MISTAKES, caught_by
from grader.exercises.registry import titles
from grader.languages import said
from grader.model import Call, Claim, IsPerfect
from grader.model.claims import (
    BoolValue,
    Fault,
    IntValue,
    NoneValue,
    OtherValue,
    Outcome,
    PerfectionAnswer,
    Value,
)
from lab import Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder

TRUE, FALSE, NONE = BoolValue(True), BoolValue(False), NoneValue()
YES, NO, SET = OtherValue("str", "'yes'"), OtherValue("str", "'no'"), OtherValue("set", "{(1, 1)}")


def claims(*values: Value) -> list[Claim]:
    return [Claim("c", "returned", PerfectionAnswer(value, None)) for value in values]


@pytest.mark.parametrize(
    ("perfect", "others", "expected"),
    [
        ((TRUE, TRUE), (TRUE, FALSE, NONE, IntValue(0)), 0.25),
        ((IntValue(1), IntValue(1)), (TRUE, IntValue(7), FALSE), 2 / 3),
        ((YES, YES, NO), (YES, NO, NO, NO), 0.25),
        ((SET, OtherValue("set", "{(2, 2)}")), (SET, FALSE), 0.5),
        ((FALSE, FALSE, TRUE), (FALSE, FALSE, TRUE, TRUE), 0.5),
        ((NONE, NONE), (TRUE, NONE), 0.5),
    ],
)
def test_yes_is_true_or_what_is_said_of_perfect_mazes(
    perfect: tuple[Value, ...], others: tuple[Value, ...], expected: float
) -> None:
    assert share_of_yes(claims(*others), claims(*perfect)) == pytest.approx(expected)


def test_no_answer_is_no_yes() -> None:
    silent = [Claim("c", "timeout"), *claims(TRUE)]
    assert share_of_yes(silent, claims(TRUE)) == 0.5
    assert share_of_yes(silent, [Claim("c", "timeout")]) == 0.5


@pytest.mark.parametrize(("outcome", "is_wrong"), [("raised", True), ("timeout", False), ("died", False)])
def test_no_answer_after_another_maze_may_be_due_to_that_one(outcome: Outcome, is_wrong: bool) -> None:
    claim = Claim("c", outcome, fault=Fault("KeyError", "1"))
    assert (judge_afresh(Facts("+-+-+\n|S E|\n+-+-+"), claim) is not None) == is_wrong


ROOM = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n"
PERFECT = "+-+-+\n|S| |\n+ + +\n|  E|\n+-+-+\n"


def wrong(text: str, before: tuple[str, ...] = ()) -> Wrong:
    case = Case(Call("c", IsPerfect(text, before)), said("after_others"), facts_of(text), text)
    return Wrong(case, Finding("failed", said("changed"), {}, {}))


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


CORRIDOR = "+-+-+\n|S E|\n+-+-+"
RING = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"


def known() -> list[str]:
    """The mazes that students get."""
    return [maze.text for maze in load_rubric(checks=titles()).mazes if maze.visibility == "public"]


def sample() -> Iterator[str]:
    """Mazes of all kinds: perfect ones, with cycles, with islands, with both, small and oblong ones, each
    with entry and exit in several places, and one corridor that fills a square."""
    rng = Random(1)
    sizes = [(1, 2), (1, 3), (1, 6), (6, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (5, 2), (4, 4), (3, 6)]
    for size in [*sizes, (6, 3)] * 6:
        maze = AldousBroder(rng).generate(Factory(), Dimension(*size))
        kinds = [maze, with_walls(maze, rng, 1), with_cycle_in_reach(maze, rng)]
        kinds += [with_cycle_in_reach(kind, rng) for kind in kinds[2:] if kind is not None]
        kinds += [with_walls(kind, rng, 1) for kind in kinds[2:] if kind is not None]
        kinds += [Factory().fully_connected(Dimension(*size)), Factory().fully_disconnected(Dimension(*size))]
        for kind in filter(None, kinds):
            cells = rng.sample(kind.dimension.all_positions(), 2)
            yield from (kind.to_text(), marked(kind, cells[0], cells[1]).to_text())
            yield marked(kind, cells[0], None).to_text()
    yield "+-+\n|S|\n+-+"
    yield corridor(40)


def corridor(side: int) -> str:
    maze = Factory().fully_disconnected(Dimension(side, side))
    for row in range(1, side + 1):
        for column in range(1, side):
            maze.break_wall(Vector(row, column), Vector(0, 1))
        if row < side:
            maze.break_wall(Vector(row, side if row % 2 else 1), Vector(1, 0))
    return maze.to_text()


SAMPLE = [Features(Facts(text)) for text in sample()]


def test_there_are_54_and_no_two_answer_alike() -> None:
    answers = {name: tuple(rule(maze) for maze in SAMPLE) for name, rule in MISTAKES.items()}
    assert len(answers) == 54
    assert len(set(answers.values())) == 54


@pytest.mark.parametrize("name", MISTAKES)
def test_each_is_a_mistake_but_not_about_every_maze(name: str) -> None:
    wrong = [MISTAKES[name](maze) is not maze.perfect for maze in SAMPLE]
    assert any(wrong)
    assert name == "turned-round" or not all(wrong)


@pytest.mark.parametrize("kind", ["room", "walls", "tree", "corridor", "holes"])
def test_the_work_is_bounded_by_the_size(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    size = Dimension(40, 40)
    made = {
        "room": Factory().fully_connected(size),
        "walls": Factory().fully_disconnected(size),
        "tree": AldousBroder(Random(1)).generate(Factory(), size),
        "corridor": Maze.from_text(corridor(40)),
        "holes": with_walls(Factory().fully_connected(size), Random(1), 300),
    }[kind]
    assert made is not None
    asked, ask = [0], Maze.valid_moves_at

    def counted(maze: Maze, position: Vector) -> tuple[Vector, ...]:
        asked[0] += 1
        return ask(maze, position)

    monkeypatch.setattr(Maze, "valid_moves_at", counted)
    caught_by(made.to_text())
    assert asked[0] <= 2 * len(MISTAKES) * size.position_count


def test_what_a_maze_catches_is_told_and_what_no_public_one_does() -> None:
    found = examine({"my_mazes/a.txt": RING.encode(), "my_mazes/b.txt": CORRIDOR.encode()}, [CORRIDOR])
    assert found is not None
    ring, perfect = found.mazes
    assert "reach-only" in ring.alone
    assert "always-true" in ring.caught
    assert "always-false" in perfect.caught
    assert perfect.alone == ()
    assert (found.mistake_count, found.caught_count) == (54, len({*ring.caught, *perfect.caught}))


def test_the_first_five_count_and_of_these_the_mazes() -> None:
    large = Factory().fully_connected(Dimension(41, 2)).to_text()
    texts = ["+-+\n|x|\n+-+", large, "\xff", CORRIDOR, RING, RING]
    found = examine({f"my_mazes/{n}.txt": text.encode("latin-1") for n, text in enumerate(texts)}, known())
    assert found is not None
    assert [bool(maze.caught) for maze in found.mazes] == [False, False, False, True, True, False]


@given(st.binary(max_size=200) | st.text("+-| SE\n\r\t\ufeffé", max_size=200).map(str.encode))
def test_no_file_stops_the_grader(content: bytes) -> None:
    found = examine({"my_mazes/a.txt": content}, [])
    assert found is not None
    assert len(found.mazes) == 1
