"""Lists what a class handed in: a folder of folders or archives, or the bulk download of a platform.

The platform of a download is recognised by the names in it. Every student gets exactly one entry, whatever is
there: what cannot be read is refused later, in that student's result. Of several attempts the last counts;
the others stay where they are and are named in a note.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.errors import IntakeError
from grader.intake.candidates import exercise_named_like, is_named_like_exercise, lab_names
from grader.intake.files import file_type, is_file, is_folder, read_regular
from grader.intake.names import (
    ARCHIVES,
    collision_key,
    is_archive_name,
    is_code_name,
    is_junk,
    safe_name,
    student_name,
    submission_name,
    version_key,
)
from grader.intake.notebooks import MOST_BYTES, SUFFIX
from grader.intake.python_source import names_a_class
from grader.languages import said
from grader.model import Remark, note
from grader.platforms.base import DownloadItem
from grader.platforms.registry import PLATFORMS
from grader.text import shown
from lab.exercises import FILES

_UNREADABLE_ARCHIVES: Final = (".rar", ".gz", ".bz2", ".xz", ".zipx", ".tbz2", ".txz")
"""Archives with these endings cannot be read, but are submissions: each gets a result that says so."""
_PAPERS: Final = (
    *(".txt", ".md", ".rst", ".pdf", ".html", ".htm", ".log", ".csv", ".tsv", ".xls", ".xlsx", ".ods"),
    *(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".sh", ".bat", ".py", SUFFIX),
    *(".pyc", ".pyo", "~"),
)
"""Files with these endings are what teachers keep beside submissions: lists, texts, scripts."""
_RESUBMISSION_SUFFIX: Final = {"canvas": re.compile(r"-\d+(?=\.py$)", re.IGNORECASE)}
"""These suffixes are appended by a platform to the name of a file that is handed in again."""

_TEXT_BYTES: Final = 64 * 1024
"""At most 64 KiB of a receipt are read."""


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
    remarks: tuple[Remark, ...] = ()
    """Which attempt and which archive is graded, and questions for a person to decide."""
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


def _text(path: Path) -> str:
    try:
        return read_regular(path, _TEXT_BYTES, follow=False).decode("utf-8", "replace")
    except OSError:
        return ""


def is_left_behind(name: str) -> bool:
    """Tell whether a name at the top of a class was left behind by a system or tool, and comes from no
    platform.

    Names that begin with a dot are not enough: some students' first names do.
    """
    return is_junk((name, "")) and (
        name.startswith("._") or not recognise_platform([Path(name)], lambda _: "")[0]
    )


def recognise_platform(
    paths: Sequence[Path], text: Callable[[Path], str] = _text
) -> tuple[str, list[DownloadItem], list[Path]]:
    """Return the platform that named most of the paths, its pieces, and the paths that it did not name.

    The platform is "" if no platform named at least half of the paths. ``text`` returns the beginning of a
    receipt, where the paths are files on the disk.
    """
    best: tuple[str, list[DownloadItem], list[Path]] = ("", [], list(paths))
    for name, platform in PLATFORMS.items():
        read = platform.reader(paths, text)
        found = [(path, read(path)) for path in paths]
        pieces = [piece for _, piece in found if piece is not None]
        if len(pieces) > len(best[1]) and 2 * len(pieces) >= len(paths):
            best = (name, pieces, [path for path, piece in found if piece is None])
    return best


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
    paths = [path for path in _children(folder) if not _leads_to(path, leave_out)]
    while len(paths) == 1 and is_folder(paths[0]) and _is_wrapper(paths[0]):
        paths = _children(paths[0])
    _check_is_class(folder, paths)
    platform, pieces, others = recognise_platform(paths)
    found = _from_platform(platform, pieces) if platform else []
    handed_in = [path for path in others if _is_submission(path) and not _holds(path, journal)]
    found += map(_from_folder_or_archive, handed_in)
    passed_over = tuple(
        shown(path.name) for path in [*_hidden_folders(paths), *others] if path not in handed_in
    )
    if not found:
        raise IntakeError(f"expected submissions (folders, {ARCHIVES}), found none", path=folder)
    if broken:
        found = [replace(each, broken=_broken_parts(each, broken)) for each in found]
    return ClassListing(
        platform, tuple(_make_names_unique(_ask_about_shared_names(found), reserved)), passed_over
    )


def _broken_parts(hand_in: HandIn, broken: Mapping[Path, str]) -> str:
    """Return the reasons why parts of a hand-in are broken, joined; "" if it is complete."""
    sources = set(hand_in.all_sources)
    return "; ".join(reason for path, reason in broken.items() if sources & {path, *path.parents})


def _leads_to(path: Path, folder: Path | None) -> bool:
    try:
        return path.resolve() == folder
    except (OSError, RuntimeError):  # links that lead in a circle
        return False


def _holds(path: Path, name: str) -> bool:
    try:
        return bool(name) and path.is_dir() and (path / name).exists()
    except OSError:  # a folder that may not be looked into
        return False


def _list_folder(folder: Path) -> list[Path] | None:
    """Return what lies in a student's folder; None if it cannot be read, which is reported when it is
    graded."""
    try:
        return _children(folder, lambda name: is_junk((name,)))
    except IntakeError:
        return None


def _children(folder: Path, is_rubbish: Callable[[str], bool] = is_left_behind) -> list[Path]:
    try:
        paths = [path for path in sorted(folder.iterdir()) if not is_rubbish(path.name)]
    except OSError as error:
        raise IntakeError(f"expected a folder of submissions: {error.strerror}", path=folder) from None
    return paths


def _hidden_folders(paths: Sequence[Path]) -> list[Path]:
    """Return folders with files of the lab that are hidden beside these, and may have been overlooked."""
    names = sorted(paths[0].parent.glob(".*")) if paths else []
    beside = [path for path in names if is_left_behind(path.name)]
    return [path for path in beside if _top_level_names() & {inside.name for inside in path.glob("*")}]


def _is_wrapper(folder: Path) -> bool:
    """Tell whether a lone folder was wrapped around a class by a tool, and is not one student's."""
    _, pieces, _ = recognise_platform([folder])
    if pieces and not pieces[0].name:  # a platform made it for one student
        return False
    inside = [path for path in _list_folder(folder) or [] if is_folder(path) or _is_archive(path)]
    return bool(inside) and not any(file_type(folder / name) for name in _top_level_names())


def _check_is_class(folder: Path, paths: Sequence[Path]) -> None:
    loose = {exercise_named_like(path.name) for path in paths if path.suffix == ".py"} - {None}
    if len(_top_level_names() & {path.name for path in paths}) > 1 or len(loose) > 1:
        raise IntakeError("this is one submission: use grader grade, or name the folder above", path=folder)


def _top_level_names() -> set[str]:
    """Return the names of the files and folders at the top of a submission."""
    return {file.split("/")[0] for file in FILES}


def _is_archive(path: Path) -> bool:
    return is_file(path) and (is_archive_name(path.name) or path.name.lower().endswith(_UNREADABLE_ARCHIVES))


def _is_submission(path: Path) -> bool:
    """Tell whether this may be a student's: anything but a teacher's papers; what cannot be graded is
    refused later."""
    is_paper = path.name.lower().endswith(_PAPERS)
    return not is_paper or path.is_symlink() or path.is_dir() or _is_archive(path) or _is_code(path)


def _is_code(path: Path) -> bool:
    """Tell whether a loose file defines a class of the lab, as a notebook with all of them does."""
    if not is_code_name(path):
        return False
    try:
        return names_a_class(read_regular(path, MOST_BYTES, follow=False))
    except OSError:
        return False


def _from_folder_or_archive(path: Path) -> HandIn:
    """Return the entry of a student's folder or archive; a folder that holds just an archive counts as
    that archive."""
    inside = None if path.is_symlink() or not path.is_dir() else _list_folder(path)
    source = inside[0] if inside and len(inside) == 1 and _is_archive(inside[0]) else path
    return HandIn(submission_name(path), (source,), student=student_name(path))


def _ask_about_shared_names(found: Sequence[HandIn]) -> list[HandIn]:
    """Return the hand-ins, with a question added to those that one student handed in side by side."""
    count = Counter((each.platform, each.id, each.student) for each in found)
    remark = Remark("unsure", "", "", said("intake_same_name"))
    return [
        replace(each, remarks=(*each.remarks, remark))
        if count[each.platform, each.id, each.student] > 1
        else each
        for each in found
    ]


# --- platforms ----------------------------------------------------------------------------------


def _from_platform(platform: str, pieces: Iterable[DownloadItem]) -> list[HandIn]:
    """Return one entry for each student, sorted by the student's id."""
    by_student: dict[str, list[DownloadItem]] = defaultdict(list)
    for piece in pieces:
        by_student[piece.id].append(piece)
    return [
        _latest_attempt(
            platform, sorted(theirs, key=lambda piece: (piece.attempt, piece.number, piece.path.name))
        )
        for _, theirs in sorted(by_student.items())
    ]


def _latest_attempt(platform: str, pieces: Sequence[DownloadItem]) -> HandIn:
    last = pieces[-1]
    attempts = {piece.attempt for piece in pieces}
    current = [piece for piece in pieces if piece.attempt == last.attempt]
    found = _with_sources(HandIn(safe_name(PLATFORMS[platform].folder(last)), ()), platform, current)
    again = note(said("intake_attempts", count=len(attempts), time=str(last.submitted)))
    return replace(
        found,
        student=last.student,
        id=last.id,
        platform=platform,
        submitted=last.submitted,
        late=any(piece.late for piece in current),
        remarks=(*found.remarks, *([again] if len(attempts) > 1 else [])),
    )


def _with_sources(hand_in: HandIn, platform: str, pieces: Sequence[DownloadItem]) -> HandIn:
    """Return the hand-in with the part of an attempt that is graded: its last archive, else its folder,
    else its loose files, with a note on the rest."""
    files = [(piece.path, _original_name(platform, piece.name)) for piece in pieces if piece.name]
    folders = [piece.path for piece in pieces if piece.path.is_dir()]
    for folder in folders:
        inside = _list_folder(folder)
        if inside is None or any(map(is_folder, inside)):
            return replace(hand_in, sources=(folder,))
        files += [(path, path.name) for path in sorted(inside, key=_age)]
    return with_files(hand_in, files)


def with_files(hand_in: HandIn, files: Sequence[tuple[Path, str]]) -> HandIn:
    """Return the hand-in with the files that are graded, by the student's names: the archives if there are
    any, else all."""
    archives = [(path, name) for path, name in files if _is_archive(path)]
    if archives:
        return _with_archives(hand_in, archives, [pair for pair in files if pair not in archives])
    return _with_files(hand_in, files)


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
