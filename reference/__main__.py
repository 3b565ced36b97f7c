"""Show and measure the generators and searches of the texts on mazes: ``python -m reference``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

from lab import Dimension
from lab.commands.command_line import CommandLine, count
from lab.commands.errors import CommandError, cannot_write
from lab.commands.output_files import check_suffix, write_output
from lab.render.gallery import write_gallery
from reference import branching
from reference.experiments import cover, texture, visited
from reference.generators.registry import GENERATORS

_SIZES: Final = (5, 10, 15, 20, 25, 30)
_EXPERIMENTS: Final = {
    "cover": (cover, "count the steps of Aldous-Broder and Wilson by the size of the maze"),
    "visited": (visited, "count the cells that DFS, BFS and Dijkstra visit in mazes of each texture"),
    "texture": (texture, "measure dead ends, straight runs and the longest way of each generator's mazes"),
}
"""Each with what it does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 done, 1 could not be done, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except OSError as error:
        return _failed(str(cannot_write(error.filename or options.out, error)))
    except (CommandError, ValueError, ImportError) as error:
        return _failed(str(error))
    return 0


def _failed(message: str) -> int:
    print(f"reference: {message}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = CommandLine(prog="python -m reference", description=__doc__.partition(":")[0] + ".")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    gallery = commands.add_parser("gallery", help="draw mazes of all generators side by side")
    gallery.add_argument("out", type=Path, metavar="FILE", help="a name that ends in .html or .svg")
    gallery.add_argument("-r", "--rows", type=count, default=12, help="rows of each maze (default: 12)")
    gallery.add_argument("-c", "--columns", type=count, default=12, help="columns of each maze (default: 12)")
    gallery.add_argument("--samples", type=count, default=50, help="mazes measured of each (default: 50)")
    gallery.set_defaults(run=_gallery)
    moler = commands.add_parser("branching", help="measure the way by the branch gone back to (Moler)")
    _add_mazes(moler, two_or_more, default=200)  # one maze has no spread
    _add_sizes(moler)
    moler.add_argument("--out", type=Path, metavar="FILE", help="also write a plot: .svg, .png or .pdf")
    moler.set_defaults(run=_branching)
    for name, (module, about) in _EXPERIMENTS.items():
        experiment = commands.add_parser(name, help=about)
        if name == "cover":
            _add_sizes(experiment)
        else:
            experiment.add_argument(
                "--size", type=two_or_more, default=15, help="rows and columns (default: 15)"
            )
        _add_mazes(experiment, count, default=100)
        experiment.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help=f"the folder for {name}.csv and {name}.svg"
        )
        experiment.set_defaults(run=_experiment, module=module, name=name)
    for command in commands.choices.values():
        command.add_argument("--seed", type=int, default=1, help="the seed of the mazes (default: 1)")
    return parser


def two_or_more(text: str) -> int:
    """Parse a whole number from 2."""
    if (number := count(text)) < 2:
        raise argparse.ArgumentTypeError(f"expected a whole number from 2, got {text!r}")
    return number


def _add_sizes(parser: argparse.ArgumentParser) -> None:
    shown = " ".join(map(str, _SIZES))
    about = f"rows and columns of the mazes (default: {shown})"
    parser.add_argument("--sizes", type=two_or_more, nargs="+", default=_SIZES, metavar="N", help=about)


def _add_mazes(parser: argparse.ArgumentParser, number: Callable[[str], int], *, default: int) -> None:
    about = f"mazes of each kind (default: {default})"
    parser.add_argument("--mazes", type=number, default=default, help=about)


def _gallery(options: argparse.Namespace) -> None:
    check_suffix(str(options.out), ".html", ".svg")
    size = Dimension(options.rows, options.columns)
    write_gallery(options.out, GENERATORS, size, seed=options.seed, samples=options.samples)
    print(f"Gallery of {len(GENERATORS)} generators written to {options.out}")


def _branching(options: argparse.Namespace) -> None:
    averages = branching.measure(options.sizes, mazes=options.mazes, seed=options.seed)
    print(f"Average length of the way and its 95 % interval, {options.mazes} mazes each:")
    print(branching.table(averages))
    if options.out is not None:
        branching.plot(averages, options.out, mazes=options.mazes)
        print(f"Plot written to {options.out}")


def _experiment(options: argparse.Namespace) -> None:
    module: ModuleType = options.module
    chosen: dict[str, int | Iterable[int]] = {"mazes": options.mazes, "seed": options.seed}
    chosen |= {name: getattr(options, name) for name in ("size", "sizes") if hasattr(options, name)}
    options.out.mkdir(parents=True, exist_ok=True)
    table = module.measure(**chosen)
    print(table.to_text())
    csv, svg = (options.out / f"{options.name}.{suffix}" for suffix in ("csv", "svg"))
    write_output(str(csv), table.to_csv())
    print(f"Table written to {csv}")
    module.plot(table, svg)
    print(f"Plot written to {svg}")


if __name__ == "__main__":
    sys.exit(main())
