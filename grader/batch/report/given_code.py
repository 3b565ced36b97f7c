"""The code that students are given: it does not count as their own wherever it appears."""

from __future__ import annotations

from functools import cache

from grader.batch.job import code_with, files_in
from grader.exercises.kit.folders.code import KNOWN
from grader.shipped import template
from lab.template import template_folder


def all_given_code() -> tuple[bytes, ...]:
    """Return all code that students start with: skeletons and public tests, including those of the course.

    Raises GraderError.
    """
    own = (known.exercise for known in KNOWN.values())
    added = (text.encode() for each in own for text in (each.skeleton, each.public_tests))
    return (*template(), *_public_tests(), *added)


def without_given_files(code: bytes) -> bytes:
    """Remove from code, in the form of ``code_of``, the files that are exactly as they were given.

    Files of literals are removed, too: they are no code, and all alike.
    """
    given, files = _normalise_all(all_given_code()), files_in(code)
    read = {known.exercise.file for known in KNOWN.values() if known.exercise.literals}
    own = {p: text for p, text in files.items() if p not in read and _normalise_space(text) not in given}
    return code if len(own) == len(files) else code_with(own)


@cache
def _public_tests() -> tuple[bytes, ...]:
    """Return the code that runs the public tests of the lab's own exercises."""
    found = template_folder()
    return tuple(path.read_bytes() for path in sorted((found / "tests").glob("*.py"))) if found else ()


@cache
def _normalise_all(codes: tuple[bytes, ...]) -> frozenset[bytes]:
    """Normalise the white space of each code; cached, since it is the same for a whole class."""
    return frozenset(map(_normalise_space, codes))


def _normalise_space(code: bytes) -> bytes:
    """Replace each run of white space by one space, so that line endings do not matter."""
    return b" ".join(code.split())
