"""``maze watch``: run the public tests whenever a file is saved, and update a page with the results."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lab.commands import check, screen
from lab.commands.errors import CommandError
from lab.commands.live_page import LivePage

_POLL_SECONDS = 0.3
_Stamps = dict[str, tuple[int, int]]


def watch(options: argparse.Namespace) -> None:
    """Run the public tests after each save, until Ctrl-C is pressed."""
    folder = check.folder_of(options.what)
    try:
        with LivePage() as served:
            for time_ in count_saves(folder):
                _run(options, served)
                if time_ == 1:
                    print(f"\nThe page is {served.address}", flush=True)
                    if not options.no_open:
                        screen.browse(served.address)
                print("Waiting for you to save a file; Ctrl-C ends this.", flush=True)
    except KeyboardInterrupt:
        print("\nEnded.")


def _run(options: argparse.Namespace, served: LivePage) -> None:
    try:
        served.show(check.check(options.what))
    except CommandError as error:  # the next save may fix it
        print(f"maze: {error}", file=sys.stderr)


def count_saves(folder: Path) -> Iterator[int]:
    """Yield 1 at once, and the next number whenever a Python file is added, removed or saved."""
    seen, count = _stamps(folder), 1
    yield count
    while True:
        if (now := _stamps(folder)) != seen:
            seen, count = now, count + 1
            yield count
        else:
            time.sleep(_POLL_SECONDS)


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
