"""Pack the feedback pages into one zip, with file names by which a platform assigns each to its student.

Of work that came from no platform, each page has the name of its submission.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.disk import whole
from grader.errors import InputError
from grader.exports.chosen_students import find_students_without_work, join_some, load_students_without_work
from grader.exports.grades_csv import FEEDBACK, read_grades, restore_names
from grader.exports.registry import ExportRequest
from grader.platforms.base import PLATFORMS, Grade
from grader.text import visible

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def export(request: ExportRequest) -> str:
    """Write the zip; return a message with the number of pages, and the students without one."""
    results = request.folder()
    grades = restore_names(read_grades(results), request.key, results)
    wanted = [grade for grade in grades if not request.only or is_named(grade, request.only)]
    unknown = [name for name in request.only if not any(is_named(grade, (name,)) for grade in grades)]
    if unknown:
        raise InputError(
            f"expected students of these results, by submission, number or name, got {join_some(unknown)}",
            path=results,
        )
    known = _pages_in(request.changed_since) if request.changed_since else {}
    platform, count, missing = zip_feedback(results, wanted, request.out, known)
    if not count:
        return f"no page has changed since {request.changed_since}: nothing was written"
    lines = [f"{request.out}: {count} pages{f' for {platform.title()}' if platform else ''}"]
    nothing = [] if request.only else load_students_without_work(results)
    if request.gradebook:
        nothing = find_students_without_work(platform, request.gradebook, grades)
    lines += [f"  without a page: {', '.join(map(visible, missing))}"] if missing else []
    return "\n".join([*lines, *([f"  handed in nothing: {join_some(nothing)}"] if nothing else [])])


def is_named(grade: Grade, names: Sequence[str]) -> bool:
    """Tell whether a grade is that of one of these, by submission, number or name."""
    return bool({grade.submission, grade.name, grade.id, grade.student} & {*names} - {""})


def _pages_in(path: Path) -> dict[str, tuple[int, int]]:
    """Return the checksum and the size of each page in an earlier zip, by its name. Raises InputError."""
    try:
        with zipfile.ZipFile(path) as packed:
            return {each.filename: (each.CRC, each.file_size) for each in packed.infolist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"expected a zip that grader export feedback wrote: {error}", path=path) from None


def zip_feedback(
    out: Path,
    grades: Sequence[Grade],
    target: Path,
    known: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> tuple[str, int, list[str]]:
    """Write the zip; return the platform, the number of pages, and the names of the students without a page.

    Pages that are ``known`` by their checksum and size are left out; no zip is written if all are. Raises
    InputError if there are no pages, or if the platform does not accept feedback pages.
    """
    platform = next((grade.platform for grade in grades if grade.platform), "")
    takers = [name for name, known in PLATFORMS.items() if known.page]
    if platform and platform not in takers:
        given = " or ".join(map(str.title, takers))
        raise InputError(
            f"expected results of a download from {given}, which give each page to its student by its name; "
            f"these came from {platform.title()}: the pages are {out}/*/{FEEDBACK}",
            path=out,
        )
    named = {grade.name: (_page_name(platform, grade), out / grade.submission / FEEDBACK) for grade in grades}
    pages = [(name, path) for name, path in named.values() if name and path.is_file()]
    missing = [who for who, (name, path) in named.items() if not name or not path.is_file()]
    if not pages:
        raise InputError(f"expected {FEEDBACK} in the folders of the submissions, found none", path=out)
    pages = [(name, path) for name, path in pages if known.get(name) != _checked(path)] if known else pages
    if not pages:
        return platform, 0, missing
    with whole(target) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in pages:
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return platform, len(pages), missing


def _checked(path: Path) -> tuple[int, int]:
    content = path.read_bytes()
    return zlib.crc32(content), len(content)


def _page_name(name: str, grade: Grade) -> str | None:
    """Return the name of a student's page in the zip; None if the work did not come from this platform."""
    if not name:
        return f"{grade.submission}.html"
    page = PLATFORMS[name].page
    return page(grade) if page and grade.platform == name and grade.id else None
