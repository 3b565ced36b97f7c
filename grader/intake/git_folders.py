"""Finds the repository in a student's folder or zip, and makes sure that git can be given it.

Git opens whatever lies among its objects: a link leads it to files of others, and a pipe holds it up. So a
folder in which anything but plain files and folders lies is not read. Of a zip, only the files that hold
references and objects are unpacked, to a folder of the grader's own; settings and hooks are not.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.intake.archives import wanted_members
from grader.intake.files import Caps, LeftOut, Refusal, is_file, read_regular
from grader.intake.names import split_path

_FOLDER: Final = ".git"
_PART: Final = re.compile(
    r"HEAD|packed-refs|shallow|refs/heads/(?!.*\.\.)[^\s:?*\[\\^~]{1,200}|objects/[0-9a-f]{2}/[0-9a-f]{38}|"
    r"objects/pack/pack-[0-9a-f]{40}\.(?:pack|idx)"
)
"""What is unpacked of a repository; references to other objects, such as alternates, make it unreadable."""
_LEADS_OUT: Final = re.compile(r"commondir|objects/info/alternates")
_MOST_FILES: Final = 50_000
"""A repository has at most 50,000 files and folders."""
_MOST_FOLDERS: Final = 2
"""A repository in a zip lies at most 2 folders deep."""


class Unreadable(Exception):  # noqa: N818 - named after what was found
    """There is a repository, but not one that git can be given."""


def is_of_repository(parts: Sequence[str]) -> bool:
    """Tell whether a path leads to what is read of a repository, or to what makes it unreadable."""
    if _FOLDER not in parts[1:]:
        return False
    inner = "/".join(parts[parts.index(_FOLDER, 1) + 1 :])
    return bool(_PART.fullmatch(inner) or _LEADS_OUT.fullmatch(inner))


@contextmanager
def open_repository(path: Path) -> Iterator[Path | None]:
    """Return the repository of a student's folder or zip while it is read; None if there is none.

    Raises Unreadable, and OSError.
    """
    if path.is_symlink() or not is_file(path):
        repository = path / _FOLDER
        if path.is_symlink() or not os.path.lexists(repository):
            yield None
            return
        _check_is_plain(repository)
        yield repository
        return
    files = _members(path)
    if files is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="maze-grader-git-") as place:
        repository = Path(place, _FOLDER)
        for name, content in files.items():
            target = repository / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        _check_is_plain(repository)
        yield repository


def _check_is_plain(repository: Path) -> None:
    """Raise Unreadable unless this is a folder of plain files and folders that belong together."""
    if repository.is_symlink() or not (repository / "objects").is_dir():
        raise Unreadable
    if any(os.path.lexists(repository / out) for out in ("commondir", "objects/info/alternates")):
        raise Unreadable
    folders = [repository / name for name in ("objects", "refs") if os.path.lexists(repository / name)]
    count = 0
    for folder in folders:
        if folder.is_symlink():
            raise Unreadable
        with os.scandir(folder) as inside:
            for found in inside:
                count += 1
                is_folder = found.is_dir(follow_symlinks=False)
                if count > _MOST_FILES or not (is_folder or found.is_file(follow_symlinks=False)):
                    raise Unreadable
                if is_folder:
                    folders.append(Path(found))


def _members(archive: Path) -> dict[str, bytes] | None:
    """Return what is read of the repository in a zip, by the path in it; None if there is none.

    Raises Unreadable if there are several, or if it cannot be unpacked.
    """
    caps = Caps()
    content = read_regular(archive, caps.archive_bytes + 1, follow=False)
    if f"{_FOLDER}/HEAD".encode() not in content or len(content) > caps.archive_bytes:
        return None
    found: dict[str, bytes] = {}
    around: set[str] = set()
    left = caps.unpacked_bytes
    try:
        for entry in wanted_members(content, caps, lambda name: is_of_repository(["", *split_path(name)])):
            parts = split_path(entry.path)
            depth = parts.index(_FOLDER)
            around.add("/".join(parts[:depth]))
            found["/".join(parts[depth + 1 :])] = part = entry.read(left)
            left -= len(part)
            if len(around) > 1 or depth > _MOST_FOLDERS or left <= 0:
                raise Unreadable
    except (Refusal, LeftOut, UnicodeError) as error:
        raise Unreadable from error
    return found or None
