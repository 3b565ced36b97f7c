"""A class as it comes: one zip of a platform, or a folder, and whose each part is.

It is unpacked to a folder of the grader's own, file by file and within limits. The students' archives in it
stay packed, and are read as untrusted archives later.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import time
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from grader.disk import writing
from grader.errors import IntakeError
from grader.intake.archives import is_archive as is_archive_content
from grader.intake.archives import open_zip
from grader.intake.candidates import exercise_named_like, lab_names
from grader.intake.files import NOT_REGULAR, Caps, is_file, is_folder, read_regular
from grader.intake.git_history import is_of_repository
from grader.intake.names import (
    decode_zip_name,
    is_archive_name,
    is_called_archive,
    is_junk,
    names_a_class,
    numbered_name,
    split_path,
)
from grader.intake.notebooks import MOST_BYTES, SUFFIX, is_notebook_name, read_notebook
from grader.intake.selection import holds_code
from grader.model import Limits
from grader.platforms.base import PLATFORMS, DownloadItem, ReadText
from grader.reader import Reader
from grader.text import in_bytes, is_left_by_system, shown
from lab.exercises import FILES

_PAPERS: Final = (
    *(".txt", ".md", ".rst", ".pdf", ".html", ".htm", ".log", ".csv", ".tsv", ".xls", ".xlsx", ".ods"),
    *(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".sh", ".bat", ".py", SUFFIX),
    *(".pyc", ".pyo", "~"),
)
"""Files with these endings are what teachers keep beside submissions: lists, texts, scripts."""
_TEXT_BYTES: Final = 64 * 1024
"""At most 64 KiB of a receipt are read."""
_METADATA_BYTES: Final = 32 * 1024**2
"""At most 32 MiB of a file are read in which a platform describes all submissions."""


def _text(path: Path) -> str:
    most = _METADATA_BYTES if path.suffix == ".yml" else _TEXT_BYTES
    return beginning(path, most).decode("utf-8", "replace")


def beginning(path: Path, most: int = _TEXT_BYTES) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    try:
        return read_regular(path, most, follow=False)
    except OSError:
        return b""


def is_left_behind(name: str) -> bool:
    """Tell whether a name at the top of a class was left behind by a system or tool, and comes from no
    platform.

    Names that begin with a dot are not enough: some students' first names do.
    """
    return is_left_by_system(name) or (
        is_junk((name, "")) and not recognise_platform([Path(name)], lambda _: "").platform
    )


class Recognised(NamedTuple):
    """What platforms say of the paths of a class."""

    platform: str
    """The platform that named most of the paths; "" if none named at least half of them."""
    items: list[DownloadItem]
    others: list[Path]
    """The paths that it did not name."""
    doubt: str = ""
    """Why they are not a platform's, though all their names look like it, for people."""


def recognise_platform(paths: Sequence[Path], text: ReadText = _text) -> Recognised:
    """Return which platform named the paths: its form holds for all that it seems to name, or not at all.

    ``text`` returns the beginning of a receipt, where the paths are files on the disk.
    """
    best, told = Recognised("", [], list(paths)), ""
    for name, platform in PLATFORMS.items():
        found = platform.find(paths, text) if platform.find else paths
        read = platform.reader(paths, text)
        pieces = [piece for piece in map(read, found) if piece is not None]
        named = {place for piece in pieces for place in (piece.path, *piece.path.parents)}
        others = [path for path in paths if path not in named]
        if len(others) < len(best.others) and 2 * len(others) <= len(paths):
            doubt = platform.doubt(pieces)
            if doubt and platform.is_sure:
                told = (
                    told or f"not taken for a download of {name.title()}, though names look like it: {doubt}"
                )
            elif not doubt and (platform.is_sure or not best.platform):
                best = Recognised(name, pieces, others)
    return best if best.platform else best._replace(doubt=told)


def leads_to(path: Path, folder: Path | None) -> bool:
    """Tell whether a path leads to a folder."""
    try:
        return path.resolve() == folder
    except (OSError, RuntimeError):  # links that lead in a circle
        return False


def holds(path: Path, name: str) -> bool:
    """Tell whether a folder holds something of this name; False if it cannot be looked into."""
    try:
        return bool(name) and path.is_dir() and (path / name).exists()
    except OSError:  # a folder that may not be looked into
        return False


def list_folder(folder: Path) -> list[Path] | None:
    """Return what lies in a student's folder; None if it cannot be read, which is reported when it is
    graded."""
    try:
        return children(folder, lambda name: is_junk((name,)))
    except IntakeError:
        return None


def children(folder: Path, is_rubbish: Callable[[str], bool] = is_left_behind) -> list[Path]:
    """Return what lies in a folder, without what systems leave behind. Raises IntakeError."""
    try:
        paths = [path for path in sorted(folder.iterdir()) if not is_rubbish(path.name)]
    except OSError as error:
        raise IntakeError(f"expected a folder of submissions: {error.strerror}", path=folder) from None
    return paths


def hidden_folders(paths: Sequence[Path]) -> list[Path]:
    """Return folders with files of the lab that are hidden beside these, and may have been overlooked."""
    names = sorted(paths[0].parent.glob(".*")) if paths else []
    beside = [path for path in names if is_left_behind(path.name)]
    return [path for path in beside if lab_tops() & {inside.name for inside in path.glob("*")}]


def is_wrapper(folder: Path) -> bool:
    """Tell whether a lone folder was wrapped around a platform's download by a tool, perhaps in others."""
    for _ in range(_MOST_FOLDERS):
        inside = list_folder(folder) or [] if is_folder(folder) else []
        if recognise_platform([folder])[0] or not inside:
            return False
        if recognise_platform(inside)[0]:
            return True
        if len(inside) > 1:
            return False
        folder = inside[0]
    return False


def holds_folders_only(paths: Sequence[Path]) -> bool:
    """Tell whether these are folders that all hold nothing but folders, and none of the lab's."""
    inside = [(list_folder(path) or []) if is_folder(path) else [] for path in paths]
    lab = lab_tops()
    return all(each and all(is_folder(path) and path.name not in lab for path in each) for each in inside)


def is_any_submission(paths: Iterable[Path]) -> bool:
    """Tell whether any of these folders holds what the lab has: it is a student's, and no section."""
    tops = lab_tops() | lab_names()
    return any(
        is_folder(path) and tops & {inside.name for inside in list_folder(path) or []} for path in paths
    )


def loose_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files and folders of the lab that lie at the top of a class, in nobody's folder.

    One file with all classes, or one with a student's name, is a submission of its own.
    """
    laid_out = [path for path in paths if path.name in lab_tops()]
    flat = [path for path in paths if path.suffix == ".py" and exercise_named_like(path.name)]
    exercises = {exercise_named_like(path.name) for path in flat}
    is_nobodys = laid_out or len(exercises) > 1 or any(path.name in lab_names() for path in flat)
    return [*laid_out, *flat] if is_nobodys else []


def lab_tops() -> set[str]:
    """Return the names of the files and folders at the top of a submission."""
    return {file.split("/")[0] for file in FILES}


def is_archive(path: Path) -> bool:
    """Tell whether this is a file with the name of an archive, also of one that cannot be read."""
    return is_file(path) and is_called_archive(path.name)


def is_submission(path: Path) -> bool:
    """Tell whether this may be a student's: anything but a teacher's papers; what cannot be graded is
    refused later."""
    is_paper = path.name.lower().endswith(_PAPERS)
    return not is_paper or path.is_symlink() or path.is_dir() or is_archive(path) or _is_code(path)


def _is_code(path: Path) -> bool:
    """Tell whether a loose file defines a class of the lab, as a notebook with all of them does.

    A notebook that is damaged may have done so, and an archive may be called like a file of code.
    """
    if not path.name.lower().endswith((".py", ".txt", ".json", SUFFIX)):
        return False
    try:
        content = read_regular(path, MOST_BYTES, follow=False)
    except OSError:
        return False
    if is_archive_content(content):
        return True
    is_code = holds_code(path.name, content) and names_a_class(content)
    if is_code or not is_notebook_name(path.name):
        return is_code
    is_damaged = Reader.of(Limits()).attempt(lambda: read_notebook(content) is None, bool)
    return is_damaged is not False  # what takes too much to read is a student's, and refused later


_MEMBERS: Final = 100_000
"""A bulk download has at most 100,000 members."""
_TOTAL_BYTES: Final = 8 * 1024**3
"""A bulk download unpacks to at most 8 GiB."""
_MEMBER_BYTES: Final = Caps().archive_bytes
"""A member is as large as an archive may be at most, in bytes; the rest is cut off."""
_CHUNK: Final = 256 * 1024
"""Members are copied in pieces of 256 KiB."""
_NAME_BYTES: Final = 240
"""Names are cut to 240 bytes, since file systems take 255."""
_MOST_OUTER_FOLDERS: Final = 3
"""Up to 3 folders around a student's files are kept, since no disk takes a path of more than sixteen long
names."""
_MOST_FOLDERS: Final = 60
_PATH_BYTES: Final = 2000
"""A path of up to 60 folders is kept whole where it has up to 2000 bytes, as those of clouds do."""
_NAME_CHARACTERS: Final = 2000
"""The first and the last 2000 characters of a path are kept."""
_UNPRINTED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BROKEN_LINK_TARGET: Final = "/dev/null/nowhere"
"""A link to this path is broken on every machine."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The outcome of unpacking a bulk download."""

    folder: Path
    """Where the class lies: below the folders that were packed around it."""
    problems: tuple[str, ...] = ()
    """The files that could not be unpacked, each with the reason, for people."""
    broken: Mapping[Path, str] = field(default_factory=dict)
    """The reasons by the path at which a file would lie, for files of which nothing could be unpacked."""


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpack a bulk download with the files of every student. Raises IntakeError.

    A file that cannot be unpacked does not affect the others. Of a damaged archive, what can be read is kept,
    so that its student is refused rather than forgotten.
    """
    try:
        packed = open_zip(archive)
    except Exception as error:  # noqa: BLE001 - zipfile raises nearly anything on bytes that are no zip
        raise IntakeError(
            f"expected a folder, or the zip of a bulk download: {error}", path=archive
        ) from None
    with packed:
        return _unpack(packed, archive, folder)


def _unpack(packed: zipfile.ZipFile, archive: Path, folder: Path) -> Unpacked:
    members = packed.infolist()
    if len(members) > _MEMBERS:
        raise IntakeError(f"expected {_MEMBERS} files at the most, found {len(members)}", path=archive)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    places = _Places(folder)
    left, broken = _TOTAL_BYTES, {}
    for info in members:
        name = decode_zip_name(info.orig_filename, info.flag_bits)
        parts = _path_parts(name)
        is_folder = name.endswith(("/", "\\"))
        if is_folder or _is_left_behind(parts) or any(map(is_left_by_system, split_path(name))):
            places.make(parts if is_folder else parts[:-1])
            continue
        target = places.find_free(parts)
        with writing(target):
            written, reason = _write(packed, info, target, min(left, _MEMBER_BYTES + 1))
        if reason:
            broken[target] = f"{shown(name)}: {reason}"
        left -= written
        if left <= 0:
            raise IntakeError(f"it unpacks to more than {in_bytes(_TOTAL_BYTES)}", path=archive)
    lost = {path: said for path, said in broken.items() if is_file(path) and not path.stat().st_size}
    return Unpacked(_unwrapped(folder), tuple(broken.values()), lost)


def _unwrapped(folder: Path) -> Path:
    """Return the folder of a class, which may be packed with it, or in several: it holds several folders or
    archives, and nothing of the lab."""
    inner = folder
    while len(inside := list_folder(inner) or []) == 1 and is_folder(inside[0]):
        inner = inside[0]
        if recognise_platform([inner])[0] or {path.name for path in list_folder(inner) or []} & lab_tops():
            return folder
    count = sum(is_folder(path) or is_called_archive(path.name) for path in inside)
    return inner if count > 1 or recognise_platform(inside)[0] else folder


def _path_parts(name: str) -> tuple[str, ...]:
    """Return a member's path below the folder, as unzip would choose it, with names that the disk takes.

    It is otherwise left unchanged, so that the listing of the class is the same whoever unpacks the download.
    """
    short = name if len(name) <= 2 * _NAME_CHARACTERS else name[:_NAME_CHARACTERS] + name[-_NAME_CHARACTERS:]
    plain = (_UNPRINTED.sub("", part) for part in split_path(unicodedata.normalize("NFC", short)))
    parts = tuple(_shorten_name(part) for part in plain if part not in ("", ".", "..")) or ("_",)
    most = Caps().depth  # what lies deeper is left out with a note when it is read
    is_short = len(parts) <= _MOST_FOLDERS and len("/".join(parts).encode()) <= _PATH_BYTES
    if is_short or len(parts) <= _MOST_OUTER_FOLDERS + most:
        return parts
    return (*parts[:_MOST_OUTER_FOLDERS], *parts[-most:])


def _is_left_behind(parts: Sequence[str]) -> bool:
    if is_of_repository(parts):
        return is_left_behind(parts[0])
    return is_left_behind(parts[0]) or (len(parts) > 1 and is_junk(tuple(parts[1:])))


class _Places:
    """Chooses a path on the disk for each member."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._moved: dict[tuple[str, ...], Path] = {}
        """The folders that were renamed because a file has their name, by their path in the download."""
        self._numbers: dict[Path, int] = {}
        """The last number that was appended to the name of a path."""

    def make(self, parts: Sequence[str], *, is_whole: bool = False) -> Path:
        """Create a folder and return its path; unless ``is_whole``, stop above folders that systems and tools
        leave behind."""
        path: Path = self._folder
        seen: tuple[str, ...] = ()
        for place, part in enumerate(parts):
            if not is_whole and (is_left_behind(part) if place == 0 else is_junk((part,))):
                break
            seen = (*seen, part)
            path = self._moved.get(seen, path / part)
            if os.path.lexists(path) and not path.is_dir():
                path = self._moved[seen] = self._free(path)
            with writing(path):
                path.mkdir(parents=True, exist_ok=True)
        return path

    def find_free(self, parts: Sequence[str]) -> Path:
        """Return a path for a file at which nothing lies yet."""
        return self._free(self.make(parts[:-1], is_whole=is_of_repository(parts)) / parts[-1])

    def _free(self, path: Path) -> Path:
        """Return the path, with a number in its name if it is taken."""
        free = path
        while os.path.lexists(free):
            self._numbers[path] = self._numbers.get(path, 1) + 1
            free = path.with_name(numbered_name(path.name, self._numbers[path]))
        return free


def _shorten_name(name: str) -> str:
    """Shorten a name to what file systems take; keep its beginning, which identifies the student, and its
    end."""
    encoded = name.encode()
    if len(encoded) <= _NAME_BYTES:
        return name
    digest = hashlib.sha256(encoded).hexdigest()[:8]
    return f"{encoded[:160].decode(errors='ignore')}~{digest}~{encoded[-40:].decode(errors='ignore')}"


def _write(packed: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, most: int) -> tuple[int, str]:
    """Write a member; return the number of bytes written, and what is wrong with it ("" for nothing).

    It is cut off at the limit: a file that is too long is refused later, when it is read as a submission.
    What could be unpacked of a damaged member is kept only if it is an archive. Raises OSError where the disk
    fails.
    """
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):  # it stands for itself, as in a folder, and is left out as there
        target.symlink_to(_BROKEN_LINK_TARGET) if kind == stat.S_IFLNK else os.mkfifo(target)
        return 0, NOT_REGULAR
    with target.open("xb") as file:
        reason = _copy(packed, info, file, most)
        if reason and not is_archive_name(target.name):
            file.truncate(0)
        written = file.tell()
    with suppress(OverflowError, ValueError):
        moment = time.mktime((*info.date_time, 0, 0, -1))
        os.utime(target, (moment, moment))
    return written, reason


def _copy(packed: zipfile.ZipFile, info: zipfile.ZipInfo, file: BinaryIO, most: int) -> str:
    """Unpack a member as far as possible; return why it stopped early, "" if it did not.

    Errors of the disk are passed on: what the archive holds may lead to any other.
    """
    pieces = _pieces(packed, info, most)
    while True:
        try:
            part = next(pieces, b"")
        except RuntimeError:
            return "it is encrypted, or packed in a way that is not read here"
        except Exception:  # noqa: BLE001 - zipfile, zlib, bz2 and lzma have errors of their own
            return "it is damaged in the zip"
        if not part:
            return ""
        file.write(part)


def _pieces(packed: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    with packed.open(info) as source:
        while part := source.read(min(_CHUNK, most)):
            most -= len(part)
            yield part


def remove(folder: Path) -> None:
    """Delete the folder of an unpacked download."""
    shutil.rmtree(folder, ignore_errors=True)
