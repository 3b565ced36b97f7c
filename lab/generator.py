"""What every generator is: one method that makes a maze."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from lab.dimension import Dimension
from lab.factory import Factory
from lab.maze import Maze


class Generator(ABC):
    """Makes perfect mazes; all its luck comes from ``rng``."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    @abstractmethod
    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (two cells or more)."""
