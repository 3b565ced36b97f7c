"""What the command writes: names that say what is in the file, and no Python file overwritten."""

from __future__ import annotations

from pathlib import Path

from lab.commands.errors import CommandError, os_reason


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
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {os_reason(error)}") from None


def _check_code(file: str) -> None:
    if file.endswith(".py"):
        raise CommandError(f"{file} is a Python file: expected another name, so that no code is overwritten")
