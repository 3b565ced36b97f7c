"""Write the files of the commands: with a suffix that fits the content, and never over a Python file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.atomic_file import atomic_write
from lab.commands.errors import CommandError, cannot_write


def check_suffix(file: str, *suffixes: str) -> None:
    """Raise CommandError unless the name has one of the suffixes."""
    _check_code(file)
    if Path(file).suffix.lower() not in suffixes:
        *others, last = suffixes
        expected = f"{', '.join(others)} or {last}" if others else last
        raise CommandError(f"{file}: expected a name that ends in {expected}")


def write_output(file: str, text: str) -> None:
    """Write the text. Raises CommandError if it cannot be written, or would overwrite code."""
    _check_code(file)
    with open_output(file) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def open_output(file: str) -> Iterator[Path]:
    """Yield a path to write the file to, which replaces it when complete. Raises CommandError."""
    try:
        with atomic_write(Path(file)) as partial:
            yield partial
    except OSError as error:
        raise cannot_write(file, error) from None


def _check_code(file: str) -> None:
    if file.endswith(".py"):
        raise CommandError(f"{file} is a Python file: expected another name, so that no code is overwritten")
