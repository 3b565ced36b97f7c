"""Lists what a class handed in: a folder of folders or archives, or the bulk download of a platform.

The platform of a download is recognised by the names in it. Every student gets exactly one entry, whatever is
there: what cannot be read is refused later, in that student's result. Of several attempts the last counts;
the others stay where they are and are named in a note.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.errors import IntakeError
from grader.intake.attempt_names import is_newer, read_attempt_name
from grader.intake.candidates import is_named_like_exercise, lab_names
from grader.intake.class_folder import (
    children,
    hidden_folders,
    holds,
    is_archive,
    is_submission,
    is_wrapper,
    leads_to,
    list_folder,
    loose_files,
    recognise_platform,
)
from grader.intake.files import is_folder
from grader.intake.git_history import own_commits, read_commits
from grader.intake.names import ARCHIVES, collision_key, safe_name, student_name, submission_name, version_key
from grader.intake.sections import is_submission_by_itself, sections_among
from grader.languages import Message, said
from grader.model import Remark, note
from grader.platforms.base import DownloadItem
from grader.platforms.registry import PLATFORMS
from grader.text import shown

_CLASS: Final = 2
"""Beside at least 2 submissions, loose files are not a submission around them."""
_NOBODYS: Final = (
    "expected every file in a folder or archive of its student, found files of the lab in nobody's: move "
    "them to a folder that is called as their student, and give the same command again"
)
UNCLEAR: Final = (
    "expected one attempt, or several of one assignment whose order is known: leave only the one that counts "
    "in the folder of submissions, and give the same command again"
)
"""What is said of attempts that are not clear, without the names of the files."""
_RESUBMISSION_SUFFIX: Final = {"canvas": re.compile(r"-\d+(?=\.py$)", re.IGNORECASE)}
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
    """The student's name for each loose file."""
    first_counts: bool = False
    """Whether only the first source, an archive, is graded, and the loose files after it are just compared
    with it."""
    archives: tuple[tuple[Path, str], ...] = ()
    """All archives with their names, the latest last, if there are several: together they may be one
    submission."""
    submitted: datetime | None = None
    late: bool = False
    """Whether the platform marks it as late."""
    attempts: int = 1
    """How many times the student has handed in; the last attempt is graded."""
    platform_score: str = ""
    """The score that the platform gave."""
    remarks: tuple[Remark, ...] = ()
    """Which attempt and which archive is graded, and questions for a person to decide."""
    unclear: str = ""
    """Why a person has to say what of it counts, and how; no mark is given if this is set."""
    broken: str = ""
    """What of it could not be unpacked, and why; no mark is given if this is set."""

    @property
    def all_sources(self) -> tuple[Path, ...]:
        """All files and folders that are read to grade it."""
        return (*self.sources, *(path for path, _ in self.archives if path not in self.sources))


@dataclass(frozen=True, slots=True)
class ClassListing:
    """All submissions that were found in one place."""

    platform: str
    hand_ins: tuple[HandIn, ...]
    passed_over: tuple[str, ...]
    """The names of what is no submission."""
    sections: tuple[str, ...] = ()
    """The names of the folders that were taken for several students' each."""


def find_hand_ins(
    folder: Path,
    *,
    leave_out: Path | None = None,
    reserved: Iterable[str] = (),
    journal: str = "",
    broken: Mapping[Path, str] = MappingProxyType({}),
) -> ClassListing:
    """List what a class handed in, by name; no entry gets a reserved name.

    ``leave_out`` is the folder of the results, which may lie in the same place; results of other runs are
    recognised by their ``journal`` and skipped. ``broken`` maps paths that could not be unpacked to the
    reason. Raises IntakeError if there is nothing to grade.
    """
    paths = [path for path in children(folder) if not leads_to(path, leave_out)]
    while len(paths) == 1 and is_folder(paths[0]) and is_wrapper(paths[0]):
        paths = children(paths[0])
    platform, found, passed_over, sections = _list_paths(folder, paths, journal)
    if not found:
        raise IntakeError(f"expected submissions (folders, {ARCHIVES}), found none", path=folder)
    if broken:
        found = [replace(each, broken=_broken_parts(each, broken)) for each in found]
    named = _with_commits(_make_names_unique(_ask_about_shared_names(found), reserved))
    names = (tuple(shown(path.name) for path in each) for each in (passed_over, sections))
    return ClassListing(platform, tuple(named), *names)


def _list_paths(
    folder: Path, paths: Sequence[Path], journal: str
) -> tuple[str, list[HandIn], list[Path], list[Path]]:
    """Return the platform, what was handed in at these paths of a folder, the paths that are passed over, and
    the sections.

    Raises IntakeError if they are the files of one submission.
    """
    platform, pieces, others = recognise_platform(paths)
    found = _from_platform(platform, pieces) if platform else []
    students = {each.student for each in found}
    loose = loose_files(others)
    handed_in = [path for path in others if path not in loose and is_submission(path)]
    handed_in = [path for path in handed_in if not holds(path, journal) and not _holds_any(path, students)]
    taken = {*handed_in, *loose}
    passed_over = [path for path in others if path not in taken]
    if loose and not found and sum(map(is_submission_by_itself, handed_in)) < _CLASS:
        raise IntakeError("this is one submission: use grader grade, or name the folder above", path=folder)
    found += [HandIn("loose-files", tuple(loose), student="?", unclear=_NOBODYS)] if loose else []
    sections = sections_among(handed_in)
    found += [_from_folder_or_archive(path) for path in handed_in if path not in sections]
    outer = list(sections)
    for path, inside in sections.items():
        within, more, passed, inner = _list_paths(path, inside, journal)
        outer += inner
        platform = platform or within
        found += more
        passed_over += passed
    return platform, found, [*hidden_folders(paths), *passed_over], outer


def _holds_any(path: Path, students: Collection[str]) -> bool:
    """Tell whether a folder beside a download holds folders of the same students, such as their drafts."""
    return is_folder(path) and any(each.name in students for each in list_folder(path) or [])


def _broken_parts(hand_in: HandIn, broken: Mapping[Path, str]) -> str:
    """Return the reasons why parts of a hand-in are broken, joined; "" if it is complete."""
    sources = set(hand_in.all_sources)
    return "; ".join(reason for path, reason in broken.items() if sources & {path, *path.parents})


def _from_folder_or_archive(path: Path) -> HandIn:
    """Return the entry of a student's folder or archive; a folder that holds just an archive counts as
    that archive."""
    inside = None if path.is_symlink() or not path.is_dir() else list_folder(path)
    source = inside[0] if inside and len(inside) == 1 and is_archive(inside[0]) else path
    return HandIn(submission_name(path), (source,), student=student_name(path))


def _with_commits(found: Sequence[HandIn]) -> list[HandIn]:
    """Return the hand-ins; those that are repositories with the student and time of the last commit."""
    plain = [each.sources[0] for each in found if not each.platform and len(each.sources) == 1]
    read = {path: read_commits(path) for path in plain}
    commits = own_commits({path: theirs for path, theirs in read.items() if theirs})
    shared = Counter(commit.email for commit in commits.values())
    named = []
    for each in found:
        source = next(iter(each.sources), Path())
        said_of_it = []
        if source in read and not each.platform and (commit := commits.get(source)):
            each = replace(each, student=commit.name or each.student, submitted=commit.time)
            said_of_it += [_asked(said("intake_git_time"))] if commit.time is None else []
            said_of_it += [_asked(said("intake_same_name"))] if shared[commit.email] > 1 else []
        elif source in read and read[source] is None:
            said_of_it.append(note(said("intake_git_left")))
        named.append(replace(each, remarks=(*each.remarks, *said_of_it)))
    return named


def _asked(question: Message) -> Remark:
    return Remark("unsure", "", "", question)


def _ask_about_shared_names(found: Sequence[HandIn]) -> list[HandIn]:
    """Return the hand-ins, with a question added to those that one student handed in side by side.

    Without a platform, these are also folders and archives whose names differ in the marks of attempts.
    """
    count = Counter((each.platform, each.id, each.student) for each in found)
    called = {each.student: read_attempt_name(each.student) for each in found if not each.platform}
    stems = Counter(name.stem for name in called.values() if any(map(str.isalpha, name.stem)))
    again = {
        name.stem for name in called.values() if (name.scales or name.is_copied) and stems[name.stem] > 1
    }
    return [
        replace(each, remarks=(*each.remarks, _asked(said("intake_same_name"))))
        if count[each.platform, each.id, each.student] > 1
        or (each.student in called and called[each.student].stem in again)
        else each
        for each in found
    ]


# --- platforms ----------------------------------------------------------------------------------


def _from_platform(platform: str, pieces: Iterable[DownloadItem]) -> list[HandIn]:
    """Return one entry for each student, sorted by the student's id."""
    by_student: dict[str, list[DownloadItem]] = defaultdict(list)
    for piece in pieces:
        by_student[piece.id or piece.student].append(piece)
    return [
        _latest_attempt(
            platform, sorted(theirs, key=lambda piece: (piece.attempt, piece.number, piece.path.name))
        )
        for _, theirs in sorted(by_student.items())
    ]


def _latest_attempt(platform: str, pieces: Sequence[DownloadItem]) -> HandIn:
    last = pieces[-1]
    attempts = {(piece.assignment, piece.attempt): piece for piece in pieces}
    current = [piece for piece in pieces if piece.attempt == last.attempt]
    found = _with_sources(HandIn(safe_name(PLATFORMS[platform].folder(last)), ()), platform, current)
    count = len(attempts) + last.earlier
    when = said("intake_attempts", count=count, time=str(last.submitted))
    which = said("intake_versions", count=count, source=shown(last.path.name))
    again = note(when if last.submitted else which)
    return replace(
        found,
        student=last.student,
        id=last.id,
        platform=platform,
        submitted=last.submitted,
        late=any(piece.late for piece in current),
        attempts=count,
        platform_score=last.score,
        remarks=(*found.remarks, *([again] if count > 1 else [])),
        unclear=_unclear(platform, list(attempts.values())),
    )


def _unclear(platform: str, attempts: Sequence[DownloadItem]) -> str:
    """Return why it is not clear which of several attempts counts, and what to do; empty if it is clear."""
    if len(attempts) == 1 or (
        all(each.is_ordered for each in attempts) and len({each.assignment for each in attempts}) == 1
    ):
        return ""
    names = ", ".join(shown(PLATFORMS[platform].source(each.path)) for each in attempts[:5])
    return f"found {names}; {UNCLEAR}"


def _with_sources(hand_in: HandIn, platform: str, pieces: Sequence[DownloadItem]) -> HandIn:
    """Return the hand-in with the part of an attempt that is graded: its last archive, else its folder,
    else its loose files, with a note on the rest."""
    files = [(piece.path, _original_name(platform, piece.name)) for piece in pieces if piece.name]
    folders = [piece.path for piece in pieces if piece.path.is_dir()]
    for folder in folders:
        inside = list_folder(folder)
        if inside is None or any(map(is_folder, inside)):
            return replace(hand_in, sources=(folder,))
        files += [(path, path.name) for path in sorted(inside, key=_age)]
    return with_files(hand_in, files)


def with_files(hand_in: HandIn, files: Sequence[tuple[Path, str]]) -> HandIn:
    """Return the hand-in with the files that are graded, by the student's names: the archives if there are
    any, else all."""
    archives = [(path, name) for path, name in files if is_archive(path)]
    if archives:
        return _with_archives(
            hand_in, _newest_last(archives), [pair for pair in files if pair not in archives]
        )
    return _with_files(hand_in, files)


def _newest_last(archives: Sequence[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Return archives with the one at the end that is the newest by its name, if there is one."""
    names = [read_attempt_name(name) for _, name in archives]
    newest = [all(is_newer(name, other) for other in names if other is not name) for name in names]
    return [pair for _, pair in sorted(zip(newest, archives, strict=True), key=lambda each: each[0])]


def _original_name(platform: str, name: str) -> str:
    """Return the student's name for a file, without the number that the platform appends to a second one."""
    plain = _RESUBMISSION_SUFFIX[platform].sub("", name) if platform in _RESUBMISSION_SUFFIX else name
    return plain if plain.casefold() in map(str.casefold, lab_names()) else name


def _with_files(hand_in: HandIn, files: Sequence[tuple[Path, str]]) -> HandIn:
    return replace(hand_in, sources=tuple(path for path, _ in files), labels=tuple(name for _, name in files))


def _with_archives(
    hand_in: HandIn, archives: Sequence[tuple[Path, str]], others: Sequence[tuple[Path, str]]
) -> HandIn:
    """Return the hand-in with its last archive, and the loose files beside it that have names of the lab."""
    name = archives[-1][1]
    beside = ", ".join(shown(other) for _, other in others[:5])
    remarks = ask_which_archive(name, [other for _, other in archives[:-1]])
    notes = [note(said("intake_beside", source=shown(name), others=beside))] if others else []
    twins = [(path, other) for path, other in others if is_named_like_exercise(other)]
    found = _with_files(hand_in, [archives[-1], *twins])
    several = tuple(archives) if len(archives) > 1 else ()
    return replace(found, first_counts=True, remarks=(*notes, *remarks), archives=several)


def ask_which_archive(name: str, others: Sequence[str]) -> list[Remark]:
    """Ask which archive is meant, the one of this name or the others; no remark if there are no others."""
    if not others:
        return []
    message = said("intake_several", source=shown(name), others=", ".join(map(shown, others[-5:])))
    return [Remark("unsure", shown(name), "", message)]


def _age(path: Path) -> tuple[float, bool, list[int], str]:
    try:
        return (path.lstat().st_mtime, *version_key(path.name))
    except OSError:
        return (0.0, *version_key(path.name))


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
