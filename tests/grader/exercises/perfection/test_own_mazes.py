"""Which typical mistakes a test maze catches, and what is said of the mazes that are handed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.rubric import load_rubric
from grader.exercises.kit.draw import marked, with_cycle_in_reach, with_walls
from grader.exercises.kit.facts import Facts, Features
from grader.exercises.perfection.kind import examine
from grader.exercises.perfection.typical_mistakes import MISTAKES, caught_by
from grader.exercises.registry import titles
from grader.languages import catalogue, languages
from lab import Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder

PERFECT = "+-+-+\n|S E|\n+-+-+"
RING = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"


def known() -> list[str]:
    """The mazes that students get."""
    return [maze.text for maze in load_rubric(checks=titles()).mazes if maze.visibility == "public"]


def sample() -> Iterator[str]:
    """Mazes of all kinds: perfect ones, with cycles, with islands, with both, small and oblong ones, each
    with entry and exit in several places, and one corridor that fills a square."""
    rng = Random(1)
    sizes = [
        (1, 2),
        (1, 3),
        (1, 6),
        (6, 1),
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
        (2, 5),
        (5, 2),
        (4, 4),
        (3, 6),
        (6, 3),
    ]
    for size in sizes * 6:
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


@pytest.mark.parametrize("code", languages())
def test_each_is_told_in_every_language(code: str) -> None:
    told = [catalogue(code).get(f"mistake.perfection.{name}") for name in MISTAKES]
    assert len({*told} - {""}) == 54


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


def test_nothing_is_said_where_nothing_was_handed_in() -> None:
    assert examine({"perfection_checker.py": b"", "mazes/a.txt": PERFECT.encode()}, known()) is None


def test_what_a_maze_catches_is_told_and_what_no_public_one_does() -> None:
    found = examine({"my_mazes/a.txt": RING.encode(), "my_mazes/b.txt": PERFECT.encode()}, [PERFECT])
    assert found is not None
    ring, perfect = found.mazes
    assert "reach-only" in ring.alone
    assert "always-true" in ring.caught
    assert "always-false" in perfect.caught
    assert perfect.alone == ()
    assert (found.mistake_count, found.caught_count) == (54, len({*ring.caught, *perfect.caught}))


def test_the_first_five_count_and_of_these_the_mazes() -> None:
    large = Factory().fully_connected(Dimension(41, 2)).to_text()
    texts = ["+-+\n|x|\n+-+", large, "\xff", PERFECT, RING, RING]
    found = examine({f"my_mazes/{n}.txt": text.encode("latin-1") for n, text in enumerate(texts)}, known())
    assert found is not None
    assert [bool(maze.caught) for maze in found.mazes] == [False, False, False, True, True, False]


def test_the_page_on_marks_says_what_public_mazes_catch() -> None:
    mazes = load_rubric(checks=titles()).mazes
    public = [maze for maze in mazes if maze.visibility == "public" and "perfection" in maze.exercises]
    caught = frozenset[str]().union(*(caught_by(maze.text) for maze in public))
    page = (Path(__file__).parents[4] / "docs" / "reference" / "marks.md").read_text(encoding="utf-8")
    assert f"catch {len(caught)} of the {len(MISTAKES)}." in " ".join(page.split())


@given(st.binary(max_size=200) | st.text("+-| SE\n\r\t\ufeffé", max_size=200).map(str.encode))
def test_no_file_stops_the_grader(content: bytes) -> None:
    found = examine({"my_mazes/a.txt": content}, [])
    assert found is not None
    assert len(found.mazes) == 1
