"""What students are given: none of it is anybody's own code, wherever it turns up."""

from __future__ import annotations

from functools import cache

from grader.batch.job import code_with, files_in
from grader.exercises.kit.folders.code import KNOWN
from grader.shipped import template
from lab.template import template_folder


def all_given_code() -> tuple[bytes, ...]:
    """All code that students begin with: skeletons and public tests, those of the course's own exercises too.

    Raises GraderError.
    """
    own = (known.exercise for known in KNOWN.values())
    added = (text.encode() for each in own for text in (each.skeleton, each.public_tests))
    return (*template(), *_public_tests(), *added)


def without_given_files(code: bytes) -> bytes:
    """The code of a submission, as ``code_of`` has it, without the files that are as they were given."""
    given, files = _all_words(all_given_code()), files_in(code)
    own = {path: text for path, text in files.items() if _words(text) not in given}
    return code if len(own) == len(files) else code_with(own)


@cache
def _public_tests() -> tuple[bytes, ...]:
    """The code that runs the public tests of the lab's own exercises."""
    found = template_folder()
    return tuple(path.read_bytes() for path in sorted((found / "tests").glob("*.py"))) if found else ()


@cache
def _all_words(codes: tuple[bytes, ...]) -> frozenset[bytes]:
    """Worked out once for a class."""
    return frozenset(map(_words, codes))


def _words(code: bytes) -> bytes:
    """The code but for its blanks, which line ends of another system are as well."""
    return b" ".join(code.split())
