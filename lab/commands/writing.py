"""What the command writes: names that say what is in the file, and no Python file overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.commands.errors import CommandError, cannot_write
from lab.whole import whole


def check_suffix(file: str, *suffixes: str) -> None:
    """Raise CommandError where the name does not end in what will be in the file."""
    _check_code(file)
    if Path(file).suffix.lower() not in suffixes:
        *others, last = suffixes
        expected = f"{', '.join(others)} or {last}" if others else last
        raise CommandError(f"{file}: expected a name that ends in {expected}")


def write(file: str, text: str) -> None:
    """Write the text. Raises CommandError where it cannot be written, or would overwrite code."""
    _check_code(file)
    with written(file) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def written(file: str) -> Iterator[Path]:
    """A name to write the file under, whole or not at all. Raises CommandError where it cannot be written."""
    try:
        with whole(Path(file)) as partial:
            yield partial
    except OSError as error:
        raise cannot_write(file, error) from None


def _check_code(file: str) -> None:
    if file.endswith(".py"):
        raise CommandError(f"{file} is a Python file: expected another name, so that no code is overwritten")
