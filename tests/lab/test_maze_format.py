from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lab import Maze, MazeFormatError
from tests.lab.drawn import mazes, mazes_with_costs

GOOD = "+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+"
TOO_SMALL = "a maze of at least 3 lines of 3 characters"
OPENING = "an opening (' ' or '2' to '9')"
UPRIGHT, LEVEL = f"a wall '|' or {OPENING}", f"a wall '-' or {OPENING}"
WALLS, CELLS = "a line of walls, '+-+'", "a line of cells, '| |'"
ROW_MISSING = f"{CELLS}: one is missing here, or there is one too many"
BLANK = "a line of the maze: take the blank one out"
MIDDLE, CORNER = "the middle of a cell: ' ', 'S' or 'E'", "a corner '+'"

MISTAKES = {
    "blank": ("\n \n", 1, 1, "0 line(s) of 0", TOO_SMALL),
    "two lines": ("+-+\n|S|", 1, 1, "2 line(s) of 3", TOO_SMALL),
    "line missing": (GOOD[:-6], 4, 1, "4 lines", "an odd number of lines (2 x rows + 1)"),
    "line too many": (GOOD + "\n+-+-+", 6, 1, WALLS, ROW_MISSING),
    "line blank within": (GOOD.replace("\n+ ", "\n\n+ "), 3, 1, "a blank line", BLANK),
    "corner": (GOOD.replace("+ +-+", "+ x-+"), 3, 3, "'x'", CORNER),
    "level wall": (GOOD.replace("+ +-+", "+ +|+"), 3, 4, "'|'", LEVEL),
    "no-break space": (GOOD.replace("|  E|", "|\u00a0 E|"), 4, 2, "a no-break space", MIDDLE),
    "line too short": (GOOD.replace("|S  |", "|S "), 2, 4, "the end of the line", MIDDLE),
    "line too long": (GOOD.replace("|S  |", "|S  | "), 2, 6, "' '", "the end of the line after 5 characters"),
    "gap in the north": ("+ +-+" + GOOD[5:], 1, 2, "' '", "a wall '-': the border is closed"),
    "gap in the east": (GOOD.replace("E|", "E "), 4, 5, "' '", "a wall '|': the border is closed"),
    "digit on a corner": (GOOD.replace("+ +-+", "+ 2-+"), 3, 3, "'2'", CORNER),
    "digit in a cell": (GOOD.replace("|  E|", "|5 E|"), 4, 2, "'5'", MIDDLE),
    "cost of 1": (GOOD.replace("+ +-+", "+1+-+"), 3, 2, "'1'", LEVEL),
    "cost of 0": (GOOD.replace("|S  |", "|S0 |"), 2, 3, "'0'", UPRIGHT),
    "other digit": (GOOD.replace("|S  |", "|S\u0663 |"), 2, 3, "'\u0663'", UPRIGHT),
    "digit in the south": (GOOD[:-5] + "+2+-+", 5, 2, "'2'", "a wall '-': the border is closed"),
    "digit in the west": (GOOD.replace("|  E", "9  E"), 4, 1, "'9'", "a wall '|': the border is closed"),
    "no entry": (GOOD.replace("S", " "), 2, 2, "no 'S' in the whole maze", "an entry 'S' in one cell"),
    "two entries": (GOOD.replace("E", "S"), 4, 4, "another 'S'", "only one entry 'S'"),
    "two exits": (GOOD.replace("|S  |", "|S E|"), 4, 4, "another 'E'", "only one exit 'E'"),
}


@given(mazes_with_costs())
def test_what_is_written_is_read_back(maze: Maze) -> None:
    assert Maze.from_text(maze.to_text()) == maze


@pytest.mark.parametrize(
    "text",
    [GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, "\n\n" + GOOD + "\n\n", "  \n" + GOOD + "\r\n \t\r\n"],
)
def test_line_ends_mark_and_blank_lines_around_are_accepted(text: str) -> None:
    assert Maze.from_text(text) == Maze.from_text(GOOD)


@pytest.mark.parametrize(
    ("text", "line", "column", "found", "expected"), MISTAKES.values(), ids=MISTAKES.keys()
)
def test_a_mistake_is_named_with_its_place(
    text: str, line: int, column: int, found: str, expected: str
) -> None:
    with pytest.raises(MazeFormatError) as caught:
        Maze.from_text(text)
    error = caught.value
    assert (error.line, error.column, error.found, error.expected) == (line, column, found, expected)
    first, *picture = str(error).split("\n")
    assert first == f"line {line}, column {column}: expected {expected}, found {found}"
    if picture:
        shown, caret = picture
        assert caret.index("^") == column + 1
        assert shown[2:].startswith(text.split("\n")[line - 1][: column - 1].replace("\xa0", "\ufffd"))


def test_a_digit_is_what_the_step_costs() -> None:
    maze = Maze.from_text("+-+-+-+\n|S9  E|\n+ +-+ +\n| 2   |\n+-+-+-+")
    costs = {
        (*cell, move.name): maze.cost_of(cell, move)
        for cell in maze.dimension.all_positions()
        for move in maze.valid_moves_at(cell)
    }
    assert {step: cost for step, cost in costs.items() if cost != 1} == {
        (1, 1, "east"): 9,
        (1, 2, "west"): 9,
        (2, 1, "east"): 2,
        (2, 2, "west"): 2,
    }
    assert len(costs) == 12


def test_of_a_long_line_only_the_part_around_the_mistake_is_shown() -> None:
    text = f"+{'-+' * 300}\n|S{' ' * 398}?{' ' * 199}|\n+{'-+' * 300}"
    with pytest.raises(MazeFormatError) as caught:
        Maze.from_text(text)
    _, shown, caret = str(caught.value).split("\n")
    assert caught.value.column == 401
    assert shown[caret.index("^")] == "?"
    assert len(shown) < 80


def test_a_file_that_is_no_text_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "maze.txt").write_bytes(b"+-+\n|S\xff\n+-+")
    with pytest.raises(
        MazeFormatError, match=r"line 2, column 3: expected text \(UTF-8\), found the byte 0xff"
    ):
        Maze.from_file(tmp_path / "maze.txt")


def test_a_file_in_utf_16_is_refused_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "maze.txt").write_text("+-+\n|S|\n+-+", encoding="utf-16")
    with pytest.raises(MazeFormatError, match="found UTF-16, as PowerShell's > writes it"):
        Maze.from_file(tmp_path / "maze.txt")


@given(st.text("+-| SE29\n\r\ufeff", max_size=60))
@example("+-+\n|S|\n+-+")
def test_any_text_is_a_maze_or_a_named_mistake(text: str) -> None:
    maze = mistake = None
    try:
        maze = Maze.from_text(text)
    except MazeFormatError as error:
        mistake = error
    if mistake is not None:
        assert min(mistake.line, mistake.column) >= 1
    if maze is not None:
        assert Maze.from_text(maze.to_text()) == maze


@given(mazes(), st.integers(0, 14), st.integers(0, 14))
def test_one_sign_put_wrong_is_found_where_it_stands(maze: Maze, row: int, place: int) -> None:
    lines = maze.to_text().split("\n")
    line, column = row % len(lines), place % len(lines[0])
    lines[line] = lines[line][:column] + "#" + lines[line][column + 1 :]
    with pytest.raises(MazeFormatError) as caught:
        Maze(lines)
    assert (caught.value.line, caught.value.column) == (line + 1, column + 1)
