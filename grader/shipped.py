"""Locating what ships with the grader, by import: the same in a checkout, in a wheel and on Gradescope."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.resources import files
from pathlib import Path

from grader.errors import GraderError
from lab.exercises import LAB_FILES
from lab.template import template_folder

_SOURCES = (".py", ".toml", ".yaml", ".j2", ".css", ".js", ".svg")
_TEMPLATE = "student_template"
_NAME = "maze-grader"
_PACKAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def folder(package: str) -> Path:
    """Return the folder of a package. Raises GraderError where it is not installed."""
    try:
        return Path(str(files(package)))
    except ModuleNotFoundError:
        raise _missing(f"the package {package}") from None


def bank() -> Path:
    """Return the folder of the bank of submissions, which only ``grader verify`` and ``refresh`` need."""
    return folder("grader") / "verification" / "submissions"


@cache
def digest(*parts: str) -> str:
    """Return a digest of the sources of packages, or of folders and files in them (``grader/exercises``).

    Raises GraderError where a package is not installed.
    """
    seen = hashlib.sha256()
    for part in parts:
        package, _, inside = part.partition("/")
        root = template_root() if package == _TEMPLATE else folder(package)
        kinds = (*_SOURCES, ".md") if package == _TEMPLATE else _SOURCES  # pages quote the handout
        for path in sorted({root / inside, *(root / inside).rglob("*")}):
            name = f"{package}/{path.relative_to(root).as_posix()}"
            if path.suffix in kinds and path.is_file():
                seen.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return seen.hexdigest()


@cache
def template() -> tuple[bytes, ...]:
    """Return the skeletons of all exercises of the lab. Raises GraderError where one is missing."""
    found = template_root()
    try:
        return tuple((found / file).read_bytes() for file in LAB_FILES)
    except OSError as error:
        raise _missing(f"a file of the student template, {error.filename}") from None


def template_root() -> Path:
    """Return the folder of the template, by which unwritten work is known. Raises GraderError without it."""
    found = template_folder()
    if found is None:
        raise _missing("the student template")
    return found


def pins() -> list[str]:
    """Return the packages that the grader needs, as lines for pip with the installed versions.

    Raises GraderError where the grader is not installed.
    """
    try:
        return sorted(set(_pinned(_NAME)))
    except PackageNotFoundError:
        raise GraderError("the grader is not installed here: run pip install . in its folder") from None


def _pinned(distribution: str) -> Iterator[str]:
    for line in requires(distribution) or ():
        needed, _, marker = (part.strip() for part in line.partition(";"))
        name = _PACKAGE_NAME.match(needed)
        if name is None or "extra ==" in marker:
            continue
        with suppress(PackageNotFoundError):  # what another system needs is not here
            yield f"{name[0]}=={version(name[0])}{f'; {marker}' if marker else ''}"
            yield from _pinned(name[0])


def _missing(what: str) -> GraderError:
    return GraderError(f"this installation lacks {what}: install the grader again")
