"""``grader gallery`` and ``grader branching``: what the generators make, in pictures and figures."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from grader.errors import GraderError, InputError

T = TypeVar("T")

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_commands(commands: Commands) -> None:
    """Add both commands to the parser's."""
    gallery = commands.add_parser("gallery", help="all generators side by side", allow_abbrev=False)
    gallery.add_argument("file", type=Path, help="what to write: .html for a page, .svg for a picture")
    gallery.add_argument("-r", "--rows", type=int, default=12, help="rows of each maze (default: 12)")
    gallery.add_argument("-c", "--columns", type=int, default=12, help="columns of each maze (default: 12)")
    gallery.add_argument("--samples", type=int, default=50, help="mazes measured by each (default: 50)")
    gallery.add_argument("--seed", type=int, default=1, help="default: 1")
    gallery.set_defaults(run=_gallery)

    branching = commands.add_parser(
        "branching", help="Moler's exercise: the average way by the choice of the branch", allow_abbrev=False
    )
    branching.add_argument("--out", type=Path, metavar="FILE", help="a plot to write: .svg, .png or .pdf")
    branching.add_argument(
        "--sizes", type=int, nargs="+", default=[5, 10, 15, 20, 25, 30], metavar="N",
        help="rows and columns of the mazes (default: 5 10 15 20 25 30)",
    )  # fmt: skip
    branching.add_argument("--mazes", type=int, default=200, help="mazes of each kind (default: 200)")
    branching.add_argument("--seed", type=int, default=1, help="default: 1")
    branching.set_defaults(run=_branching)


def _gallery(options: argparse.Namespace) -> int:
    from lab import Dimension
    from lab.render.gallery import write_gallery
    from reference.generators.registry import GENERATORS

    if options.samples < 1:
        raise InputError(f"--samples: expected at least 1, got {options.samples}")
    dimension = _tried(lambda: Dimension(options.rows, options.columns))
    _tried(
        lambda: write_gallery(options.file, GENERATORS, dimension, seed=options.seed, samples=options.samples)
    )
    print(f"Gallery of {len(GENERATORS)} generators written to {options.file}")
    return 0


def _branching(options: argparse.Namespace) -> int:
    from reference.branching import measure, plot, table

    smallest = min(options.sizes)
    if smallest < 2:
        raise InputError(f"--sizes: expected 2 rows and columns or more, got {smallest}")
    averages = _tried(lambda: measure(options.sizes, mazes=options.mazes, seed=options.seed))
    print(f"Average length of the way and its 95 % interval, {options.mazes} mazes each:")
    print(table(averages))
    if options.out is not None:
        _tried(lambda: plot(averages, options.out, mazes=options.mazes))
        print(f"Plot written to {options.out}")
    return 0


def _tried(work: Callable[[], T]) -> T:
    """Call, and tell a wrong value or a missing package as the grader tells its errors."""
    try:
        return work()
    except (ValueError, ImportError) as error:
        raise GraderError(str(error)) from None
