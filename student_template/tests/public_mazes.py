"""The mazes of the public solver tests: the files in ``mazes``, and the right results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lab import EAST, SOUTH, Dimension, Factory, Maze

FOLDER = Path(__file__).parent.parent / "mazes"

Cell = tuple[int, int]
Cells = tuple[Cell, ...]


def snake() -> Maze:
    """Return one winding corridor through all 60 x 59 cells."""
    maze = Factory().fully_disconnected(Dimension(60, 59))
    for column in range(1, 60):
        for row in range(1, 60):
            maze.break_wall((row, column), SOUTH)
        if column < 59:
            maze.break_wall((60 if column % 2 else 1, column), EAST)
    return maze


@dataclass(frozen=True)
class Situation:
    """A maze, and the number of moves of a shortest way; None if there is no way."""

    file: str
    length: int | None
    depth_first: Cells = ()
    """The cells in the order in which a depth-first search visits them, where a test asks for it."""
    breadth_first: Cells = ()
    """The same for a breadth-first search and for Dijkstra's algorithm."""
    depth_first_when_entered: Cells = ()
    """The order of a depth-first search that marks cells when it enters them, where that is another one."""
    tried: Cells = ()
    """The cells of which a depth-first search asks whether they lead back, without entry and exit, if it asks
    that of one neighbour after the other."""
    ways: tuple[str, ...] = ()
    """The moves of each way that right solvers find, by first letters, where that is asked."""

    text: str = ""
    """The maze of a case that was drawn."""
    is_perfect: bool = False
    in_reach: Cells = ()
    """The cells that can be reached, where these are not all."""
    may_not_end: bool = False
    """Whether it has a cycle, or no way."""

    @cached_property
    def maze(self) -> Maze:
        """The maze, which nobody changes: your code gets copies."""
        if self.text:
            return Maze.from_text(self.text)
        return Maze.from_file(FOLDER / self.file) if self.file else snake()

    @property
    def cell_count(self) -> int:
        rows = self.text.splitlines()
        return (len(rows) // 2) * (len(rows[0]) // 2) if rows else self.maze.dimension.position_count


NEXT_DOOR = Situation("next_door.txt", 1)
CORRIDOR = Situation("corridor.txt", 5, ways=("eeeee",))
SHAFT = Situation("shaft.txt", 3, ways=("nnn",))
TURNS = Situation("turns.txt", 5, ways=("senes",))
DEAD_END = Situation("dead_end.txt", 3, ways=("see",))
DEAD_ENDS = Situation("dead_ends.txt", 6, ways=("eswsee",))
CYCLE = Situation("cycle.txt", 3)
ROOM = Situation("room.txt", 38)
LARGE = Situation("large.txt", 217)
LARGE_WITH_CYCLES = Situation("large_with_cycles.txt", 81)
SNAKE = Situation("", 3539)
UNREACHABLE_EXIT = Situation("unreachable_exit.txt", None)
WALLED_IN = Situation("walled_in.txt", None)
NO_EXIT = Situation("no_exit.txt", None)

MAZE_A = Situation(
    "a_empty_room.txt",
    2,
    depth_first=((2, 2), (1, 2), (1, 3)),
    tried=((1, 2),),
    breadth_first=((2, 2), (1, 2), (2, 3), (3, 2), (2, 1), (1, 3)),
)
MAZE_B = Situation(
    "b_long_corridor.txt",
    2,
    depth_first=((2, 2), (2, 3), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1)),
    tried=((1, 2), (2, 3), (1, 3), (1, 1), (2, 1), (3, 3), (3, 2)),
    breadth_first=((2, 2), (2, 3), (2, 1), (1, 3), (3, 1)),
)
MAZE_C = Situation(
    "c_regular_maze.txt",
    3,
    depth_first=((2, 2), (1, 2), (1, 1), (2, 3), (1, 3), (3, 3), (2, 1), (3, 1), (3, 2)),
    tried=((1, 2), (1, 3), (1, 1), (2, 1), (2, 3), (3, 3), (3, 1)),
    breadth_first=((2, 2), (1, 2), (2, 3), (2, 1), (1, 1), (1, 3), (3, 3), (3, 1), (3, 2)),
)
MAZE_D = Situation(
    "d_many_branches.txt",
    7,
    depth_first=(
        *((3, 2), (4, 2), (4, 3), (3, 3), (4, 4), (4, 5), (3, 5), (4, 1)),
        *((3, 1), (2, 1), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5)),
    ),
    tried=(
        *((2, 2), (3, 3), (4, 2), (4, 3), (2, 3), (3, 4), (4, 4), (4, 5), (3, 5), (2, 5)),
        *((4, 1), (3, 1), (2, 1), (1, 1), (1, 2), (1, 3), (1, 4)),
    ),
    breadth_first=(
        *((3, 2), (4, 2), (3, 1), (4, 3), (4, 1), (2, 1), (3, 3), (4, 4)),
        *((1, 1), (4, 5), (1, 2), (3, 5), (1, 3), (2, 2), (1, 4), (1, 5)),
    ),
)
"""Here the order shows in what a solver asks the maze, too, where A, B and C are too small for that."""
MAZE_E = Situation(
    "e_several_ways.txt",
    8,
    depth_first=(
        *((1, 6), (2, 6), (3, 6), (3, 5), (4, 5), (4, 6), (5, 6), (5, 5)),
        *((3, 4), (2, 4), (1, 4), (1, 5), (2, 3), (1, 3), (1, 2)),
    ),
    breadth_first=(
        *((1, 6), (2, 6), (3, 6), (2, 5), (3, 5), (1, 5), (4, 5), (3, 4), (1, 4), (4, 6), (5, 5)),
        *((2, 4), (4, 4), (5, 6), (2, 3), (5, 4), (1, 3), (3, 3), (2, 2), (5, 3), (1, 2)),
    ),
    depth_first_when_entered=(
        *((1, 6), (2, 6), (3, 6), (3, 5), (2, 5), (1, 5), (1, 4), (2, 4), (3, 4)),
        *((4, 4), (5, 4), (5, 3), (4, 3), (3, 3), (2, 3), (1, 3), (1, 2)),
    ),
    tried=(
        *((2, 6), (3, 6), (4, 6), (3, 5), (2, 5), (1, 5), (1, 4), (2, 4), (3, 4)),
        *((4, 4), (4, 5), (5, 4), (5, 5), (5, 3), (4, 3), (3, 3), (2, 3), (1, 3)),
    ),
    ways=("sswwnwnw", "swnwswnw", "sswnnwsssswnnnnw"),
)
"""Here the order shows in the way, too, of a solver that reads the whole maze before it searches."""
