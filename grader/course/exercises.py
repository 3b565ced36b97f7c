"""What the grader adds to the lab's record of each exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grader.model import Target
from lab.exercises import EXERCISES

TITLES: Final[Mapping[str, str]] = {
    "search": "The search",
    "dfs": "Depth-first search",
    "bfs": "Breadth-first search",
    "dijkstra": "Dijkstra's algorithm",
    "perfection": "Perfect mazes",
    "generator": "Your own generator",
}
"""By the id of the exercise, as results.json has them."""

TARGETS: Final[Mapping[str, Target]] = {each.id: Target(each.file, each.name) for each in EXERCISES}

WITH_MAZES: Final = tuple(each.id for each in EXERCISES if each.kind in ("solver", "perfection"))
"""The exercises that are given mazes; the search and the generator are not."""
