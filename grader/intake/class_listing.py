"""Lists what a class handed in: a folder of folders or archives, or the bulk download of a platform.

What lies directly in the class is one student each, always; a glob says where students lie deeper, as in
sections. In a download, the platform's names say who handed in what, and its numbers and times which attempt
counts. Every student gets exactly one entry, whatever is there: what cannot be read is refused later, in that
student's result.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from glob import escape
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.errors import InputError, IntakeError
from grader.intake.bulk_download import (
    Recognised,
    beginning,
    children,
    hidden_folders,
    holds,
    holds_folders_only,
    is_any_submission,
    is_submission,
    is_wrapper,
    leads_to,
    list_folder,
    loose_files,
    recognise_platform,
)
from grader.intake.candidates import lab_names
from grader.intake.files import is_file, is_folder
from grader.intake.git_history import own_commits, read_commits
from grader.intake.names import (
    ARCHIVES,
    collision_key,
    is_called_archive,
    names_a_class,
    numbered_name,
    safe_name,
    student_name,
    submission_name,
)
from grader.languages import Message, said
from grader.model import Remark, note
from grader.platforms.base import PLATFORMS, DownloadItem, propose_form, reader_of
from grader.text import shown, visible

_CLASS: Final = 2
"""Beside at least 2 submissions, loose files are not a submission around them."""
UNCLEAR: Final = (
    "expected every file in a folder or archive of its student, found files of the lab in nobody's: move "
    "them to a folder that is called as their student, and give the same command again"
)
"""What is said of files that are nobody's."""
_RESUBMISSION_SUFFIX: Final = {"canvas": re.compile(r"-\d+(?=\.\w+$)", re.IGNORECASE)}
"""These suffixes are appended by a platform to the name of a file that is handed in again."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What one student handed in, as it lies on the disk."""

    name: str
    """The name of the student's folder of results: a safe name that no other student has."""
    sources: tuple[Path, ...]
    """A folder, an archive, or loose files; empty if the student handed in no file."""
    student: str = ""
    """The student's name on the platform; in a plain folder, the name of the student's folder or archive."""
    id: str = ""
    """The student's id on the platform."""
    platform: str = ""
    labels: tuple[str, ...] = ()
    """The student's names for the sources, which are then read as if they lay in one folder; empty for a
    source that is read by itself."""
    is_open: bool = False
    """Whether the sources are attempts of which the platform does not tell the last."""
    submitted: datetime | None = None
    late: bool = False
    """Whether the platform marks it as late."""
    attempts: int = 1
    """How many times the student has handed in; the last attempt is graded."""
    platform_score: str = ""
    """The score that the platform gave."""
    remarks: tuple[Remark, ...] = ()
    """Which attempt is graded, and questions for a person to decide."""
    unclear: str = ""
    """Why a person has to say whose it is; no mark is given if this is set."""
    author: str = ""
    """The name of who made the last commit, as the student's machine wrote it; empty without a repository."""
    broken: str = ""
    """What of it could not be unpacked, and why; no mark is given if this is set."""
    asked: tuple[Path, ...] = ()
    """Requests for another look that were handed in by themselves, after the attempt that counts."""


@dataclass(frozen=True, slots=True)
class ClassListing:
    """All submissions that were found in one place."""

    platform: str
    hand_ins: tuple[HandIn, ...]
    passed_over: tuple[str, ...]
    """The names of what is no submission."""
    told: tuple[str, ...] = ()
    """What there is to say at a terminal of how the class was read, without names of students."""


def find_hand_ins(  # noqa: PLR0913 - how a class is looked at
    folder: Path,
    *,
    students: str = "",
    names: str = "",
    called: Path | None = None,
    leave_out: Path | None = None,
    reserved: Iterable[str] = (),
    journal: str = "",
    broken: Mapping[Path, str] = MappingProxyType({}),
    requests: bool = False,
) -> ClassListing:
    """List what a class handed in, by name; no entry gets a reserved name.

    ``students`` is a glob, seen from the folder, of what is one student's each; without it, this is what lies
    in the folder. ``names`` is the form of loose files' names, as ``reader_of`` takes it, in place of that of
    a platform. ``called`` is how a person names the class, which may be packed. ``leave_out`` is a folder of
    results, which may lie in the same place; results of other runs are recognised by their ``journal`` and
    skipped. ``broken`` maps paths that could not be unpacked to the reason. With ``requests``, an attempt of
    nothing but a request for another look is none. Raises IntakeError if there is nothing to grade, and
    InputError.
    """
    classes = _sections(folder, students) if students else {folder: _unwrapped(children(folder))}
    platform, found, passed_over, told = "", list[HandIn](), list[Path](), list[str]()
    for place, all_paths in classes.items():
        paths = [path for path in all_paths if not leads_to(path, leave_out)]
        recognised = _by_form(place, paths, names) if names else recognise_platform(paths)
        if requests:
            recognised, asked = _without_requests(recognised)
        more, passed = _list_paths(place, paths, recognised, journal)
        more = (
            [replace(each, asked=asked.get(each.id or each.student, ())) for each in more]
            if requests
            else more
        )
        platform, found, passed_over = platform or recognised.platform, found + more, passed_over + passed
        told += [f"{recognised.doubt}; {_ONE_EACH}"] if recognised.doubt else []
        told += [] if platform or names else _proposals(more)
    if not found:
        raise IntakeError(f"expected submissions (folders, {ARCHIVES}), found none", path=folder)
    if broken:
        found = [replace(each, broken=_broken_parts(each, broken)) for each in found]
    named = _with_commits(_make_names_unique(_ask_about_shared_names(found), reserved))
    if not platform and not students and holds_folders_only([each.sources[0] for each in found]):
        told.append(_DEEPER.format(glob=shlex.quote(f"{escape(str(called or folder))}/*/*")))
    return ClassListing(
        platform, tuple(named), tuple(shown(path.name) for path in passed_over), tuple(dict.fromkeys(told))
    )


_REQUEST: Final = re.compile(r"request(?:[-_ ]?\(?\d+\)?)?\.txt", re.IGNORECASE)
"""How a platform or a browser may have numbered the file of a request for another look."""


def is_request_name(name: str) -> bool:
    """Tell whether a file of this name, without folders, is a request for another look."""
    return _REQUEST.fullmatch(name) is not None


def request_in(files: Iterable[str]) -> str | None:
    """Return the path of the request among these, that nearest to the top; None without."""
    found = [path for path in files if is_request_name(path.rpartition("/")[2])]
    return min(found, key=lambda path: (path.count("/"), path), default=None)


def _without_requests(recognised: Recognised) -> tuple[Recognised, dict[str, tuple[Path, ...]]]:
    """Return a download without attempts that are nothing but a request beside others, and these apart."""
    attempts: dict[str, dict[tuple[str, str], list[DownloadItem]]] = defaultdict(lambda: defaultdict(list))
    for item in recognised.items:
        attempts[item.id or item.student][item.assignment, item.attempt].append(item)
    asked: dict[str, tuple[Path, ...]] = {}
    for student, theirs in attempts.items():
        alone = [each for each in theirs.values() if all(map(_is_request, each))]
        if len(alone) < len(theirs):
            asked[student] = tuple(item.path for each in alone for item in each)
    gone = {path for paths in asked.values() for path in paths}
    items = [item for item in recognised.items if item.path not in gone]
    return recognised._replace(items=items), asked


def _is_request(item: DownloadItem) -> bool:
    """Tell whether a file, or all in a folder, is a request for another look."""
    inside = [] if item.name else [path.name for path in list_folder(item.path) or []]
    names = [item.name] if item.name else inside
    return bool(names) and all(map(is_request_name, names))


_ONE_EACH: Final = "each file and folder is taken for one student's"
_DEEPER: Final = (
    "each folder is one student, and all of them hold nothing but folders: if they are sections, add "
    "--students {glob}"
)


def _by_form(folder: Path, paths: Sequence[Path], form: str) -> Recognised:
    """Return what names of a form that a person gave say. Raises InputError where none has it."""
    read = reader_of(form)
    items = [item for item in map(read, paths) if item is not None]
    if paths and not items:
        raise InputError(
            f"expected names of the form {visible(form)} (--names), found none, as {shown(paths[0].name)}",
            path=folder,
        )
    named = {item.path for item in items}
    return Recognised("", [*map(_with_suffix, items)], [path for path in paths if path not in named])


def _with_suffix(item: DownloadItem) -> DownloadItem:
    """Return a file of code by a name that says so, where a platform has left none."""
    if not item.name or Path(item.name).suffix or not names_a_class(beginning(item.path)):
        return item
    return replace(item, name=f"{item.name}.py")


def _proposals(found: Iterable[HandIn]) -> list[str]:
    """Return what to add to the command where several files seem to be one student's."""
    files = [each.sources[0].name for each in found if is_file(each.sources[0]) and not each.unclear]
    form = propose_form(files)
    return [f"several files seem to be one student's: if so, add --names {shlex.quote(form)}"] if form else []


def _sections(folder: Path, students: str) -> dict[Path, list[Path]]:
    """Return what a glob names, by the folder in which it lies. Raises IntakeError."""
    try:
        named = {*folder.glob(students)}
    except (ValueError, NotImplementedError) as error:
        raise IntakeError(
            f"expected a glob of students' folders and archives: {error}", path=folder
        ) from None
    parents = sorted({path.parent for path in named})
    return {parent: [path for path in children(parent) if path in named] for parent in parents}


def _unwrapped(paths: list[Path]) -> list[Path]:
    """Return what lies in a class, without the folders that a tool wrapped around it."""
    while len(paths) == 1 and is_wrapper(paths[0]):
        paths = children(paths[0])
    return paths


def _list_paths(
    folder: Path, paths: Sequence[Path], recognised: Recognised, journal: str
) -> tuple[list[HandIn], list[Path]]:
    """Return what was handed in at these paths of a folder, and the paths that are passed over.

    Raises IntakeError if they are the files of one submission.
    """
    others, found = recognised.others, _from_platform(recognised.platform, recognised.items)
    students = {each.student for each in found}
    loose = loose_files(others)
    handed_in = [path for path in others if path not in loose and is_submission(path)]
    handed_in = [path for path in handed_in if not holds(path, journal) and not _holds_any(path, students)]
    taken = {*handed_in, *loose}
    passed_over = [path for path in others if path not in taken]
    if loose and not found and len(handed_in) < _CLASS:
        raise IntakeError("this is one submission: use grader grade, or name the folder above", path=folder)
    found += [HandIn("loose-files", tuple(loose), student="?", unclear=UNCLEAR)] if loose else []
    found += [HandIn(submission_name(path), (path,), student=student_name(path)) for path in handed_in]
    return found, [*hidden_folders(paths), *passed_over]


def _holds_any(path: Path, students: Collection[str]) -> bool:
    """Tell whether a folder beside a download holds folders of the same students, such as their drafts."""
    return is_folder(path) and any(each.name in students for each in list_folder(path) or [])


def _broken_parts(hand_in: HandIn, broken: Mapping[Path, str]) -> str:
    """Return the reasons why parts of a hand-in are broken, joined; "" if it is complete."""
    sources = set(hand_in.sources)
    return "; ".join(reason for path, reason in broken.items() if sources & {path, *path.parents})


def _with_commits(found: Sequence[HandIn]) -> list[HandIn]:
    """Return the hand-ins; those that are repositories with the author and time of the last commit.

    Whoever commits writes both as they like: so the folder says whose it is, and an author who has the name
    or the address of another hand-in is a question.
    """
    plain = [each.sources[0] for each in found if not each.platform and len(each.sources) == 1]
    read = {path: read_commits(path) for path in plain}
    commits = own_commits({path: theirs for path, theirs in read.items() if theirs})
    called = Counter(word for each in found for word in {each.name.casefold(), each.student.casefold()})
    called.update(commit.email for commit in commits.values())
    named = []
    for each in found:
        source = next(iter(each.sources), Path())
        said_of_it = []
        if source in read and not each.platform and (commit := commits.get(source)):
            each = replace(each, author=commit.name, submitted=commit.time)
            said_of_it += [_asked(said("intake_git_time"))] if commit.time is None else []
            is_own = commit.name.casefold() in (each.name.casefold(), each.student.casefold())
            if called[commit.email] > 1 or called[commit.name.casefold()] > is_own:
                said_of_it.append(Remark("author", "", "", said("intake_git_author")))
        elif source in read and read[source] is None:
            said_of_it.append(note(said("intake_git_left")))
        named.append(replace(each, remarks=(*each.remarks, *said_of_it)))
    return named


def _asked(question: Message) -> Remark:
    return Remark("unsure", "", "", question)


def _ask_about_shared_names(found: Sequence[HandIn]) -> list[HandIn]:
    """Return the hand-ins, with a question added to those that one student handed in side by side."""
    count = Counter((each.platform, each.id, each.student) for each in found)
    return [
        replace(each, remarks=(*each.remarks, _asked(said("intake_same_name"))))
        if count[each.platform, each.id, each.student] > 1
        else each
        for each in found
    ]


# --- platforms ----------------------------------------------------------------------------------


def _from_platform(platform: str, pieces: Iterable[DownloadItem]) -> list[HandIn]:
    """Return one entry for each student, sorted by the student's id."""
    by_student: dict[str, list[DownloadItem]] = defaultdict(list)
    for piece in sorted(pieces, key=lambda each: (each.attempt, each.number, each.path.name)):
        by_student[piece.id or piece.student].append(piece)
    return [_latest_attempt(platform, theirs) for _, theirs in sorted(by_student.items())]


def _latest_attempt(platform: str, pieces: Sequence[DownloadItem]) -> HandIn:
    """Return the entry of a student: the attempt that is the last by the platform's record, or all of them,
    each below its assignment and its name, where it has none or they are of several assignments."""
    last = pieces[-1]
    attempts = {(piece.assignment, piece.attempt): piece for piece in pieces}
    are_ordered = all(each.is_ordered for each in attempts.values())
    is_clear = len(attempts) == 1 or (are_ordered and len({task for task, _ in attempts}) == 1)
    current = [piece for piece in pieces if piece.attempt == last.attempt] if is_clear else pieces
    again, name = _archives_again(platform, current) if is_clear else (1, "")
    count = max(len(attempts) + last.earlier, again)
    when = said("intake_attempts", count=count, time=str(last.submitted))
    which = said("intake_versions", count=count, source=shown(name or last.path.name))
    told = Remark("attempts", "", "", when if last.submitted else which)
    made = HandIn(
        safe_name(PLATFORMS[platform].folder(last) if platform else last.student),
        (),
        student=last.student,
        id=last.id,
        platform=platform,
        is_open=not is_clear,
        submitted=last.submitted,
        late=any(piece.late for piece in current),
        attempts=count,
        platform_score=last.score,
        remarks=(told,) if is_clear and count > 1 else (),
    )
    called = [", ".join(dict.fromkeys(filter(None, (each.assignment, each.path.name)))) for each in pieces]
    whole = [(each.path, name) for each, name in zip(pieces, called, strict=True)]
    return with_files(made, _files(platform, current) if is_clear else whole)


def _files(platform: str, pieces: Sequence[DownloadItem]) -> list[tuple[Path, str]]:
    """Return the files of an attempt, with the student's names for them: the later of one name numbered, of
    archives only the last; a folder without folders in it stands for its files."""
    named = _plain_names(platform, [piece.name for piece in pieces])
    files, counts = dict[str, Path](), Counter[str]()
    for piece, name in zip(pieces, named, strict=True):
        if name:
            counts[name] += 1
            is_again = counts[name] > 1 and not is_called_archive(name)
            files[numbered_name(name, counts[name]) if is_again else name] = piece.path
        elif piece.path.is_dir():
            inside = list_folder(piece.path)
            is_deep = inside is None or any(map(is_folder, inside))
            files |= {"": piece.path} if is_deep else {path.name: path for path in inside or []}
    return [(path, name) for name, path in files.items()]


def _archives_again(platform: str, pieces: Sequence[DownloadItem]) -> tuple[int, str]:
    """Return how many archives of one name an attempt has, and how the last is called, which is read."""
    named = _plain_names(platform, [piece.name for piece in pieces])
    counts = Counter(filter(is_called_archive, named))
    again = [
        (counts[name], piece.name) for piece, name in zip(pieces, named, strict=True) if counts[name] > 1
    ]
    return again[-1] if again else (1, "")


def _plain_names(platform: str, names: Sequence[str]) -> list[str]:
    """Return the student's names of files, without what the platform appends where one is handed in again."""
    suffix = _RESUBMISSION_SUFFIX.get(platform)
    if suffix is None:
        return [*names]
    known = {*map(str.casefold, names), *lab_names()}
    plain = {name: suffix.sub("", name) for name in names}
    count = Counter(plain.values())
    return [
        plain[name] if plain[name].casefold() in known or count[plain[name]] == 1 else name for name in names
    ]


def with_files(hand_in: HandIn, files: Sequence[tuple[Path, str]]) -> HandIn:
    """Return the hand-in with these files, by the student's names; a folder without one stands for what lies
    in it."""
    labels = tuple(name for _, name in files)
    return replace(hand_in, sources=tuple(path for path, _ in files), labels=labels if any(labels) else ())


def _make_names_unique(found: Iterable[HandIn], reserved: Iterable[str]) -> list[HandIn]:
    """Give every student a unique name; the first of a name keeps it, and the order is fixed."""
    taken = {collision_key(name) for name in reserved}
    kept = []
    for hand_in in sorted(found, key=lambda h: (h.name, [str(path) for path in h.sources])):
        name, seed = hand_in.name, f"{hand_in.id}|{[path.name for path in hand_in.sources]}"
        while collision_key(name) in taken:
            seed = hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
            name = safe_name(f"{hand_in.name[:100]}-{seed[:6]}")
        taken.add(collision_key(name))
        kept.append(replace(hand_in, name=name))
    return kept


_SIGNS: Final = frozenset("*?[")
"""A part of a path with one of these is a pattern."""


def place_of_students(submissions: Sequence[Path], students: str) -> tuple[Path, str | None]:
    """Return the folder of a class, and the glob of its students, seen from there; None for what lies in it.

    The class may be named by a glob of its sections (``class/*``), or by all of them, as a shell makes of it.
    Raises InputError.
    """
    first, asked = submissions[0], Path(students).parts
    if students:
        if all(
            part in (name, escape(name)) for name, part in zip_longest(first.parts, asked[: len(first.parts)])
        ):
            return first, "/".join(asked[len(first.parts) :])
        folder, glob = _split(Path(students))
        here, there = folder.resolve(), first.resolve()
        inner = here.relative_to(there).as_posix() if here.is_relative_to(there) else folder.as_posix()
        return first, "/".join(part for part in (inner, glob) if part not in ("", "."))
    if len(submissions) == 1:
        folder, glob = (first, "") if first.exists() else _split(first)
        deeper = glob if is_any_submission(folder.glob(glob) if glob else ()) else f"{glob}/*"
        return folder, deeper if glob else None
    folder = Path(os.path.commonpath(submissions))
    if any(path.parent != folder for path in submissions):
        raise InputError("expected one class, or the sections of one: name its folder", path=submissions[1])
    names = {path.name for path in submissions}
    others = [each.name for each in folder.glob("*") if each.is_dir() and each.name not in names]
    if others:
        raise InputError("expected all sections of a class, or its folder and --students", path=others[0])
    return folder, None if is_any_submission(submissions) else "*/*"


def _split(path: Path) -> tuple[Path, str]:
    """Split a path in front of its first pattern."""
    place = next((n for n, part in enumerate(path.parts) if _SIGNS & {*part}), len(path.parts))
    return Path(*path.parts[:place]), "/".join(path.parts[place:])
