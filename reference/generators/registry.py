"""Every generator there is, by the name that people know it under."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from lab import Generator
from lab.generators import AldousBroder
from reference.generators.moler_walk import MolerWalk
from reference.generators.path_cutter import PathCutter
from reference.generators.random_tree import RandomTree, pop_first, pop_last, pop_random, pop_shuffled
from reference.generators.recursive_division import RecursiveDivision
from reference.generators.wilson import Wilson

GENERATORS: Final[dict[str, Callable[[Random], Generator]]] = {
    "Aldous-Broder": AldousBroder,
    "Wilson": Wilson,
    "Recursive division": RecursiveDivision,
    "Random tree, last popped": partial(RandomTree, pop=pop_last),
    "Random tree, first popped": partial(RandomTree, pop=pop_first),
    "Random tree, any popped": partial(RandomTree, pop=pop_random),
    "Random tree, shuffled": partial(RandomTree, pop=pop_shuffled),
    "Moler, first branch": partial(MolerWalk, branching="first"),
    "Moler, middle branch": partial(MolerWalk, branching="middle"),
    "Moler, last branch": partial(MolerWalk, branching="last"),
    "Path cutter": PathCutter,
    "Path cutter, few turns": partial(PathCutter, turn_probability=0.02, length_limit=1000),
}
