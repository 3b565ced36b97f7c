"""``maze questions``: draw three mazes from a name, and write the file to fill in by hand."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from lab.atomic_file import atomic_write
from lab.commands import student
from lab.commands.errors import CommandError, cannot_write
from lab.dimension import Dimension
from lab.exercises import EXERCISES
from lab.literals import NoLiteral, UnreadableError, read_literals
from lab.questions import (
    FILE,
    MAZES,
    MOST_WORDS,
    SOLVERS,
    answer_name,
    draw,
    first_name,
    name_key,
    page,
    why_name,
)
from lab.steps import is_pair
from lab.way import describe

_MOST_BYTES = 1_000_000
"""Larger files are not examined, and so never overwritten."""

WORDS: Final = () if any(each.file == FILE for each in EXERCISES) else (FILE.removesuffix(".py"), FILE)
"""What stands for the file in maze check; nothing where it is an exercise, with tests of its own."""
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
    told = "three mazes, and twelve answers to fill in; see how far you are with maze check analysis"
    print(f"{path.name}: {told}")


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
    is_told = any(literals.get(why_name(maze)) for maze in MAZES)
    return text is not None and not is_told and all(value in ([], ()) for value in own.values())


def report(folder: Path, *, even_if_missing: bool) -> list[str]:
    """Say which answers are filled in, still empty, or cannot be read; never whether they are right."""
    if not (folder / FILE).is_file():
        return [f'There is no {FILE}: make it with  maze questions "YOUR NAME"'] * even_if_missing
    try:
        literals = read_literals((folder / FILE).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        return [f"{FILE} cannot be read: it is no text in UTF-8."]
    except (OSError, UnreadableError) as error:
        return [f"{FILE} cannot be read: {error}"]
    name = literals.get("name")
    if isinstance(name, NoLiteral) or name_key(name) is None:
        return [f'{FILE} has no name to draw its mazes from: make it with  maze questions "YOUR NAME"']
    standing = {
        each: _problem(literals.get(each), None if each == first_name(maze) else drawn.dimension)
        for maze, drawn in draw(str(name)).items()
        for each in (*(answer_name(solver, maze) for solver in SOLVERS), first_name(maze))
    }
    empty = [each for each, problem in standing.items() if problem == _EMPTY]
    filled = sum(problem is None for problem in standing.values())
    told = [f"{FILE}: {filled} of {len(standing)} answers are filled in; whether they are right is hidden."]
    told += [f"  still empty: {', '.join(empty)}"] if empty else []
    odd = {each: problem for each, problem in standing.items() if problem not in (None, _EMPTY)}
    told += [f"  {each} cannot be read: {problem}" for each, problem in odd.items()]
    words = {why_name(maze): literals.get(why_name(maze)) for maze in MAZES}
    return told + [
        f"  {each} has {len(text)} characters, of which {MOST_WORDS} are read"
        for each, text in words.items()
        if isinstance(text, str) and len(text) > MOST_WORDS
    ]


_EMPTY: Final = "empty"


def _problem(answer: object, dimension: Dimension | None) -> str | None:
    """Say why an answer, cells of a maze or names of solvers, cannot be read; None if it can."""
    if isinstance(answer, NoLiteral):
        return f"line {answer.line}: {answer.code}"
    if dimension is None and isinstance(answer, str) and answer:
        answer = [answer]
    if not isinstance(answer, list | tuple):
        return f"expected a list, got {describe(answer)}" if answer is not None else "it is not there"
    for number, each in enumerate(answer, start=1):
        if dimension is None and each not in SOLVERS:
            return f"element {number} is {describe(each)}, expected some of {', '.join(SOLVERS)}"
        if dimension is not None and not (is_pair(_tuple(each)) and dimension.includes(_tuple(each))):
            return f"element {number} is {describe(each)}, expected a cell such as (1, 2) of {dimension}"
    return None if answer else _EMPTY


def _tuple(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value
