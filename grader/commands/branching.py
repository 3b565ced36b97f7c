"""``grader branching``: Moler's exercise: the average length of the way for each choice of the branch."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands.common import translate_foreign_errors, whole_number
from grader.disk import writing

HELP = "measure how the choice of the next branch changes the average way through a maze (Moler's exercise)"
EXAMPLE = "grader branching --sizes 5 10 20 --out branching.svg"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write a plot: .svg, .png or .pdf")
    parser.add_argument(
        "--sizes", type=whole_number(2), nargs="+", default=[5, 10, 15, 20, 25, 30], metavar="N",
        help="rows and columns of the mazes (default: 5 10 15 20 25 30)",
    )  # fmt: skip
    parser.add_argument(
        "--mazes",
        type=whole_number(2),
        default=200,
        help="the number of mazes of each kind and size (default: 200)",
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed of the mazes (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Print the table of averages, and write the plot if ``--out`` is given."""
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
