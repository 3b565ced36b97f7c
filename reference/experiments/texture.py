"""How do the mazes of different generators differ: dead ends, straight runs, the longest way?"""

from __future__ import annotations

from pathlib import Path
from random import Random

from lab import Dimension, Factory
from lab.render.plot import drawing
from lab.texture import average, texture
from reference.experiments.results import Table
from reference.generators.registry import GENERATORS

_DEAD_ENDS, _RUN, _LONGEST = "dead ends, % of the cells", "straight run, moves", "longest way, moves"


def measure(*, size: int, mazes: int, seed: int) -> Table:
    """Return the averages of each generator's mazes."""
    rows = []
    for name, make in GENERATORS.items():
        generator = make(Random(f"{seed} {name}"))
        made = (generator.generate(Factory(), Dimension(size, size)) for _ in range(mazes))
        found = average(map(texture, made))
        rows.append((name, 100 * found.dead_ends, round(found.straight_run, 2), found.diameter))
    return Table(("generator", _DEAD_ENDS, _RUN, _LONGEST), tuple(rows))


def plot(table: Table, path: Path) -> None:
    """Draw a panel for each measure, with a bar for each generator. Raises MissingPackage or OSError."""
    names = table.column("generator")
    with drawing(path, salt=path.stem, panels=3, size=(9.6, 4.2), sharey=True) as panels:
        for axes, measured in zip(panels, (_DEAD_ENDS, _RUN, _LONGEST), strict=True):
            axes.barh(range(len(names)), table.column(measured))
            axes.set_title(measured)
            axes.grid(visible=True, axis="x", alpha=0.3)
        panels[0].set(yticks=range(len(names)), yticklabels=names)
        panels[0].invert_yaxis()
