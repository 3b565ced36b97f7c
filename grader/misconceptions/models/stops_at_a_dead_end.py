"""Goes on as long as there is a new cell next to it, and never goes back."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.answers import Features
from grader.misconceptions.made import Sight
from grader.misconceptions.model import Model


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    return not all(sight.fits for sight in sights) and all(map(_one_walk, sights))


def _one_walk(sight: Sight) -> bool:
    return sight.all_mazes and all(_is_walk(maze) for maze in sight.features)


def _is_walk(maze: Features) -> bool:
    """The passages make one line without branches; the other cells are walled in."""
    joined = [len(maze.maze.valid_moves_at(cell)) for cell in maze.cells]
    return bool(maze.edges) and maze.acyclic and max(joined) <= 2 and joined.count(1) <= 2


MODEL = Model(
    name="stops-at-a-dead-end",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "Your mazes are one long line, and the cells beside it stay walled in. When the walk "
            "comes to a cell without new neighbours, where could it go on, and how do you know that "
            "all cells are done?"
        ),
        "nb": (
            "Labyrintene dine er én lang linje, og cellene ved siden av forblir stengt inne. Når "
            "vandringen kommer til en celle uten nye naboer, hvor kunne den fortsette, og hvordan vet "
            "du at alle cellene er ferdige?"
        ),
    },
)
