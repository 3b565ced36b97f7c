"""``maze``, the students' command: read the command line, and report errors in one line.

Exit status: 0 done, 1 the work could not be done (one line on standard error says why, after the student's
own traceback if their code raised), 2 wrong usage.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from lab import __version__
from lab.commands import check, compare, film, mazes, pack, trace
from lab.commands.command_line import (
    CommandLine,
    add_completion,
    command_module,
    complete,
    completion,
    costs,
    count,
    offer,
)
from lab.commands.errors import CommandError, cannot_write
from lab.exercises import EXERCISES, SOLVERS, solver_in_any_case

_EXAMPLES = """examples:
  maze solve sample_maze.txt --algorithm DFS     find a way, with your DFS
  maze export sample_maze.txt maze.svg --solution
  maze generate big.txt -r 20 -c 30 --seed 7
  maze trace sample_maze.txt --algorithm DFS     follow your DFS line by line, on a page
  maze race sample_maze.txt                      compare your three solvers
  maze check                                     run the public tests
  maze watch                                     the same whenever you save, on a page
  maze pack                                      make the file to hand in
"""

_USUAL = next((each.name for each in sorted(SOLVERS, key=lambda each: each.takes != "first found")), "")
"""The default solver: one that finds shortest ways, if the course has it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # any file name can be printed
    parser = make_parser()
    complete(parser)
    options = parser.parse_args(arguments)
    try:
        _COMMANDS[options.command](options)
        sys.stdout.flush()
    except CommandError as error:
        return _fail(str(error), error.before)
    except KeyboardInterrupt:
        return _fail("stopped with Ctrl-C")
    except BrokenPipeError:
        # the reader has closed the pipe (maze solve ... | head): nothing to report, or to flush at exit
        _say_no_more()
    except OSError as error:
        return _fail(_told(error))
    return 0


def _told(error: OSError) -> str:
    """Say what the system refused; without a file name, it is about the output or the current folder."""
    if error.filename is None and error.errno != errno.ENOENT:
        _say_no_more()
        return str(cannot_write("what is to be shown", error))
    return str(cannot_write(error.filename or "a file that is needed for a while", error))


def _say_no_more() -> None:
    """Discard output that cannot be printed, or Python would try again when it exits."""
    with contextlib.suppress(OSError, ValueError):  # nobody's file: sys.stdout may be anything
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, before: str = "") -> int:
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    if before:
        print(before, file=sys.stderr)
    print("maze: " + " ".join(message.splitlines()), file=sys.stderr)
    return 1


_EXTRA: Mapping[str, Any] = {
    name: module for name in ("gallery", "questions") if (module := command_module(name)) is not None
}
"""The commands that a kit is without whose exercises they would answer."""
_COMMANDS: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "solve": lambda given: mazes.solve(
        given.file, algorithm=given.algorithm, submission=given.submission, visited=given.visited
    ),
    "export": mazes.export,
    "generate": mazes.generate,
    "film": film.film,
    "trace": trace.trace,
    "race": lambda given: compare.race(given.file, submission=given.submission),
    "perfect": lambda given: compare.perfect(given.file, submission=given.submission),
    "check": check.command,
    "watch": lambda given: import_module("lab.commands.watch").watch(given),
    "pack": lambda given: pack.pack(given.dir, given.out),
    "submit": lambda given: import_module("lab.commands.submit").submit(given),  # slow to load
    "completion": lambda given: print(completion("maze", given.shell)),
    **{name: getattr(module, name) for name, module in _EXTRA.items()},
}


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line with all commands."""
    parser = CommandLine(
        prog="maze",
        description="Solve, draw and make mazes; check and pack your exercises.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"maze {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    solve = commands.add_parser("solve", help="solve a maze with your solver")
    solve.add_argument("file", metavar="FILE", help="a maze as text")
    _add_solver(solve)
    solve.add_argument("--visited", action="store_true", help="show the visited cells, in their order")
    _add_export(commands.add_parser("export", help="draw a maze as an SVG picture"))
    _add_generate(commands.add_parser("generate", help="make a perfect maze, or one with cycles and costs"))
    films = commands.add_parser("film", help="watch a generator or a solver at work")
    film.add_options(films)
    _add_submission(films)
    traces = commands.add_parser("trace", help="follow your solver line by line, on a page")
    trace.add_options(traces, _USUAL)
    _add_submission(traces)
    for name, about in (
        ("race", "solve a maze with all of your solvers, and compare"),
        ("perfect", "ask your PerfectionChecker about a maze"),
    ):
        about_one = commands.add_parser(name, help=about)
        about_one.add_argument("file", metavar="FILE", help="a maze as text")
        _add_submission(about_one)
    for name, module in _EXTRA.items():
        extra = commands.add_parser(name, help=module.HELP)
        module.add_options(extra)
        _add_submission(extra)
    checks = commands.add_parser("check", help="run the public tests of the exercises")
    _add_check(checks)
    watches = commands.add_parser("watch", help="run the public tests whenever you save")
    _add_what(watches)
    packing = commands.add_parser("pack", help="make the zip file to hand in")
    packing.add_argument("dir", metavar="DIR", nargs="?", help="your folder (default: the current one)")
    packing.add_argument(
        "--out", metavar="ZIP", default="submission.zip", help="the file to write (default: submission.zip)"
    )
    submitting = commands.add_parser("submit", help="hand in to the service of your course")
    submitting.add_argument("dir", metavar="DIR", nargs="?", help="your folder (default: the current one)")
    submitting.add_argument(
        "--to", metavar="URL", help="the service of your course; asked for once, then known"
    )
    submitting.add_argument("--no-wait", action="store_true", help="do not wait for the result")
    add_completion(commands.add_parser("completion", help="let your shell complete maze's commands"), "maze")
    return parser


def _add_what(parser: argparse.ArgumentParser) -> None:
    ids = ", ".join(exercise.id for exercise in EXERCISES)
    what = parser.add_argument(
        "what", metavar="EXERCISE|DIR", nargs="*",
        help=f"{ids} (default: all of them), and your folder (default: the current one)",
    )  # fmt: skip
    offer(what, [exercise.id for exercise in EXERCISES])
    parser.add_argument("--no-open", action="store_true", help="do not open the page in the browser")


def _add_check(checks: argparse.ArgumentParser) -> None:
    _add_what(checks)
    show = checks.add_mutually_exclusive_group()
    for word, about in (("first", "the first failure alone"), ("all", "every failure in full")):
        show.add_argument(f"--{word}", dest="show", action="store_const", const=word, help=f"show {about}")
    checks.set_defaults(show="some")
    checks.add_argument(
        "--html", metavar="PAGE", nargs="?", const="check.html",
        help="write a page with pictures as well, and open it (default: check.html)",
    )  # fmt: skip


def _add_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("file", metavar="FILE", help="a maze as text")
    export.add_argument("svg", metavar="SVG", help="the picture to write: a name that ends in .svg")
    export.add_argument(
        "--solution", action="store_true", help="draw your solver's way as well, and print it"
    )
    drawn = export.add_mutually_exclusive_group()
    for picture, about in (
        ("graph", "draw the maze as a graph: cells as nodes, passages as edges"),
        ("two-graphs", "draw two graphs, side by side: corners joined by barriers, cells joined by passages"),
    ):
        drawn.add_argument(f"--{picture}", dest="picture", action="store_const", const=picture, help=about)
    export.set_defaults(picture="maze")
    _add_solver(export)


def _add_generate(generate: argparse.ArgumentParser) -> None:
    generate.add_argument("file", metavar="FILE", help="the text file to write")
    generate.add_argument("-r", "--rows", type=count, required=True, help="the number of rows")
    generate.add_argument("-c", "--columns", type=count, required=True, help="the number of columns")
    generate.add_argument(
        "--algorithm",
        choices=("ab", "mine"),
        default="ab",
        help="ab: Aldous-Broder, which is given (default); mine: your MyGenerator",
    )
    generate.add_argument(
        "--cycles",
        type=partial(count, least=0),
        default=0,
        metavar="N",
        help="open so many walls more (default: 0)",
    )
    generate.add_argument(
        "--costs", type=costs, metavar="1-9", help="what steps cost, by lot (default: each costs 1)"
    )
    generate.add_argument("--seed", type=int, help="the same seed gives the same maze (default: any)")
    _add_submission(generate)


def _add_solver(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--algorithm", choices=[solver.name for solver in SOLVERS], default=_USUAL,
        type=solver_in_any_case, help=f"your solver (default: {_USUAL})",
    )  # fmt: skip
    _add_submission(parser)


def _add_submission(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--submission", metavar="DIR", help="your folder (default: the current one)")


if __name__ == "__main__":
    sys.exit(main())
