"""The feedback pages in one zip, under the names by which a platform gives each to its student."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.grades import Grade

_PAGE: Final = "feedback.html"
_CANVAS: Final = re.compile(r"(?P<head>.+?(?:_LATE|_late)?_\d+)_(?:(?P<file>\d+)_.+|text\.html)")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def zip_feedback(platform: str, out: Path, grades: Sequence[Grade], target: Path) -> int:
    """Write the zip; return how many pages it holds. Raises InputError where there are none."""
    named = [(_name(platform, grade), out / grade.submission / _PAGE) for grade in grades]
    pages = [(name, path) for name, path in named if name and path.is_file()]
    if not pages:
        raise InputError(f"expected results of a download from {platform.title()}, found none", path=out)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in pages:
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(pages)


def _name(platform: str, grade: Grade) -> str | None:
    """What the page is called; None for what did not come from this platform."""
    if grade.platform != platform or not grade.id:
        return None
    if platform == "moodle":
        return f"{grade.student.replace('_', ' ').replace('/', ' ')}_{grade.id}_assignsubmission_file_{_PAGE}"
    found = _CANVAS.fullmatch(grade.source)
    if found is None:
        return None
    return f"{found['head']}_{found['file']}_{_PAGE}" if found["file"] else f"{found['head']}_{_PAGE}"
