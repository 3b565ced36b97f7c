"""What several commands share: options, their types, and the handling of errors from libraries."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import io
import locale
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader.errors import GraderError, InputError
from grader.languages import languages
from grader.sandbox.base import AUTO, BACKENDS
from grader.text import visible


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: what it does, an example, its options, and what it runs, where slow imports belong."""

    help: str
    example: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    expand: Callable[[Sequence[str]], list[str]] = list
    """Returns the arguments behind its name as they are parsed."""


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return an option type: whole numbers from ``least`` to ``most``."""

    def read(text: str) -> int:
        with suppress(ValueError):
            number = int(text)
            if least <= number and (most is None or number <= most):
                return number
        to = "" if most is None else f" to {most}"
        raise argparse.ArgumentTypeError(f"expected a whole number from {least}{to}, got {text!r}")

    return read


def text_option(text: str) -> str:
    """Decode an option that is stored or shown, from UTF-8 or else the terminal's encoding."""
    told = name_option(text)
    with suppress(UnicodeEncodeError):
        return told.encode().decode()
    raise argparse.ArgumentTypeError(f"expected text in UTF-8, got {visible(told)}")


def name_option(text: str) -> str:
    """Decode a name to search for; return it unchanged if its encoding is unknown."""
    with suppress(UnicodeEncodeError):
        return text.encode().decode()
    with suppress(UnicodeError):
        return os.fsencode(text).decode(locale.getencoding())
    return text


NONE: Final = "none"
"""The word that takes away an option which a folder of results keeps."""
COUNT: Final = whole_number(1)
"""The type of options that are positive numbers."""
SEEDS: Final = 2**63
"""Seeds of rubrics are below this number."""
PORT: Final = whole_number(0, 65535)
"""The type of options that are ports; 0 means any free one."""


def tell(what: str) -> None:
    """Tell a person at a terminal, on standard error, what is being done."""
    if sys.stderr.isatty():
        print(f"grader: {what}", file=sys.stderr, flush=True)


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    about: str,
    example: str,
    *,
    allow_abbrev: bool = True,
) -> argparse.ArgumentParser:
    """Add a command whose help begins with what it does and ends with an example."""
    return commands.add_parser(
        name,
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=allow_abbrev,
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how many submissions are graded at once."""
    about = "the number of submissions graded at once (default: one per core)"
    parser.add_argument("--jobs", type=COUNT, metavar="N", help=about)


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the option that has other machines grade."""
    parser.add_argument(
        "--cluster",
        type=text_option,
        metavar="ADDRESS",
        help="grade on the Dask cluster with this scheduler, or local:N for N processes here",
    )


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add the option for the form of the names of loose files."""
    parser.add_argument(
        "--names",
        type=text_option,
        metavar="FORM",
        help="how loose files are named, where no platform is known by it: {student}, and perhaps {n} (the "
        "number of a file), {attempt} (the last counts) and {rest} (the student's name for the file), as in "
        "'{student}_file{n}_submission{attempt}'",
    )


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add the argument for a folder of results."""
    parser.add_argument("results", type=Path, help="a folder that grader batch wrote")


def add_submission(parser: argparse.ArgumentParser, *, may_lack: bool = False) -> None:
    """Add the arguments for a folder of results and a submission in it; "" where it may lack."""
    add_results(parser)
    parser.add_argument(
        "submission",
        type=name_option,
        nargs="?" if may_lack else None,
        default="",
        help="the submission: its folder among the results, or the number or name of the student",
    )
    add_key(parser)


def add_key(parser: argparse.ArgumentParser) -> None:
    """Add the option for the key of results under pseudonyms."""
    parser.add_argument("--key", type=Path, metavar="CSV", help="the key file of results under pseudonyms")


def add_signature(parser: argparse.ArgumentParser, about: str = "who decides") -> None:
    """Add the option that says who signs."""
    about = f"{about} (default: the user of this machine)"
    parser.add_argument("--by", type=text_option, metavar="NAME", help=about)


def signature(options: argparse.Namespace) -> str:
    """Return who signs a decision: ``--by``, or else the user's name, or number if it has no name."""
    if options.by:
        return str(options.by)
    try:
        return visible(getpass.getuser())
    except (OSError, KeyError, ImportError):  # depends on the version of Python
        return f"uid {os.getuid()}"


def path_or_none(text: str) -> Path | str:
    """Read an option that names a file, or the word that takes it away (a file of that name is ./none)."""
    return NONE if text == NONE else Path(text)


def add_rubric(
    parser: argparse.ArgumentParser,
    about: str = "the rubric (default: the one that ships)",
    read: Callable[[str], Path | str] = Path,
) -> None:
    """Add the option that names a rubric."""
    parser.add_argument("--rubric", type=read, metavar="FILE", help=about)


def add_language(
    parser: argparse.ArgumentParser,
    about: str = "the language of the feedback (default: the rubric's)",
    others: Sequence[str] = (),
) -> None:
    """Add the option that chooses a language, or one of some other words."""
    parser.add_argument("--language", choices=(*languages(), *others), help=about)


def add_sandbox(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses the sandbox."""
    parser.add_argument(
        "--sandbox",
        choices=(AUTO, *BACKENDS),
        default=AUTO,
        help="the sandbox (default: auto, the strongest that works on this machine)",
    )


def add_bank(parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that grade a bank of submissions."""
    parser.add_argument(
        "--bank", type=Path, metavar="DIR", help="the bank of submissions (default: the one that ships)"
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="PATTERN",
        help="use only submissions of the bank that match; may be repeated",
    )
    add_jobs(parser)
    add_sandbox(parser)
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def add_grading(parser: argparse.ArgumentParser) -> None:
    """Add the options of all commands that grade."""
    add_sandbox(parser)
    add_rubric(parser)
    add_language(parser)
    add_shared(parser)


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the option that turns the search for the wrong line on or off."""
    parser.add_argument(
        "--explain",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="search for the line of the student's code that is wrong (default: yes); no mark depends on it",
    )


def add_shared(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets others read what is written."""
    parser.add_argument(
        "--shared",
        action="store_true",
        help="let others read what is written, as the umask allows (default: only its owner)",
    )


def add_deadlines(parser: argparse.ArgumentParser) -> None:
    """Add the options for tables of arrival times and extended deadlines."""
    parser.add_argument(
        "--times", type=path_or_none, metavar="CSV", help="when work was handed in: columns student, time"
    )
    parser.add_argument(
        "--extensions",
        type=path_or_none,
        metavar="CSV",
        help="extended deadlines: columns student, and deadline or hours",
    )


def expect_empty(folder: Path) -> None:
    """Raise InputError unless a folder is new, or empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("expected a new or an empty folder: name another, or empty it", path=folder)


def take_away(options: argparse.Namespace, *names: str) -> frozenset[str]:
    """Return which of these options are given as the word ``none``, and set them as if not named."""
    gone = frozenset(name for name in names if getattr(options, name) == NONE)
    for name in gone:
        setattr(options, name, None)
    return gone


@contextmanager
def restrict_permissions(options: argparse.Namespace) -> Iterator[None]:
    """Make new files readable by their owner only, if the command has ``--shared`` and it was not given."""
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
    """Turn a ValueError or ImportError from a library into a GraderError."""
    try:
        yield
    except (ValueError, ImportError) as error:
        raise GraderError(str(error)) from None


OUTPUT: Final = "the standard output"
"""Errors of the standard output carry this as their file name."""


def restart_in_utf8() -> None:
    """Restart the process in Python's UTF-8 mode (the default from Python 3.15 on) if it is off.

    In the encoding of an old locale, some file names could not be written, or would differ between the tables
    of marks and the disk. Output stays in the encoding of the terminal.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.environ.setdefault("PYTHONIOENCODING", locale.getencoding())
        os.environ["PYTHONUTF8"] = "1"  # for child processes
        again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execv(sys.executable, again)  # noqa: S606 - the command itself


def prepare_streams() -> None:
    """Open missing standard streams, and make the output able to print any name."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # if it is closed, the next opened file would take its number
            nothing = open(os.devnull, "w" if number else "r", encoding="utf-8")  # noqa: PTH123, SIM115
            os.set_inheritable(nothing.fileno(), True)
            setattr(sys, f"__{name}__", nothing)
            setattr(sys, name, nothing)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if type(sys.stdout) is io.TextIOWrapper:
        sys.stdout = _with_name(sys.stdout)


class _Output(io.FileIO):
    """The standard output, naming itself in its errors, so that they differ from those of other files."""

    def write(self, data: Any, /) -> int:
        """Write bytes, and return how many; name the standard output in errors."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = OUTPUT
            raise


def _with_name(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Rebuild the stream on top of an _Output, with the same buffering."""
    raw = _Output(stream.fileno(), "w", closefd=False)
    buffer = raw if stream.write_through else io.BufferedWriter(raw)
    return io.TextIOWrapper(
        buffer,
        *(stream.encoding, stream.errors),
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def discard_unprinted() -> None:
    """Discard output that cannot be printed, or Python would try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):  # in a test there may be no file behind it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
