"""Telling the work of one student from that of a class, of which only one's would be graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.errors import InputError
from grader.intake.candidates import is_template, named_like
from grader.intake.containers import opened
from grader.intake.entries import Entry, Sieve
from grader.intake.names import is_archive_name
from grader.intake.notes import Notes
from grader.intake.recognise import recognise
from grader.intake.root_folder import roots_of
from grader.intake.selection import content_of
from grader.text import visible
from lab.exercises import EXERCISES


def check_single(entries: Sequence[Entry], before: Sieve) -> None:
    """Raise InputError where these are the files of several students, in whatever lies around them."""
    sieve = Sieve(before.caps, Notes())  # what is tried here is noted when it is graded
    found = _students({entry.path: entry for entry in entries}, sieve)
    if len(found) == 1 and is_archive_name(found[0]):
        inner = opened((entry for entry in entries if entry.path.endswith(found[0])), sieve)
        found = _students({entry.path: entry for entry in inner}, sieve)
    if len(found) > 1:
        raise InputError(
            f"expected one submission, found {len(found)} ({', '.join(map(visible, found[:3]))}"
            f"{', …' if len(found) > 3 else ''}): use grader batch for a class, or name one of them"
        )


def _students(by_path: Mapping[str, Entry], sieve: Sieve) -> list[str]:
    """Folders that hold files of the lab, archives, or those whom a platform has named, side by side."""
    roots = {root for path in by_path for root in roots_of(path) if _is_own(path, root, by_path[path], sieve)}
    if "" in roots:
        return []
    prefix = _wrapper(by_path, roots)
    inside = {path.removeprefix(prefix) for path in by_path if path.startswith(prefix)}
    folders = {
        root[len(prefix) :].split("/")[0] for root in roots if root.count("/") <= prefix.count("/") + 2
    }
    tops = sorted({path.split("/")[0] for path in inside})
    archives = [name for name in tops if name in inside and _is_students(name)]
    platform, pieces, _ = recognise([Path(name) for name in tops], lambda _: "")
    named = {piece.id: piece.student for piece in pieces} if platform else {}
    return sorted(named.values()) if len(named) > 1 else sorted(folders - {""}) or archives


def _wrapper(by_path: Mapping[str, Entry], roots: set[str]) -> str:
    """The folders around all files, down to where there are several or a student's begins."""
    prefix = ""
    while True:
        tops = {path[len(prefix) :].partition("/")[0] for path in by_path}
        inner = f"{prefix}{next(iter(tops), '')}/"
        if len(tops) != 1 or inner.removesuffix("/") in by_path or inner in roots:
            return prefix
        prefix = inner


def _is_students(name: str) -> bool:
    """Whether this is an archive; those that are called like exercises are one student's."""
    return is_archive_name(name) and named_like(name.split(".")[0]) is None


def _is_own(path: str, root: str, entry: Entry, sieve: Sieve) -> bool:
    """Whether a file of the lab is not as it was handed out."""
    exercise = next(each for each in EXERCISES if path == root + each.file)
    return not is_template(content_of(entry, path, sieve) or b"", exercise)
