"""Requests for another look that are handed in, as a file request.txt, by itself or beside work.

What is handed in says whose the request is. It is no attempt by itself: what counted before counts. Beside
work the file is taken out before anything is graded, so that it costs nothing and makes no new attempt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from grader.batch.job import Job, read_with_choices
from grader.batch.journal import Journal
from grader.batch.requests import load_requests, open_one, read_text
from grader.batch.upload_check import names_in
from grader.errors import InputError
from grader.intake.class_listing import is_request_name, request_in
from grader.intake.files import read_regular
from grader.reader import Reader
from grader.text import visible

_MOST_BYTES: Final = 64 * 1024
_MOST_PATHS: Final = 5000
"""A name is looked for among the first 5,000 paths of a folder."""


@dataclass(frozen=True, slots=True)
class HandedRequest:
    """What a student handed in as a request."""

    name: str
    """The submission."""
    text: bytes
    at: datetime
    is_alone: bool
    """Whether nothing else was handed in, so that it is no attempt."""


def find_handed(jobs: Sequence[Job], reader: Reader) -> Iterator[HandedRequest]:
    """Yield the requests among what was handed in."""
    for job in (each for each in jobs if each.takes_requests):
        hand_in = job.hand_in
        for path in hand_in.asked:
            with suppress(OSError):
                yield HandedRequest(
                    job.name, read_regular(path, _MOST_BYTES, follow=False), _time(path), False
                )
        if not _may_hold(job):
            continue
        with suppress(
            InputError, OSError
        ):  # what cannot be read, or is undecided, is told where it is graded
            files = read_with_choices(hand_in, job.choices, reader).files
            if (path_in := request_in(files)) is not None:
                at = hand_in.submitted or _time(hand_in.sources[0])
                yield HandedRequest(job.name, files[path_in][:_MOST_BYTES], at, len(files) == 1)


def _may_hold(job: Job) -> bool:
    """Tell by the names of its files, in a folder and a small zip, whether a hand-in may hold a request."""
    names = {*job.hand_in.labels, *(path.name for path in job.hand_in.sources)}
    for path in job.hand_in.sources:
        with suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                names |= {each.name for each in islice(path.rglob("*"), _MOST_PATHS)}
            elif path.is_file():
                names |= names_in(path)
    return any(map(is_request_name, names))


def _time(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def without_requests_alone(
    jobs: Sequence[Job], handed: Sequence[HandedRequest], journal: Journal
) -> list[Job]:
    """Return the jobs without those that handed in nothing but a request, and have a result that counts."""
    alone, entries = {each.name for each in handed if each.is_alone}, journal.entries()
    return [job for job in jobs if not (job.name in alone and job.name in entries and entries[job.name].key)]


def open_handed(out: Path, journal: Journal, handed: Sequence[HandedRequest]) -> Iterator[str]:
    """Open what was handed in; yield a line on each, but for what was opened before. Raises DiskError."""
    known, entries = load_requests(out), journal.entries()
    for each in handed:
        try:
            came = read_text(each.name, each.text, each.at)
            before = known.get(each.name, ())
            if any(one.check == came.check and one.work.startswith(came.attempt) for one in before):
                continue
            if each.name in entries:
                open_one(out, journal, each.name, came, each.name)
                yield f"{visible(each.name)}: {visible(came.check)}: asked for another look"
        except InputError as error:
            yield f"{visible(each.name)}: request.txt is not opened: {error}"
