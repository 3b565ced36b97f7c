"""The public tests of analysis.py: whether it can be read as it is, not whether the answers are right."""

from __future__ import annotations

from typing import Any

from conftest import FOLDER
from public_checks import complain, describe

from lab import Maze
from lab.commands.reporter import fail
from lab.literals import NoLiteral, UnreadableError, read_literals
from lab.questions import FILE, SOLVERS, answer_name, draw, first_name, name_key

MAKE = 'make the file with  maze questions "YOUR NAME"'


class TestAnalysis:
    """The form of the answers; they are judged when you hand in."""

    def read(self) -> Any:
        """Return the literals of the file, which is not run."""
        if not (FOLDER / FILE).is_file():
            fail(f"There is no {FILE}: {MAKE}.")
        try:
            return read_literals((FOLDER / FILE).read_text(encoding="utf-8-sig"))
        except UnreadableError as error:
            fail(f"{FILE}: {error}")
        except UnicodeDecodeError:
            fail(f"{FILE} is no text in UTF-8: save it as UTF-8.")

    def drawn(self, maze: str) -> Maze:
        """Return the maze that is drawn from the name in the file."""
        name = self.read().get("name", "")
        if isinstance(name, NoLiteral) or name_key(name) is None:
            fail(f"{FILE} has no name from which its mazes are drawn: {MAKE}.")
        return draw(name)[maze]

    def answers(self, maze: str) -> None:
        """Check that each order is a list of cells of the maze, and that solvers are named."""
        drawn, literals = self.drawn(maze), self.read()
        try:
            is_same = Maze.from_text(str(literals.get(maze))) == drawn
        except ValueError:
            is_same = False
        if not is_same:
            complain(f"{maze} is another maze than that of your name.", drawn, "the maze above", "another")
        for solver in SOLVERS:
            name = answer_name(solver, maze)
            for number, cell in enumerate(self.filled(literals, name, drawn), start=1):
                if not is_cell(cell) or not drawn.dimension.includes(tuple(cell)):
                    expected = f"a cell of the {drawn.dimension} cells"
                    complain(f"{name}, element {number}, is no cell.", drawn, expected, describe(cell))
        name = first_name(maze)
        for solver in self.filled(literals, name, drawn):
            if solver not in SOLVERS:
                complain(f"{name} names no solver.", drawn, f"some of {', '.join(SOLVERS)}", describe(solver))

    def filled(self, literals: Any, name: str, drawn: Maze) -> list[Any]:
        """Return the elements of an answer, which is a list, and no longer empty."""
        answer = literals.get(name)
        if isinstance(answer, NoLiteral):
            fail(f"{FILE}, line {answer.line}: {name} is no literal: {answer.code}")
        if isinstance(answer, str) and answer:
            return [answer]
        if not isinstance(answer, list | tuple):
            complain(f"{name} is no list.", drawn, "a list", describe(answer))
        if not answer:
            fail(f"{name} is still to be filled in.")
        return [*answer]

    def test_the_name(self) -> None:
        """the name, and nothing but literals"""
        self.drawn("room")

    def test_the_room(self) -> None:
        """the room: a list of cells for each order"""
        self.answers("room")

    def test_the_corridor(self) -> None:
        """the corridor: a list of cells for each order"""
        self.answers("corridor")

    def test_the_regular_maze(self) -> None:
        """the regular maze: a list of cells for each order"""
        self.answers("regular")


def is_cell(cell: Any) -> bool:
    """Tell whether this is a pair of whole numbers."""
    return isinstance(cell, list | tuple) and len(cell) == 2 and all(type(each) is int for each in cell)
