"""What a class handed in: a folder of folders or archives, or the bulk download of a platform.

Which platform a download comes from is told by the names in it. Every student gets exactly one entry,
whatever lies there: what cannot be read is refused when it is read, in that student's result. Of several
attempts the last counts; the others stay where they are and are named in a note.
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
from grader.intake.candidates import is_named, lab_names, named_like
from grader.intake.files import is_file, is_folder, kind_of, read_regular
from grader.intake.names import (
    ARCHIVES,
    collision_key,
    is_archive_name,
    is_code_name,
    is_junk,
    safe_name,
    student_name,
    submission_name,
    version_of,
)
from grader.intake.notebooks import MOST_BYTES, SUFFIX
from grader.intake.python_source import names_a_class
from grader.languages import said
from grader.model import Remark, note
from grader.platforms.base import DownloadItem
from grader.platforms.registry import PLATFORMS
from grader.text import shown
from lab.exercises import FILES

_FOREIGN: Final = (".rar", ".gz", ".bz2", ".xz", ".zipx", ".tbz2", ".txz")
"""Archives that are not read, but are somebody's submission: each gets a result that says so."""
_PAPERS: Final = (
    *(".txt", ".md", ".rst", ".pdf", ".html", ".htm", ".log", ".csv", ".tsv", ".xls", ".xlsx", ".ods"),
    *(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".sh", ".bat", ".py", SUFFIX),
    *(".pyc", ".pyo", "~"),
)
"""What teachers have beside submissions: lists, texts, scripts."""
_AGAIN: Final = {"canvas": re.compile(r"-\d+(?=\.py$)", re.IGNORECASE)}
"""What a platform adds to the name of a file that is handed in again."""

_TEXT_BYTES: Final = 64 * 1024
"""At most 64 KiB of a receipt are read."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What one student handed in, as it lies on the disk."""

    name: str
    """The folder of the results: one safe part of a path, which no other student has."""
    sources: tuple[Path, ...]
    """A folder, an archive, or loose files; none where the student handed in no file."""
    student: str = ""
    """The name that the platform gives; in a plain folder, what the student's own is called."""
    id: str = ""
    """The platform's number or name of the student."""
    platform: str = ""
    labels: tuple[str, ...] = ()
    """What the student called each loose file."""
    first_counts: bool = False
    """The first source, an archive, is graded; the others, loose files, are only compared with it."""
    archives: tuple[tuple[Path, str], ...] = ()
    """All archives with their names, the last at the end, where there are several: they may be one work."""
    submitted: datetime | None = None
    late: bool = False
    """The platform says so."""
    remarks: tuple[Remark, ...] = ()
    """Which attempt and which archive is graded, and what a person has to decide."""
    broken: str = ""
    """What of it could not be unpacked, and why; no mark is given then."""

    @property
    def all_sources(self) -> tuple[Path, ...]:
        """All that is read to grade it."""
        return (*self.sources, *(path for path, _ in self.archives if path not in self.sources))


@dataclass(frozen=True, slots=True)
class Class:
    """All that was found in one place."""

    platform: str
    hand_ins: tuple[HandIn, ...]
    passed_over: tuple[str, ...]
    """What is nobody's submission."""


def _text(path: Path) -> str:
    try:
        return read_regular(path, _TEXT_BYTES, follow=False).decode("utf-8", "replace")
    except OSError:
        return ""


def is_left_behind(name: str) -> bool:
    """Tell whether a name at the top of a class is rubbish of a system or tool, and none of a platform.

    There are students whose first name is a dot.
    """
    return is_junk((name, "")) and (name.startswith("._") or not recognise([Path(name)], lambda _: "")[0])


def recognise(
    paths: Sequence[Path], text: Callable[[Path], str] = _text
) -> tuple[str, list[DownloadItem], list[Path]]:
    """Tell the platform that named most of the paths, its pieces, and the paths that are none of it.

    The platform is "" where fewer than half of the paths are named by any. ``text`` gives the beginning of a
    receipt, where the paths are those of files.
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
) -> Class:
    """List what a class handed in, by name; none is given a reserved one.

    ``leave_out`` is the folder of the results, which may lie in the same place; those of other runs are known
    by their ``journal``, and passed over. What lies at a ``broken`` path stands for what could not be had,
    with the reason. Raises IntakeError where there is nothing to grade.
    """
    paths = [path for path in _children(folder) if not _leads_to(path, leave_out)]
    while len(paths) == 1 and is_folder(paths[0]) and _is_wrapper(paths[0]):
        paths = _children(paths[0])
    _check_many(folder, paths)
    platform, pieces, others = recognise(paths)
    found = _of_platform(platform, pieces) if platform else []
    handed_in = [path for path in others if _is_submission(path) and not _holds(path, journal)]
    found += map(_plain, handed_in)
    passed_over = tuple(shown(path.name) for path in [*_hidden(paths), *others] if path not in handed_in)
    if not found:
        raise IntakeError(f"expected submissions (folders, {ARCHIVES}), found none", path=folder)
    if broken:
        found = [replace(each, broken=_lost(each, broken)) for each in found]
    return Class(platform, tuple(_distinct(_asked_about(found), reserved)), passed_over)


def _lost(hand_in: HandIn, broken: Mapping[Path, str]) -> str:
    """What is broken of all that is read of a hand-in."""
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


def _inside(folder: Path) -> list[Path] | None:
    """What lies in a student's folder; None where it cannot be read, which is told when it is graded."""
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


def _hidden(paths: Sequence[Path]) -> list[Path]:
    """Beside these, the folders with files of the lab that nobody sees, and nobody may have meant."""
    names = sorted(paths[0].parent.glob(".*")) if paths else []
    beside = [path for path in names if is_left_behind(path.name)]
    return [path for path in beside if _at_the_top() & {inside.name for inside in path.glob("*")}]


def _is_wrapper(folder: Path) -> bool:
    """Whether a lone folder is what a tool wrapped around a class, and not one student's."""
    _, pieces, _ = recognise([folder])
    if pieces and not pieces[0].name:  # a platform made it for one student
        return False
    inside = [path for path in _inside(folder) or [] if is_folder(path) or _is_archive(path)]
    return bool(inside) and not any(kind_of(folder / name) for name in _at_the_top())


def _check_many(folder: Path, paths: Sequence[Path]) -> None:
    loose = {named_like(path.name) for path in paths if path.suffix == ".py"} - {None}
    if len(_at_the_top() & {path.name for path in paths}) > 1 or len(loose) > 1:
        raise IntakeError("this is one submission: use grader grade, or name the folder above", path=folder)


def _at_the_top() -> set[str]:
    """What lies at the top of a submission."""
    return {file.split("/")[0] for file in FILES}


def _is_archive(path: Path) -> bool:
    return is_file(path) and (is_archive_name(path.name) or path.name.lower().endswith(_FOREIGN))


def _is_submission(path: Path) -> bool:
    """Whether this may be a student's: whatever it is, but for papers; what cannot be graded is refused."""
    is_paper = path.name.lower().endswith(_PAPERS)
    return not is_paper or path.is_symlink() or path.is_dir() or _is_archive(path) or _is_code(path)


def _is_code(path: Path) -> bool:
    """Whether a loose file defines a class of the lab, as a notebook with all of them does."""
    if not is_code_name(path):
        return False
    try:
        return names_a_class(read_regular(path, MOST_BYTES, follow=False))
    except OSError:
        return False


def _plain(path: Path) -> HandIn:
    """A student's folder or archive; a folder with nothing but one archive is that archive."""
    inside = None if path.is_symlink() or not path.is_dir() else _inside(path)
    source = inside[0] if inside and len(inside) == 1 and _is_archive(inside[0]) else path
    return HandIn(submission_name(path), (source,), student=student_name(path))


def _asked_about(found: Sequence[HandIn]) -> list[HandIn]:
    """The same, with a question at each of those that one student handed in side by side."""
    count = Counter((each.platform, each.id, each.student) for each in found)
    remark = Remark("unsure", "", "", said("intake_same_name"))
    return [
        replace(each, remarks=(*each.remarks, remark))
        if count[each.platform, each.id, each.student] > 1
        else each
        for each in found
    ]


# --- platforms ----------------------------------------------------------------------------------


def _of_platform(platform: str, pieces: Iterable[DownloadItem]) -> list[HandIn]:
    """One entry a student, in the order of their names."""
    by_student: dict[str, list[DownloadItem]] = defaultdict(list)
    for piece in pieces:
        by_student[piece.id].append(piece)
    return [
        _student(platform, sorted(theirs, key=lambda piece: (piece.attempt, piece.number, piece.path.name)))
        for _, theirs in sorted(by_student.items())
    ]


def _student(platform: str, pieces: Sequence[DownloadItem]) -> HandIn:
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
    """What of an attempt is graded: its last archive, else its folder, else its loose files; with their
    names, and what there is to say of the rest."""
    files = [(piece.path, _called(platform, piece.name)) for piece in pieces if piece.name]
    folders = [piece.path for piece in pieces if piece.path.is_dir()]
    for folder in folders:
        inside = _inside(folder)
        if inside is None or any(map(is_folder, inside)):
            return replace(hand_in, sources=(folder,))
        files += [(path, path.name) for path in sorted(inside, key=_age)]
    return with_files(hand_in, files)


def with_files(hand_in: HandIn, files: Sequence[tuple[Path, str]]) -> HandIn:
    """The same, of files with the names that the student gave them: archives count, and else all."""
    archives = [(path, name) for path, name in files if _is_archive(path)]
    if archives:
        return _of_archives(hand_in, archives, [pair for pair in files if pair not in archives])
    return _with_files(hand_in, files)


def _called(platform: str, name: str) -> str:
    """What the student called a file, where the platform tells a later one of the same name by a number."""
    plain = _AGAIN[platform].sub("", name) if platform in _AGAIN else name
    return plain if plain.casefold() in map(str.casefold, lab_names()) else name


def _with_files(hand_in: HandIn, files: Sequence[tuple[Path, str]]) -> HandIn:
    return replace(hand_in, sources=tuple(path for path, _ in files), labels=tuple(name for _, name in files))


def _of_archives(
    hand_in: HandIn, archives: Sequence[tuple[Path, str]], others: Sequence[tuple[Path, str]]
) -> HandIn:
    """The last archive, and beside it the loose files that are called like those of the lab."""
    name = archives[-1][1]
    beside = ", ".join(shown(other) for _, other in others[:5])
    remarks = of_several(name, [other for _, other in archives[:-1]])
    notes = [note(said("intake_beside", source=shown(name), others=beside))] if others else []
    twins = [(path, other) for path, other in others if is_named(other)]
    found = _with_files(hand_in, [archives[-1], *twins])
    several = tuple(archives) if len(archives) > 1 else ()
    return replace(found, first_counts=True, remarks=(*notes, *remarks), archives=several)


def of_several(name: str, others: Sequence[str]) -> list[Remark]:
    """Ask which was meant, the archive of this name or the others."""
    if not others:
        return []
    message = said("intake_several", source=shown(name), others=", ".join(map(shown, others[-5:])))
    return [Remark("unsure", shown(name), "", message)]


def _age(path: Path) -> tuple[float, bool, list[int], str]:
    try:
        return (path.lstat().st_mtime, *version_of(path.name))
    except OSError:
        return (0.0, *version_of(path.name))


def _distinct(found: Iterable[HandIn], reserved: Iterable[str]) -> list[HandIn]:
    """Give every student a name of their own; the first of a name keeps it, and the order is fixed."""
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
