"""The page with the code of two submissions side by side, with shared lines marked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from grader.batch.job import files_in
from grader.batch.laid_out import as_text
from grader.batch.report.similarity import Pair, can_compare, shared_lines
from grader.batch.report.templates import render
from grader.text import visible

Runs = Sequence[tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Beside:
    """One file of both submissions, as runs of lines that the other submission also has, or lacks."""

    path: str
    one: Runs
    other: Runs


def side_by_side(pair: Pair, how: str, one: bytes, other: bytes) -> str:
    """Return the page; ``how`` says how similar the two are."""
    first, second = _files(one), _files(other)
    both = [_join(files) for files in (first, second)]
    marked = shared_lines(*both) if can_compare() else (frozenset[int](), frozenset[int]())
    runs = [dict(_runs(files, lines)) for files, lines in zip((first, second), marked, strict=True)]
    paths = list(dict.fromkeys((*first, *second)))
    return render(
        "pair.html.j2",
        one=pair.one,
        other=pair.other,
        how=how,
        files=[Beside(path, *(found.get(path, ()) for found in runs)) for path in paths],
        shown=visible,
    )


def _files(code: bytes) -> dict[str, str]:
    return {path: as_text(content) for path, content in files_in(code).items()}


def _join(files: dict[str, str]) -> str:
    return "".join(files.values())


def _runs(files: dict[str, str], shared: Collection[int]) -> Iterator[tuple[str, Runs]]:
    """Yield each file as runs of lines that are all shared, or all not."""
    number = 0
    for path, text in files.items():
        lines = text.splitlines(keepends=True)
        marked = [(number + place in shared, line) for place, line in enumerate(lines)]
        number += len(lines)
        yield path, [(is_shared, "".join(line for _, line in run)) for is_shared, run in _grouped(marked)]


def _grouped(lines: Sequence[tuple[bool, str]]) -> Iterator[tuple[bool, Iterator[tuple[bool, str]]]]:
    yield from groupby(lines, key=lambda line: line[0])
