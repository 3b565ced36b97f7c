"""``maze watch``: run the public tests whenever a file is saved, and update a page with the results."""

from __future__ import annotations

import argparse
import ast
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from lab.commands import check, screen
from lab.commands.errors import CommandError
from lab.commands.live_page import LivePage
from lab.exercises import Exercise

_POLL_SECONDS = 0.3
_Stamps = dict[str, tuple[int, int]]


def watch(options: argparse.Namespace) -> None:
    """Run the public tests after each save, of what it may have changed, until Ctrl-C is pressed."""
    folder, exercises = check.folder_of(options.what), check.chosen(options.what)[1]
    try:
        with LivePage() as served:
            for time_, saved in enumerate(saves(folder)):
                now = concerned(folder, saved, exercises) if time_ else exercises
                if now:
                    _run([str(folder), *(each.id for each in now)], served)
                if time_ == 0:
                    print(f"\nThe page is {served.address}", flush=True)
                    if not options.no_open:
                        screen.browse(served.address)
                print("Waiting for you to save a file; Ctrl-C ends this.", flush=True)
    except KeyboardInterrupt:
        print("\nEnded.")


def _run(what: Sequence[str], served: LivePage) -> None:
    try:
        served.show(check.check(what, early=served.show))
    except CommandError as error:  # the next save may fix it
        print(f"maze: {error}", file=sys.stderr)


def saves(folder: Path) -> Iterator[set[Path]]:
    """Yield nothing at once, and then the Python files that are added, removed or saved, each time."""
    seen = _stamps(folder)
    yield set()
    while True:
        if (now := _stamps(folder)) != seen:
            saved = {Path(name) for name, _ in seen.items() ^ now.items()}
            seen = now
            yield saved
        else:
            time.sleep(_POLL_SECONDS)


def concerned(folder: Path, saved: set[Path], exercises: Sequence[Exercise]) -> list[Exercise]:
    """Return the exercises whose file was saved, or imports one that was, perhaps by way of others."""
    imported = {Path(path): _imported(Path(path)) for path in _stamps(folder)}
    found, more = set[Path](), set(saved)
    while more:
        found |= more
        stems = {path.stem for path in more}
        more = {path for path, names in imported.items() if names & stems} - found
    return [exercise for exercise in exercises if folder / exercise.file in found]


def needed(folder: Path, exercises: Sequence[Exercise]) -> dict[str, set[Path]]:
    """Return the files that each exercise stands on, by its id: its own, and what it imports."""
    imported = {Path(path): _imported(Path(path)) for path in _stamps(folder)}
    found: dict[str, set[Path]] = {}
    for exercise in exercises:
        files, more = set[Path](), {folder / exercise.file}
        while more:
            files |= more
            names = set().union(*(imported.get(path, ()) for path in more))
            more = {path for path in imported if path.stem in names} - files
        found[exercise.id] = files
    return found


def _imported(path: Path) -> set[str]:
    """Return the last parts of the names that a file imports; none of a file that cannot be read."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [name.name for node in imports for name in node.names]
    names += [node.module for node in imports if isinstance(node, ast.ImportFrom) and node.module]
    return {name.rpartition(".")[2] for name in names}


def _stamps(folder: Path) -> _Stamps:
    """Return time and size of each Python file, skipping hidden folders."""
    found: _Stamps = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        for path in (Path(place, name) for name in names if name.endswith(".py")):
            with suppress(OSError):  # an editor removes it for a moment
                status = path.stat()
                found[str(path)] = status.st_mtime_ns, status.st_size
    return found
