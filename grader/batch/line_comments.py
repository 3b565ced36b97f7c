"""Comments at lines of a student's code: where they stand, and on which result they are shown.

A comment belongs to the work that its author saw, and keeps the line's text and a digest of its file. It is
shown with the result of that work and no other; a later one says how many there were. It moves no mark.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from grader.batch.code_text import files_in
from grader.batch.ledger import Decision
from grader.errors import InputError
from grader.model import CommentJson, EarlierCommentsJson, ResultsJson
from grader.text import visible

MOST_CHARACTERS: Final = 2000
"""A comment has at most 2,000 characters."""
_NEAR: Final = 0.5
"""How alike the name of a file has to be in order to be proposed first."""
PLACE: Final = re.compile(r"(.+):([0-9]{1,9})", re.DOTALL)
"""A line as a person names it: ``FILE:LINE``."""


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of a file of a submission."""

    file: str
    line: int
    source: str
    """Its text."""
    digest: str
    """A digest of the whole file."""


def lines_of_code(content: bytes) -> list[str]:
    """Return the lines of a file as Python counts them."""
    lines = re.split(r"\r\n|\r|\n", content.decode("utf-8", "replace").removeprefix("\ufeff"))
    return lines[:-1] if not lines[-1] else lines


def find_line(code: bytes, place: str) -> CodeLine:
    """Return the line at ``FILE:LINE`` in the code that was kept of a submission.

    Raises InputError with the nearest where there is none.
    """
    named = PLACE.fullmatch(place.strip())
    if named is None:
        raise InputError(f"expected a line such as solvers/dfs.py:12, got {visible(place, limit=100)}")
    files = {path: content for path, content in files_in(code).items() if path}
    if not files:
        raise InputError("expected code that was graded, found none")
    file, number = named[1], int(named[2])
    if file not in files:
        near = _nearest(file, [*files])
        told = f"{visible(file, limit=100)} is none of the files here ({', '.join(map(visible, files))})"
        raise InputError(f"{told}: did you mean {visible(near)}:{number}?")
    lines = lines_of_code(files[file])
    if not 1 <= number <= len(lines):
        near_line = min(max(1, number), len(lines))
        has = f"has {len(lines)} line{'s' * (len(lines) != 1)}"
        hint = f": did you mean {visible(file)}:{near_line}?" if lines else ""
        raise InputError(f"{visible(file)} {has}, and no line {number}{hint}")
    digest = hashlib.sha256(files[file]).hexdigest()[:16]
    return CodeLine(file, number, lines[number - 1], digest)


def _nearest(file: str, files: Sequence[str]) -> str:
    """Return the file that is most likely meant: of the same name elsewhere, or of a name like it."""
    same = [each for each in files if each.rpartition("/")[2] == file.rpartition("/")[2]]
    return next(iter(same or get_close_matches(file[:200], files, 1, _NEAR)), files[0])


def read_comment(text: str, choices: Mapping[str, str]) -> str:
    """Return what a person wrote as a comment, or the text that stands under that key. Raises InputError."""
    found = choices.get(text.strip(), text.strip())
    if not 1 <= len(found) <= MOST_CHARACTERS:
        raise InputError(f"expected a comment of 1 to {MOST_CHARACTERS:,} characters, got {len(found):,}")
    return found


def with_line_comments(results: ResultsJson, comments: Sequence[Decision], work: str) -> ResultsJson:
    """Return results with the comments on this work, and how many there are on other work of the student."""
    if "fault" in results or not comments:
        return results
    told = [*results.get("comments", []), *comments_on(work, comments)]
    before = Counter(each.attempt for each in comments if each.work != work)
    earlier: list[EarlierCommentsJson] = [
        {"attempt": attempt, "count": count} for attempt, count in sorted(before.items())
    ]
    made: ResultsJson = {**results, "comments": told} if told else results
    return {**made, "earlier_comments": earlier} if earlier else made


def comments_on(work: str, comments: Iterable[Decision]) -> list[CommentJson]:
    """Return the comments on this work in the order of its lines, in the form of results.json."""
    here = [each for each in comments if each.work == work]
    return [_as_data(each) for each in sorted(here, key=lambda each: (each.file, each.line, each.number))]


def _as_data(comment: Decision) -> CommentJson:
    """Return a comment in the form of results.json."""
    return {
        "when": comment.when,
        "who": comment.who,
        "text": comment.comment,
        "file": comment.file,
        "line": comment.line,
        "source": comment.source,
        "number": comment.number,
    }
