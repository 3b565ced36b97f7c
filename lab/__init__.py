"""Mazes as graphs: what students are given. Standard library only."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - older ones come here, too, and would fail with a traceback
    sys.exit("The lab needs Python 3.11 or later: this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze
from lab.maze_format import MazeFormatError
from lab.solver import Solver
from lab.vector import EAST, MOVES, NORTH, SOUTH, WEST, Vector

__version__ = "1.0.0.dev0"
"""The version of the lab and the grader, which are released together; pyproject.toml reads it here."""

__all__ = [
    "EAST",
    "MOVES",
    "NORTH",
    "SOUTH",
    "WEST",
    "Dimension",
    "Factory",
    "Generator",
    "Maze",
    "MazeFormatError",
    "Solver",
    "Vector",
]
