"""``maze trace --predict``: ask in the terminal which cell comes next, before each step is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lab.maze import Maze
from lab.vector import Vector
from lab.way import cell_text

_PAIR: Final = re.compile(r"\s*\(?\s*(\d{1,4})\s*[,;\s]\s*(\d{1,4})\s*\)?\s*")
_HELP: Final = "Type the next cell as row and column, such as 2 3. Enter alone shows it, q ends."


def predict(name: str, maze: Maze, visits: Sequence[Vector]) -> None:
    """Show a solver's visits one by one, asking for each but the first, until the input ends."""
    if len(visits) < 2:
        print(f"{name} visits no second cell: there is nothing to guess")
        return
    print(_HELP)
    tries: list[int] = []
    for step, due in enumerate(visits[1:], start=1):
        print(f"\n{_picture(maze, visits[:step])}")
        took = _ask(f"{name} is in {cell_text(visits[step - 1])}. Which cell comes next? ", due)
        if took is None:
            break
        tries.append(took)
    else:
        print(f"\n{_picture(maze, visits)}")
    print(f"Right at once: {tries.count(1)} of {len(tries)}")


def _ask(question: str, due: Vector) -> int | None:
    """Ask until the answer is right, and return the number of tries; 0 if given up, None at the end."""
    tries = 0
    while True:
        try:
            answer = input(question).strip()
        except EOFError:
            print()
            return None
        if answer.casefold() in ("q", "quit", "exit"):
            return None
        if not answer:
            print(f"It is {cell_text(due)}.")
            return 0
        pair = _PAIR.fullmatch(answer)
        if pair is None:
            print(_HELP)
            continue
        tries += 1
        cell = Vector(*map(int, pair.groups()))
        if cell == due:
            print(f"Yes, {cell_text(cell)}.")
            return tries
        print(f"No, not {cell_text(cell)}.")


def _picture(maze: Maze, visits: Sequence[Vector]) -> str:
    """Draw the maze with "." in each visited cell, and "*" in the last."""
    lines = [list(line) for line in maze.to_text().splitlines()]
    for cell in visits:
        row, column = 2 * cell.row - 1, 2 * cell.column - 1
        if lines[row][column] == " ":
            lines[row][column] = "."
    last = visits[-1]
    lines[2 * last.row - 1][2 * last.column - 1] = "*"
    return "\n".join(map("".join, lines))
