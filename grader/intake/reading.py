"""Reads one submission in a process of its own, so that it costs the grader no more than its bounds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import BeyondBounds, Candidate, InputError, Undecided, Unreached
from grader.intake.choice import Work
from grader.intake.files import Caps, Refusal
from grader.intake.submissions import nothing_read, read_hand_in, read_submission
from grader.languages import Message, said
from grader.model import Submission
from grader.reader import Reader

if TYPE_CHECKING:
    from grader.intake.class_listing import HandIn

_RAISED = {each.__name__: each for each in (InputError, Unreached, Undecided)}


@dataclass(frozen=True, slots=True)
class _Read:
    """What came of reading a submission: its files, or why it was not read."""

    submission: Submission | None = None
    refused: Message | None = None
    raised: tuple[str, str] = ("", "")
    """The name of the error, and its message."""
    candidates: tuple[Candidate, ...] = ()
    """Those of which a person has to say which counts."""


def submission_at(
    path: Path,
    reader: Reader,
    *,
    caps: Caps | None = None,
    chosen: Collection[str] = (),
    check: Callable[[Sequence[Work]], None] = lambda _: None,
) -> Submission:
    """Read a folder or an archive. Raises as ``read_submission`` does, Refusal where it takes too much."""
    try:
        return _read(reader, lambda: read_submission(path, caps=caps, chosen=chosen, check=check), (path,))
    except BeyondBounds:
        raise Refusal(said("reading_too_much"), path=path) from None


def submission_of(hand_in: HandIn, reader: Reader, *, chosen: Collection[str] = ()) -> Submission:
    """Read a student's submission; one that is refused or takes too much is empty, with the reason.

    Where several candidates could count, the one is taken whose name is among the chosen. Raises Unreached
    and Undecided.
    """
    try:
        return _read(reader, lambda: read_hand_in(hand_in, chosen), hand_in.sources)
    except BeyondBounds:
        return nothing_read(hand_in, said("reading_too_much"))


def _read(reader: Reader, work: Callable[[], Submission], paths: Sequence[Path]) -> Submission:
    def told() -> _Read:
        try:
            return _Read(work())
        except Refusal as error:
            return _Read(refused=error.reason, raised=("", str(error.path or "")))
        except InputError as error:
            candidates = error.candidates if isinstance(error, Undecided) else ()
            return _Read(raised=(type(error).__name__, str(error)), candidates=candidates)
        except OSError as error:
            return _Read(raised=("Unreached", f"{error.strerror or error}"))

    read = reader.read(told, _Read, paths)
    if read.refused is not None:
        raise Refusal(read.refused, path=Path(read.raised[1]) if read.raised[1] else None)
    if read.candidates:
        raise Undecided(read.raised[1], candidates=read.candidates)
    if read.submission is None:
        raise _RAISED[read.raised[0]](read.raised[1])
    return read.submission
