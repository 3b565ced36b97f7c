"""Finds the rubrics of the courses to serve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.errors import InputError

SHIPPED_ID: Final = "mazes"
_FILE: Final = "rubric.yaml"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def rubrics(courses: Sequence[Path]) -> dict[str, Path | None]:
    """Return the paths of the rubrics by course id; None stands for the shipped rubric. Raises InputError."""
    if not courses:
        return {SHIPPED_ID: None}
    found: dict[str, Path | None] = {}
    for given in courses:
        path = given / _FILE if given.is_dir() else given
        name = path.resolve().parent.name if path.name == _FILE else path.stem
        if not path.is_file():
            raise InputError(f"expected a rubric, or a folder with a {_FILE}", path=given)
        if not _ID.fullmatch(name):
            raise InputError(
                f"expected a name of letters, digits, points, dashes and underscores, got {name!r}: "
                "it becomes the id of the course",
                path=given,
            )
        if name in found:
            raise InputError(f"two courses are called {name}: rename a folder", path=given)
        found[name] = path
    return found
