"""``maze questions``: draw three mazes from a name, and write the file to fill in by hand."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from lab.atomic_file import atomic_write
from lab.commands import student
from lab.commands.errors import CommandError, cannot_write
from lab.literals import UnreadableError, read_literals
from lab.questions import FILE, name_key, page

_MOST_BYTES = 1_000_000
"""Larger files are not examined, and so never overwritten."""


HELP: Final = "draw mazes of your own, to be followed by hand"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the name, and whether answers may be written over."""
    parser.add_argument("name", metavar="NAME", help="your name, from which the mazes are drawn")
    parser.add_argument("--force", action="store_true", help=f"begin anew, even if {FILE} has answers")


def questions(options: argparse.Namespace) -> None:
    """Write the file of a name. Raises CommandError for an invalid name, or if answers would be lost."""
    if name_key(options.name) is None:
        raise CommandError(
            f"expected a name with a letter, of at most 60 characters, got {options.name!r:.80}"
        )
    path = student.folder_of(options.submission) / FILE
    if not options.force and not _is_unfilled(path):
        raise CommandError(f"{FILE} has answers: fill it in further, or give --force to begin anew")
    try:
        with atomic_write(path) as partial:
            partial.write_text(page(options.name), encoding="utf-8", newline="\n")
    except OSError as error:
        raise cannot_write(path, error) from None
    print(f"{path.name}: three mazes, and twelve answers to fill in; see how far you are with maze check")


def _is_unfilled(path: Path) -> bool:
    """Return whether the file is missing, or contains no answers."""
    if not path.exists():
        return True
    try:
        text = path.read_text(encoding="utf-8") if path.stat().st_size <= _MOST_BYTES else None
        literals = {} if text is None else read_literals(text)
    except (OSError, ValueError, UnreadableError):
        return False
    own = {name: value for name, value in literals.items() if not isinstance(value, str)}
    return text is not None and all(value in ([], ()) for value in own.values())
