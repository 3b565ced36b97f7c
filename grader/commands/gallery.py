"""``grader gallery``: show mazes of all generators side by side."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands.common import COUNT, translate_foreign_errors
from grader.disk import writing

HELP = "write a page or a picture with mazes of all generators side by side"
EXAMPLE = "grader gallery gallery.html --rows 15 --columns 15"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument("file", type=Path, help="the file to write: .html for a page, .svg for a picture")
    parser.add_argument("-r", "--rows", type=COUNT, default=12, help="rows of each maze (default: 12)")
    parser.add_argument("-c", "--columns", type=COUNT, default=12, help="columns of each maze (default: 12)")
    parser.add_argument(
        "--samples", type=COUNT, default=50, help="mazes that are measured of each generator (default: 50)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed of the mazes (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Write the page or the picture."""
    from lab import Dimension
    from lab.render.gallery import write_gallery
    from reference.generators.registry import GENERATORS

    with translate_foreign_errors(), writing(options.file):
        dimension = Dimension(options.rows, options.columns)
        write_gallery(options.file, GENERATORS, dimension, seed=options.seed, samples=options.samples)
    print(f"Gallery of {len(GENERATORS)} generators written to {options.file}")
    return 0
