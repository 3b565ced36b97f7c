"""What several commands share: options, and the way in which foreign errors are told."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.errors import GraderError
from grader.languages import languages
from grader.sandbox.registry import AUTO, BACKENDS


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


@contextmanager
def foreign_errors_told() -> Iterator[None]:
    """Tell a wrong value or a missing package as the grader tells its errors."""
    try:
        yield
    except (ValueError, ImportError) as error:
        raise GraderError(str(error)) from None
