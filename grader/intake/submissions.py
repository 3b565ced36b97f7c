"""Reads one submission, in whatever form it was handed in, and recognises when it is a whole class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from grader.errors import InputError, Undecided
from grader.intake.archives import archive_entries, is_archive, open_inner_archives
from grader.intake.attempt_names import read_attempt_name
from grader.intake.attempts import keep_last
from grader.intake.candidates import exercise_named_like, is_template
from grader.intake.class_folder import recognise_platform
from grader.intake.files import Caps, Entry, LeftOut, Refusal, Sieve, folder_entries, is_folder, read_regular
from grader.intake.names import (
    ARCHIVE_SUFFIXES,
    is_archive_name,
    is_document,
    may_hide_archive,
    safe_name,
    submission_name,
)
from grader.intake.selection import exercise_roots, read_entry, select
from grader.intake.source_files import holds_code
from grader.languages import said
from grader.model import Remark, Submission
from grader.text import in_bytes, shown, visible
from lab.came import kind_inside, kind_of
from lab.exercises import EXERCISES


def read_submission(
    path: Path,
    *,
    name: str | None = None,
    label: str = "",
    caps: Caps | None = None,
    chosen: Collection[str] = (),
    check: Callable[[Sequence[Entry], Sieve], None] = lambda *_: None,
) -> Submission:
    """Read a folder, a zip, a 7z or a (gzipped) tar; ``name`` and the student's ``label`` for it default to
    the name of the path.

    What is damaged or refused is left out, with a note. Raises Refusal if nothing can be read at all, and
    Unreached if the machine cannot read a part of it. ``check`` gets the entries before the selection, and
    raises InputError if they are not to be graded.
    """
    sieve = Sieve(caps or Caps(), frozenset(chosen))
    try:
        entries = (
            _folder_entries(path, sieve)
            if is_folder(path)
            else _file_entries(path, label or path.name, sieve)
        )
        check(entries, sieve)
        files = select(entries, sieve)
    except Refusal as error:
        raise Refusal(error.reason, path=path) from error.__cause__
    except InputError as error:
        if isinstance(error, Undecided):
            raise Undecided(str(error), path=path, candidates=error.candidates) from error.__cause__
        raise type(error)(str(error), path=path) from error.__cause__
    called = safe_name(name) if name else submission_name(path)
    return make_submission(called, files, sieve)


def make_submission(
    name: str, files: Mapping[str, bytes], sieve: Sieve, before: Iterable[Remark] = ()
) -> Submission:
    """Return the submission of these files, with all remarks of intake."""
    if not files:
        sieve.note(said("intake_no_file"))
    return Submission(name, files, (*before, *sieve.all_remarks()))


def is_submission_archive(path: Path) -> bool:
    """Tell whether a path is a file with the name of an archive that intake reads."""
    return is_archive_name(path.name) and path.is_file()


def _folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """List the files of a folder; a folder that holds just an archive counts as that archive."""
    entries = folder_entries(folder, sieve)
    if len(entries) == 1 and is_archive_name(entries[0].path) and not sieve.notes:
        with suppress(Refusal, LeftOut):
            content = sieve.read(entries[0], sieve.caps.archive_bytes + 1)
            if len(content) <= sieve.caps.archive_bytes:
                return archive_entries(content, sieve) or entries
    return entries


def _file_entries(path: Path, label: str, sieve: Sieve) -> list[Entry]:
    content = _content(path, sieve.caps)
    is_hidden_archive = may_hide_archive(label) and is_archive(content)
    if not is_hidden_archive and not path.is_symlink() and holds_code(label, content):
        return [Entry(path.name, lambda most: content[:most])]
    is_read = is_hidden_archive or not is_document(label)
    entries = archive_entries(content, sieve) if is_read else None
    if entries is not None:
        return entries
    kind = kind_of(label, content)
    if is_archive_name(label) and kind_inside(content) in (None, "archive"):
        kind = "no_archive"
    what = said("came_named", what=said(f"came_{kind}"), names=shown(label))
    found = what if content else said("came_empty")
    *archives, last = ARCHIVE_SUFFIXES
    raise Refusal(said("no_submission", archives=", ".join(archives), last=last, found=found))


def _content(path: Path, caps: Caps) -> bytes:
    """Return the bytes of a file. Raises Refusal if it cannot be read or is too large."""
    try:
        content = read_regular(path, caps.archive_bytes + 1, follow=True)
    except OSError as error:
        raise Refusal(said("unreadable", reason=str(error.strerror))) from None
    if len(content) > caps.archive_bytes:
        raise Refusal(said("archive_large", size=in_bytes(caps.archive_bytes)))
    return content


# --- one student's, or a class's -------------------------------------------------------------------


def check_is_one_student(entries: Sequence[Entry], before: Sieve) -> None:
    """Raise InputError if these are the files of several students, whatever folders are around them."""
    sieve = Sieve(before.caps)  # what is tried here is noted when it is graded
    last = _without_earlier(entries, sieve)
    found = _students(last, sieve)
    if len(found) == 1 and is_archive_name(found[0]):
        inner = open_inner_archives((last[path] for path in last if path.endswith(found[0])), sieve)
        found = _students({entry.path: entry for entry in inner}, sieve)
    if len(found) > 1:
        raise InputError(
            f"expected one submission, found {len(found)} ({', '.join(map(visible, found[:3]))}"
            f"{', …' if len(found) > 3 else ''}): use grader batch for a class, or name one of them"
        )


def _without_earlier(entries: Sequence[Entry], sieve: Sieve) -> dict[str, Entry]:
    """Return the entries without earlier attempts, be they folders or archives."""
    opened = {entry.path: entry for entry in open_inner_archives(entries, sieve)}
    left = keep_last(opened, sieve, may_be_class=True)
    folders = {path[:cut] for path in left for cut, character in enumerate(path) if character == "/"}
    return {each.path: each for each in entries if each.path in left or each.path in folders}


def _students(by_path: Mapping[str, Entry], sieve: Sieve) -> list[str]:
    """Return what seems to be one student's each, side by side: folders with files of the lab, archives,
    or names that a platform gave."""
    roots = {
        root
        for path in by_path
        for root in exercise_roots(path)
        if _is_changed(path, root, by_path[path], sieve)
    }
    if "" in roots:
        return []
    prefix = _wrapper(by_path, roots)
    inside = {path.removeprefix(prefix) for path in by_path if path.startswith(prefix)}
    folders = {
        root[len(prefix) :].split("/")[0] for root in roots if root.count("/") <= prefix.count("/") + 2
    }
    tops = sorted({path.split("/")[0] for path in inside})
    archives = [name for name in tops if name in inside and _is_student_archive(name)]
    platform, pieces, _ = recognise_platform([Path(name) for name in tops], lambda _: "")
    named = {piece.id or piece.student: piece.student for piece in pieces} if platform else {}
    if len(named) > 1:
        return sorted(named.values())
    found = [name for name in sorted(folders - {""}) or archives if not read_attempt_name(name).is_aside]
    return [] if all(read_attempt_name(name).is_nobodys for name in found) else found


def _wrapper(by_path: Mapping[str, Entry], roots: set[str]) -> str:
    """Return the folders around all files, down to where they branch or a student's folder begins."""
    prefix = ""
    while True:
        tops = {path[len(prefix) :].partition("/")[0] for path in by_path}
        inner = f"{prefix}{next(iter(tops), '')}/"
        if len(tops) != 1 or inner.removesuffix("/") in by_path or inner in roots:
            return prefix
        prefix = inner


def _is_student_archive(name: str) -> bool:
    """Tell whether this is a student's archive; archives named like exercises belong to one student."""
    return is_archive_name(name) and exercise_named_like(name.split(".")[0]) is None


def _is_changed(path: str, root: str, entry: Entry, sieve: Sieve) -> bool:
    """Tell whether a file of the lab was changed from the template."""
    exercise = next(each for each in EXERCISES if path == root + each.file)
    return not is_template(read_entry(entry, path, sieve) or b"", exercise)
