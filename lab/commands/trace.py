"""``maze trace``: make a page on which a student's solver can be followed line by line."""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.commands import child_python, film, mazes, output_files, predict, screen, student, trace_child
from lab.commands.errors import CommandError
from lab.exercises import FOLLOWED, solver_in_any_case
from lab.maze import Maze
from lab.render.trace import to_page

MOST_CELLS = 1_600
"""The page of a larger maze would be slow."""
_MORE_SECONDS = 20.0
"""How long after its own time limit the student's process is killed from outside."""


def add_options(parser: argparse.ArgumentParser, usual: str) -> None:
    """Add the options of a trace; ``usual`` is the default solver."""
    parser.add_argument("file", metavar="FILE", help="a maze as text")
    parser.add_argument(
        "--algorithm", choices=[each.name for each in FOLLOWED], default=usual,
        type=solver_in_any_case, help=f"your solver (default: {usual})",
    )  # fmt: skip
    parser.add_argument(
        "--given", action="append", default=[], metavar="NAME=VALUE",
        help="what it is given beside the maze, such as 'key=(2, 3)'; once for each",
    )  # fmt: skip
    parser.add_argument("--out", metavar="PAGE", default="trace.html", help="the page (default: trace.html)")
    parser.add_argument(
        "--step", type=int, default=0, metavar="N", help="open the page at the N-th line that ran"
    )
    parser.add_argument(
        "--predict", action="store_true", help="no page: guess here which cell comes next, step by step"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the page in the browser")


def trace(options: argparse.Namespace) -> None:
    """Let the solver solve the maze; write a page about it, or ask about it in the terminal.

    Raises CommandError if the solver cannot be run at all.
    """
    output_files.check_suffix(options.out, ".html")
    maze = mazes.load(options.file)
    refuse_large(maze)
    folder = student.folder_of(options.submission)
    recording = _recorded(maze, folder, options.algorithm, options.given)
    if options.predict:
        cells = maze.dimension.all_positions()
        visits = [cells[cell] for _, cell in recording["visits"] if isinstance(cell, int)]
        predict.predict(options.algorithm, maze, visits)
        print(recording["ending"]["text"])
        return
    page, told = shown(maze, Path(options.file).name, folder, options.algorithm, recording, options.step)
    output_files.write_output(options.out, page)
    print(f"{told[0]}\n{recording['total']} lines ran: the page is {options.out}")
    print(*told[1:], sep="\n", end="\n" * bool(told[1:]))
    if not options.no_open:
        screen.browse(Path(options.out))


def refuse_large(maze: Maze) -> None:
    """Raise CommandError if the page of this maze would be slow."""
    count = maze.dimension.position_count
    if count > MOST_CELLS:
        instead = "use maze film" if count <= film.MOST_CELLS else "take a smaller one"
        raise CommandError(f"a maze of {count} cells is too large to be followed line by line: {instead}")


def shown(
    maze: Maze, name: str, folder: Path, algorithm: str, recording: dict[str, Any], step: int
) -> tuple[str, list[str]]:
    """Return the page of a recording on a maze of this name, opened at a step, and what is said of it.

    How it ended is said first.
    """
    left = recording.pop("left")
    sources = {file: _source(folder / file) for file, _ in recording["lines"]}
    page = to_page(f"{algorithm} on {name}", maze, recording, sources, step=step)
    return page, [recording["ending"]["text"], *left]


def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig", errors="replace")


def _recorded(maze: Maze, folder: Path, algorithm: str, given: Sequence[str]) -> dict[str, Any]:
    """Run the solver in a process of its own, which is killed if it does not end, and return the
    recording."""
    with tempfile.TemporaryDirectory(prefix="maze-trace-") as name:
        scratch = Path(name)
        request = {"maze": maze.to_text(), "folder": str(folder), "algorithm": algorithm, "given": given}
        (scratch / "request").write_text(json.dumps(request), encoding="utf-8")
        command = [*child_python.PYTHON, "-m", trace_child.__name__, name]
        try:
            ended = subprocess.run(  # noqa: S603 - the lab's own module, on the student's own files
                command, env=child_python.environment(), stdin=subprocess.DEVNULL, check=False,
                timeout=student.MOST_SECONDS + _MORE_SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise CommandError(f"{algorithm} did not come to an end, and was ended by force") from None
        try:
            result: dict[str, Any] = json.loads((scratch / "result").read_bytes())
        except (OSError, ValueError):
            raise CommandError(f"{algorithm} ended Python itself (status {ended.returncode})") from None
    if "refused" in result:
        raise CommandError(result["refused"], before=result["before"])
    return result
