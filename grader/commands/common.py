"""What several commands share: options, and the way in which foreign errors are told."""

from __future__ import annotations

import argparse
import getpass
import locale
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from grader.errors import GraderError
from grader.languages import languages
from grader.sandbox.registry import AUTO, BACKENDS
from grader.text import visible


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A reader of an option's whole number, from the least to the most: another is wrong usage."""

    def read(text: str) -> int:
        with suppress(ValueError):
            number = int(text)
            if least <= number and (most is None or number <= most):
                return number
        to = "" if most is None else f" to {most}"
        raise argparse.ArgumentTypeError(f"expected a whole number from {least}{to}, got {text!r}")

    return read


def text_option(text: str) -> str:
    """Read an option's text, which is stored or shown: in UTF-8, or in the encoding of the terminal."""
    told = name_option(text)
    with suppress(UnicodeEncodeError):
        return told.encode().decode()
    raise argparse.ArgumentTypeError(f"expected text in UTF-8, got {visible(told)}")


def name_option(text: str) -> str:
    """Read a name that is looked for; where its bytes are text in no encoding that is known, as it is."""
    with suppress(UnicodeEncodeError):
        return text.encode().decode()
    with suppress(UnicodeError):
        return os.fsencode(text).decode(locale.getencoding())
    return text


COUNT: Final = whole_number(1)
PORT: Final = whole_number(0, 65535)


def add_jobs(parser: argparse.ArgumentParser, about: str = "grade N at once; default: one a core") -> None:
    """Add the option that says how many submissions are graded at once."""
    parser.add_argument("--jobs", type=COUNT, metavar="N", help=about)


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add the folder of results that a command is about."""
    parser.add_argument("results", type=Path, help="a folder that grader batch wrote")


def add_submission(parser: argparse.ArgumentParser) -> None:
    """Add that folder, and the submission in it that a command is about."""
    add_results(parser)
    parser.add_argument(
        "submission", type=name_option, help="its folder there, or the number or name of the student"
    )


def add_signature(parser: argparse.ArgumentParser, about: str = "who decides") -> None:
    """Add the option that says who signs."""
    about = f"{about} (default: the user of this machine)"
    parser.add_argument("--by", type=text_option, metavar="NAME", help=about)


def signature(options: argparse.Namespace) -> str:
    """Who signs for a command that knows ``--by``: a user without a name, as in a container, by number."""
    if options.by:
        return str(options.by)
    try:
        return visible(getpass.getuser())
    except (OSError, KeyError, ImportError):  # by the version of Python
        return f"uid {os.getuid()}"


def add_rubric(parser: argparse.ArgumentParser, about: str = "default: the one that ships") -> None:
    """Add the option that names a rubric."""
    parser.add_argument("--rubric", type=Path, metavar="FILE", help=about)


def add_language(
    parser: argparse.ArgumentParser, about: str = "of the feedback; default: the rubric's"
) -> None:
    """Add the option that chooses a language."""
    parser.add_argument("--language", choices=languages(), help=about)


def add_grading(parser: argparse.ArgumentParser) -> None:
    """Add the options of all commands that grade."""
    parser.add_argument(
        "--sandbox",
        choices=(AUTO, *BACKENDS),
        default=AUTO,
        help="default: auto, the strongest that works here",
    )
    add_rubric(parser)
    add_language(parser)
    add_shared(parser)


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the option that tells whether more than the mark is worked out."""
    parser.add_argument(
        "--explain",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="look for the line of the student's own code where a mistake stands; no mark hangs on it",
    )


def add_shared(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets others read what is written."""
    parser.add_argument(
        "--shared",
        action="store_true",
        help="let others read what is written, as the umask says; default: its owner only",
    )


def add_deadlines(parser: argparse.ArgumentParser) -> None:
    """Add the options that name tables of times."""
    parser.add_argument("--times", type=Path, metavar="CSV", help="when work came: columns student, time")
    parser.add_argument(
        "--extensions", type=Path, metavar="CSV", help="deadlines of some: columns student, deadline or hours"
    )


@contextmanager
def restrict_permissions(options: argparse.Namespace) -> Iterator[None]:
    """Have a command that knows ``--shared`` write for its owner only, but where that was given."""
    if getattr(options, "shared", True):
        yield
        return
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def translate_foreign_errors() -> Iterator[None]:
    """Tell a wrong value or a missing package as the grader tells its errors."""
    try:
        yield
    except (ValueError, ImportError) as error:
        raise GraderError(str(error)) from None
