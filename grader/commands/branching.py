"""``grader branching``: Moler's exercise, how long the way is where the branch is chosen otherwise."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands.common import translate_foreign_errors, whole_number
from grader.disk import writing

HELP = "Moler's exercise: the average way by the choice of the branch"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--out", type=Path, metavar="FILE", help="a plot to write: .svg, .png or .pdf")
    parser.add_argument(
        "--sizes", type=whole_number(2), nargs="+", default=[5, 10, 15, 20, 25, 30], metavar="N",
        help="rows and columns of the mazes (default: 5 10 15 20 25 30)",
    )  # fmt: skip
    parser.add_argument(
        "--mazes", type=whole_number(2), default=200, help="mazes of each kind (default: 200)"
    )
    parser.add_argument("--seed", type=int, default=1, help="default: 1")


def run(options: argparse.Namespace) -> int:
    """Print the table of averages, and write the plot where one is asked for."""
    from reference.branching import measure, plot, table

    with translate_foreign_errors():
        averages = measure(options.sizes, mazes=options.mazes, seed=options.seed)
    print(f"Average length of the way and its 95 % interval, {options.mazes} mazes each:")
    print(table(averages))
    if options.out is not None:
        with translate_foreign_errors(), writing(options.out):
            plot(averages, options.out, mazes=options.mazes)
        print(f"Plot written to {options.out}")
    return 0
