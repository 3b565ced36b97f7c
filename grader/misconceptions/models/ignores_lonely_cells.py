"""Takes no notice of cells without any passage."""

from __future__ import annotations

from grader.misconceptions.answers import Features, by_features
from grader.misconceptions.model import Model


def _but_for_lonely_cells(maze: Features) -> bool:
    joined = [cell for cell in maze.cells if maze.maze.valid_moves_at(cell)]
    lonely = len(maze.cells) - len(joined)
    return maze.acyclic and maze.part_count - lonely <= 1


def _unless_all_are_lonely(maze: Features) -> bool:
    return _but_for_lonely_cells(maze) if maze.edges else len(maze.cells) == 1


MODEL = Model(
    name="ignores-lonely-cells",
    exercises=("perfection",),
    explains=by_features(_but_for_lonely_cells, _unless_all_are_lonely),
    hints={
        "en": (
            "Your checker overlooks cells that are walled in on all sides. Where do the cells come "
            "from that you count: from the dimension, or from the passages?"
        ),
        "nb": (
            "Sjekkeren din overser celler som er stengt inne på alle sider. Hvor kommer cellene du "
            "teller fra: fra dimensjonen eller fra passasjene?"
        ),
    },
)
