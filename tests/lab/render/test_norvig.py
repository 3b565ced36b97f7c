from random import Random

import pytest
from hypothesis import given

from lab import Dimension, Factory, Maze, MazeFormatError
from lab.generators import AldousBroder
from lab.render.norvig import from_norvig, to_norvig
from tests.lab.drawn import mazes, perfect_mazes

SMALL = Maze.from_text("+-+-+-+\n|S    |\n+-+ +-+\n|    E|\n+-+-+-+")
WRITTEN = "o  o--o--o\n|        |\no--o  o--o\n|        |\no--o--o  o"


def test_a_maze_is_written_with_gaps_at_entry_and_exit() -> None:
    assert to_norvig(SMALL) == WRITTEN


@given(perfect_mazes())
def test_what_is_written_is_read_back(maze: Maze) -> None:
    assert from_norvig(to_norvig(maze)) == maze


@given(mazes())
def test_any_maze_with_its_ends_at_these_sides_is_read_back(maze: Maze) -> None:
    lines = maze.to_text().split("\n")
    if maze.entry.row == 1 and (maze.exit is None or maze.exit.row == maze.dimension.row_count):
        assert from_norvig(to_norvig(maze)) == maze
    else:
        with pytest.raises(ValueError, match="where its gap is"):
            to_norvig(maze)
    assert maze.to_text().split("\n") == lines


def test_blank_lines_around_and_other_line_ends_are_accepted() -> None:
    assert from_norvig("\n\n" + WRITTEN.replace("\n", "\r\n") + "\n\n") == SMALL


def test_a_maze_without_a_gap_in_the_south_has_no_exit() -> None:
    assert from_norvig(WRITTEN[:-10] + "o--o--o--o").exit is None


def test_large_mazes_are_written_as_wide_as_they_are() -> None:
    maze = AldousBroder(Random(1)).generate(Factory(), Dimension(20, 30))
    assert {len(line) for line in to_norvig(maze).split("\n")} == {91}


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("", 1, 1, "2 x rows"),
        (WRITTEN[:-11], 1, 1, "2 x rows"),
        (WRITTEN.replace("o  o--o--o\n", "o  o--o-o\n"), 1, 1, "2 x rows"),
        (WRITTEN.replace("o--o  o--o", "o--x  o--o"), 3, 4, "'o'"),
        (WRITTEN.replace("o--o  o--o", "o-#o  o--o"), 3, 2, "'--' or '  '"),
        (WRITTEN.replace("|        |", "|   #    |", 1), 2, 5, "'  '"),
        (WRITTEN.replace("|        |", "|  x     |", 1), 2, 4, "'|' or ' '"),
        (WRITTEN.replace("|        |", "|         ", 1), 2, 10, "'|'"),
        (WRITTEN.replace("|        |", "|        |#", 1), 2, 11, "the end of the line"),
        (WRITTEN.replace("|        |", "|     ", 1), 2, 7, "'|' or ' '"),
        (WRITTEN.replace("o  o--o--o", "o  o  o--o", 1), 1, 5, "one gap"),
        (WRITTEN.replace("o--o--o  o", "o  o--o  o"), 5, 8, "one gap"),
        (WRITTEN.replace("o  o--o--o", "o--o--o--o", 1), 1, 2, "one gap, the entry"),
        ("\n\no  o\n|  |\no  o", 5, 2, "another cell"),
        ("\n" + WRITTEN.replace("o--o  o--o", "o--x  o--o"), 4, 4, "'o'"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(MazeFormatError) as caught:
        from_norvig(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert expected in caught.value.expected
