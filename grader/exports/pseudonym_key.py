"""The key of a class under pseudonyms: a file, kept apart from the results, that says who is who."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.csv_cells import encode_csv, undo_defusing
from grader.exports.grades_csv import UNNAMED, explain_unreadable
from grader.platforms.base import Grade


@dataclass(frozen=True, slots=True)
class Identity:
    """A line of the key: the student behind a pseudonym."""

    pseudonym: str
    submission: str
    """The name that the results folder would have without pseudonyms."""
    student: str
    id: str
    platform: str
    source: str
    """The platform's name for the file or folder."""


Key = Mapping[str, Identity]
"""Students' identities by pseudonym."""
_HEAD: Final = [field.name for field in fields(Identity)]


def read_key(path: Path) -> dict[str, Identity]:
    """Read identities by pseudonym. Raises InputError."""
    try:
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"expected the key that grader batch wrote: {explain_unreadable(error)}", path=path
        ) from None
    if rows[:1] != [_HEAD] or any(len(row) != len(_HEAD) for row in rows):
        raise InputError(f"expected the key that grader batch wrote, with {', '.join(_HEAD)}", path=path)
    known = [Identity(*map(undo_defusing, row)) for row in rows[1:]]
    return {identity.pseudonym: identity for identity in known}


def encode_key(identities: Iterable[Identity]) -> bytes:
    """Return the content of a key file."""
    lines = sorted((astuple(identity) for identity in identities), key=lambda line: line[1])
    return encode_csv([_HEAD, *lines])


def restore_names(grades: Sequence[Grade], key: Path | None, results: Path) -> list[Grade]:
    """Replace pseudonyms in grades by the real names, with one grade per member of a group.

    Raises InputError if one is not in the key.
    """
    if key is None:
        if any(grade.platform == UNNAMED for grade in grades):
            raise InputError(
                "these results are under pseudonyms: give the file that names them (--key)", path=results
            )
        return [each for grade in grades for each in grade.for_members()]
    known = read_key(key)
    missing = [grade.submission for grade in grades if grade.submission not in known]
    if missing:
        raise InputError(f"expected {missing[0]} in the key: it belongs to other results", path=key)
    named = (_restore_name(grade, known[grade.submission]) for grade in grades)
    return [each for grade in named for each in grade.for_members()]


def _restore_name(grade: Grade, who: Identity) -> Grade:
    return replace(
        grade,
        student=who.student,
        id=who.id,
        platform=who.platform,
        source=who.source,
        called=who.submission,
    )
