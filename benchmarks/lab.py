"""The core of the lab on a maze of 1,000 x 1,000 cells: what students' solvers call millions of times."""

from __future__ import annotations

from random import Random

from benchmarks.clock import line, seconds, yardstick
from lab import EAST, Dimension, Factory, Maze
from reference.generators.wilson import Wilson
from reference.solvers.bfs import BFS
from reference.solvers.search import Search

SIZE = 1_000
CALLS = 1_000_000


def main() -> None:
    """Print what the parts of the lab cost."""
    unit = yardstick()
    print(line(f"{SIZE} x {SIZE} cells", "seconds", "yardsticks"))
    maze = Wilson(Random(1)).generate(Factory(), Dimension(SIZE, SIZE))
    text = maze.to_text()
    for name, work in (
        ("Maze.from_text", lambda: Maze.from_text(text)),
        ("Maze.to_text", maze.to_text),
        ("Maze.copy", maze.copy),
        ("Factory.fully_disconnected", lambda: Factory().fully_disconnected(maze.dimension)),
        ("BFS of the reference", lambda: BFS().solve(maze, Search())),
    ):
        taken = seconds(work, runs=2)
        print(line(name, f"{taken:.2f}", f"{taken / unit:.1f}"))
    print(line("a call", "microseconds", "additions"))
    cells = maze.dimension.all_positions()[:CALLS]
    for name, taken in (
        ("valid_moves_at", seconds(lambda: [maze.valid_moves_at(cell) for cell in cells])),
        ("moves_at", seconds(lambda: [maze.moves_at(cell) for cell in cells])),
        ("is_valid_at", seconds(lambda: [maze.is_valid_at(cell, EAST) for cell in cells])),
        ("position + move", seconds(lambda: [cell + EAST for cell in cells])),
    ):
        print(line(name, f"{1e6 * taken / len(cells):.2f}", f"{taken / len(cells) / (unit / 1e7):.0f}"))


if __name__ == "__main__":
    main()
