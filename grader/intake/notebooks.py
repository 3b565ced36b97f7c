"""The code in a notebook: what its cells define, without the trials around it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from grader.intake.magics import MANY, TRANSPARENT, cell_magic, plain, write
from grader.intake.needed import needed, span
from grader.intake.python_source import Source, bound_by, parsed, scope
from lab.exercises import EXERCISES

SUFFIX: Final = ".ipynb"
MOST_BYTES: Final = 8 * 1024 * 1024
"""Notebooks hold pictures: at most 8 MiB are read."""
MOST_STATEMENTS, MOST_TIMES = 10_000, 10
"""Of a notebook with more than 10,000 statements, or with each line in 10 of them, all are taken."""
MOST_DEPTH: Final = 200
"""Brackets of a notebook stand in at most 200 others."""
_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)|[][{}]', re.DOTALL)
"""A string of JSON, to its end whatever is in it, or a bracket: one pass over the text, no steps back."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """What is taken from a notebook."""

    code: bytes
    """What its cells define for the six classes, as one file."""
    written: tuple[tuple[str, bytes], ...]
    """The files that cells with ``%%writefile`` would write, by name."""
    broken: bytes
    """The cells with a slip that keeps them from being parsed, and evidently one of the six classes."""


def read_notebook(content: bytes) -> Notebook | None:
    """Take the code from a notebook; None where it is none."""
    cells = _cells(content)
    return None if cells is None else of_cells(cells)


def of_cells(cells: Iterable[str]) -> Notebook:
    """Take the code from the cells of a notebook."""
    written: dict[str, str] = {}
    codes: list[str] = []
    broken: list[str] = []
    whole = list(cells)
    for cell in whole:
        magic, argument, body = cell_magic(cell)
        if not write(written, magic, argument, body) and (not magic or magic in TRANSPARENT):
            text = plain(body, one_by_one=len(whole) <= MANY)
            (codes if parsed(text) is not None else broken).append(text)
    code, rest = _definitions(_joined(codes)), _joined(filter(_has_slip, broken))
    files = tuple((path, _encoded(text)) for path, text in written.items())
    return Notebook(_encoded(code), files, _encoded(rest))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _joined(cells: Iterable[str]) -> str:
    return "\n\n".join(cells)


def _has_slip(cell: str) -> bool:
    return bool(Source("", cell.encode("utf-8", "replace")).classes)


def _cells(content: bytes) -> list[str] | None:
    """The sources of the code cells, in their order, of either form that notebooks have had."""
    if _depth(content) > MOST_DEPTH:
        return None
    try:
        data = json.loads(content)
    except (ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(data, dict):
        return None
    sheets = [data, *(data["worksheets"] if isinstance(data.get("worksheets"), list) else [])]
    found = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and "cells" in sheet]
    cells = [cell for each in found if isinstance(each, list) for cell in each if isinstance(cell, dict)]
    return [_source(cell) for cell in cells if cell.get("cell_type") == "code"] if found else None


def _depth(content: bytes) -> int:
    """How deep brackets stand in each other: the parser of JSON is bounded by a setting of Python only."""
    depth = deepest = 0
    for token in _TOKEN.finditer(content):
        if token[0] in (b"[", b"{"):
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in (b"]", b"}"):
            depth -= 1
    return deepest


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _definitions(text: str) -> str:
    """What the six classes need of a text: a notebook also tries things out, on files that are not there."""
    tree = parsed(text)
    if tree is None:
        return ""
    lines = _lines(text)
    is_long = len(tree.body) > MOST_STATEMENTS or _is_crowded(lines, tree)
    return own_module(text, keep=None if is_long else needed(lines, tree))


def _is_crowded(lines: list[str], tree: ast.Module) -> bool:
    """Whether many statements stand in one line: each of them is looked at with all of its lines."""
    ends = [0, *accumulate(map(len, lines))]
    spans = map(span, tree.body)
    return sum(ends[last] - ends[first - 1] for first, last in spans) > MOST_TIMES * ends[-1]


_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def own_module(text: str, *, keep: Collection[int] | None = None) -> str:
    """The text as one module that imports nothing from itself, all lines where they were.

    Of its statements only those with the numbers of ``keep`` stay, where these are given. What
    ``from __future__`` brings is said first, as Python asks.
    """
    tree = parsed(text)
    if tree is None:
        return text
    own = {name for s in scope(tree) if isinstance(s, _DEFINITIONS) for name in bound_by(s)}
    stays, goes, futures, is_opening = set[int](), set[int](), list[bool](), True
    for number, statement in enumerate(tree.body):
        first, last = span(statement)
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        is_opening &= is_future or (number == 0 and isinstance(statement, ast.Expr))
        futures += [is_opening] if is_future else []
        left_out = keep is not None and number not in keep and not (is_future and is_opening)
        gone = (is_future and not is_opening) or _is_of_itself(statement, own) or left_out
        (goes if gone else stays).update(range(first, last + 1))
    lines = ["" if n in goes - stays else line for n, line in enumerate(_lines(text), 1)]
    is_late = bool(futures) and not any(futures)
    return "\n".join(["from __future__ import annotations"] * is_late + lines)


def _lines(text: str) -> list[str]:
    """The lines as Python counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _is_of_itself(statement: ast.stmt, own: Collection[str]) -> bool:
    """Whether a statement imports what the same file defines, as if it lay in the files of the lab."""
    return (
        isinstance(statement, ast.ImportFrom)
        and any((statement.module or "") in (each.module, each.stem) for each in EXERCISES)
        and all(alias.name in own for alias in statement.names)
    )
