"""What was left lying around in work, and was passed over: from the box's claims to remarks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from grader.languages import said
from grader.model import Claim, LeftIn
from lab.leftovers import Leftover, first_of_each


def left_in(claims: Iterable[Claim]) -> frozenset[Leftover]:
    """Return all that the claims tell of."""
    return frozenset(left for claim in claims for left in claim.left)


def remarks(
    found: Mapping[str, Collection[Leftover]], targets: Mapping[str, str], files: Mapping[str, bytes]
) -> dict[str, tuple[LeftIn, ...]]:
    """Return the remarks on each exercise, given what its calls told of and its file.

    What stands in the file of an exercise is told there, whichever calls came by; what stands in any other
    file, beside all exercises whose calls did. Of one kind, only the first line of a file is told.
    """
    known = {left for told in found.values() for left in told if _is_there(left, files)}
    return {
        id_: _told(
            [left for left in known if left.file == file]
            + [left for left in known.intersection(found[id_]) if left.file not in targets.values()],
            file,
        )
        for id_, file in targets.items()
    }


def _is_there(left: Leftover, files: Mapping[str, bytes]) -> bool:
    return left.file in files and 0 < left.line <= files[left.file].count(b"\n") + 1


def _told(found: Iterable[Leftover], file: str) -> tuple[LeftIn, ...]:
    return tuple(_remark(left, file) for left in first_of_each(found))


def _remark(left: Leftover, file: str) -> LeftIn:
    in_file = left.file == file
    place = said("left_line", line=left.line) if in_file else said("left_at", file=left.file, line=left.line)
    return LeftIn(left.file, left.line, said(f"left_{left.kind}", what=left.what or "…", place=place))
