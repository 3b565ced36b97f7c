"""``grader experiment``: measure mazes and searches, and write a table and a plot of the results."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from grader.commands.common import COUNT, add_command, translate_foreign_errors, whole_number
from grader.disk import write_whole, writing

if TYPE_CHECKING:
    from reference.experiments.results import Table

HELP = "measure mazes and searches, and write a table and a plot"
EXAMPLE = "grader experiment cover --out results"

_SIZE = whole_number(2)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the experiments, with their options."""
    commands = parser.add_subparsers(title="experiments", required=True, metavar="EXPERIMENT", dest="part")
    cover = _add(commands, "cover", "count the steps of Aldous-Broder and Wilson by the size of the maze")
    cover.add_argument(
        "--sizes", type=_SIZE, nargs="+", default=[5, 10, 15, 20, 25, 30], metavar="N",
        help="rows and columns of the mazes (default: 5 10 15 20 25 30)",
    )  # fmt: skip
    for name, about in (
        ("visited", "count the cells that DFS, BFS and Dijkstra visit in mazes of each texture"),
        ("texture", "measure dead ends, straight runs and the longest way of each generator's mazes"),
    ):
        _add(commands, name, about).add_argument(
            "--size", type=_SIZE, default=15, metavar="N", help="rows and columns of the mazes (default: 15)"
        )


def run(options: argparse.Namespace) -> int:
    """Measure, print the table, and write it as CSV and as a plot."""
    experiment = _experiment(options.part)
    names = ("sizes",) if options.part == "cover" else ("size",)
    given = {name: getattr(options, name) for name in (*names, "mazes", "seed")}
    with writing(options.out):
        options.out.mkdir(parents=True, exist_ok=True)
    with translate_foreign_errors():
        table: Table = experiment.measure(**given)
    print(table.to_text())
    csv, svg = (options.out / f"{options.part}.{suffix}" for suffix in ("csv", "svg"))
    write_whole(csv, table.to_csv().encode())
    print(f"Table written to {csv}")
    with translate_foreign_errors(), writing(svg):
        experiment.plot(table, svg)
    print(f"Plot written to {svg}")
    return 0


def _experiment(name: str) -> ModuleType:
    from reference.experiments import cover, texture, visited

    return {"cover": cover, "visited": visited, "texture": texture}[name]


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    command = add_command(commands, name, about, f"grader experiment {name} --out results")
    command.add_argument(
        "--out", type=Path, required=True, metavar="DIR",
        help=f"the folder for {name}.csv and {name}.svg; it is made if there is none",
    )  # fmt: skip
    command.add_argument(
        "--mazes", type=COUNT, default=100, help="the number of mazes of each kind (default: 100)"
    )
    command.add_argument("--seed", type=int, default=1, help="the seed of the mazes (default: 1)")
    return command
