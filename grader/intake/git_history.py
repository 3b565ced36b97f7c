"""Reads who committed last to students' repositories, and when, without trusting them.

A repository may hold settings and hooks that run any program, and links that lead elsewhere. So git never
sees it: of a folder or a zip, only the plain files that hold references and objects are copied to a
repository of the grader's own, and ``git log`` runs there, offline, within limits of time, memory and output.
Names and times are what the student's machine wrote: a time that cannot be right is none.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from grader.disk import files_below
from grader.intake.archives import wanted_members
from grader.intake.files import Caps, Entry, LeftOut, Refusal, is_file, read_regular
from grader.intake.names import split_path
from grader.text import visible

_COMMITS: Final = 100
"""At most the last 100 commits of a repository are read."""
_SECONDS: Final = 60
"""git is stopped after 60 seconds by the clock."""
_LIMITS: Final = 'ulimit -v 2097152; ulimit -t 20; ulimit -f 0; ulimit -c 0; exec git "$@" | head -c 65536'
"""git may use 2 GiB of address space and 20 seconds of processor time; 64 KiB of what it prints are read."""
_NAME_CHARACTERS: Final = 80
_PAIR: Final = 2
_YEARS: Final = range(2005, 2100)
"""Commits are made in these years: git is no older."""
_FOLDER: Final = ".git"
_PART: Final = re.compile(
    r"HEAD|packed-refs|shallow|refs/heads/(?!.*\.\.)[^\s:?*\[\\^~]{1,200}|"
    r"objects/[0-9a-f]{2}/[0-9a-f]{38}(?P<long>[0-9a-f]{24})?|"
    r"objects/pack/pack-[0-9a-f]{40}(?P<long_pack>[0-9a-f]{24})?\.(?:pack|idx)"
)
"""What is unpacked of a repository; references to other objects, such as alternates, make it unreadable."""
_LEADS_OUT: Final = re.compile(r"commondir|objects/info/alternates")
_MOST_FILES: Final = 50_000
"""A repository has at most 50,000 files."""
_MOST_FOLDERS: Final = 2
"""A repository lies at most 2 folders deep."""
_CONFIG: Final = "[core]\n\trepositoryformatversion = {}\n\tbare = true\n"
_SHA_256: Final = "[extensions]\n\tobjectformat = sha256\n"


_OPTIONS: Final = (
    *("log", f"--max-count={_COMMITS}", "--no-show-signature", "--no-mailmap", "--no-decorate", "--no-color"),
    *("--encoding=UTF-8", "--format=%an%x00%ae%x00%cI%x00", "HEAD", "--"),
)
_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its author, and when it was made."""

    name: str
    """Empty if the author gave none."""
    email: str
    time: datetime | None
    """None if the time cannot be right."""


def own_commits(found: Mapping[Path, Sequence[Commit]]) -> dict[Path, Commit]:
    """Return the last of the commits in each repository that is the student's own.

    Commits of bots do not count, nor those of people who committed to several of the repositories: they are
    staff, or come from what all started with. Where nothing else is left, those of somebody who committed to
    just two of many do: a pair, or a student whose address another one has used.
    """
    seen = Counter(email for commits in found.values() for email in {each.email for each in commits})
    most = (1, _PAIR) if len(found) > _PAIR else (1,)
    own = {
        path: [each for count in most for each in commits if seen[each.email] == count]
        for path, commits in found.items()
    }
    return {path: commits[0] for path, commits in own.items() if commits}


def read_commits(path: Path) -> list[Commit] | None:
    """Return the last commits of people in a folder or zip, the newest first; none without a repository.

    Return None if there is a repository that is not read.
    """
    try:
        files = _files(path)
        return (_parse(_log(files)) or None) if files else []
    except (OSError, ValueError, Refusal, LeftOut, subprocess.SubprocessError):
        return None


def is_of_repository(parts: Sequence[str]) -> bool:
    """Tell whether a path leads to what is read of a repository, or to what makes it unreadable."""
    if _FOLDER not in parts[1:]:
        return False
    inner = "/".join(parts[parts.index(_FOLDER, 1) + 1 :])
    return bool(_PART.fullmatch(inner) or _LEADS_OUT.fullmatch(inner))


def _files(path: Path) -> dict[str, bytes]:
    """Return what is read of the repository in a folder or zip, by the path in it; nothing if there is none.

    Raises ValueError, OSError, Refusal and LeftOut where it is not simple.
    """
    if path.is_symlink():
        return {}
    around, found, left = set[str](), dict[str, bytes](), Caps().unpacked_bytes
    for entry in _in_zip(path) if is_file(path) else _in_folder(path):
        parts = split_path(entry.path)
        depth = parts.index(_FOLDER)
        around.add("/".join(parts[:depth]))
        name = "/".join(parts[depth + 1 :])
        found[name] = entry.read(left)
        left -= len(found[name])
        if len(around) > 1 or depth > _MOST_FOLDERS or left <= 0 or _LEADS_OUT.fullmatch(name):
            raise ValueError
    return found


def _in_zip(path: Path) -> list[Entry]:
    caps = Caps()
    content = read_regular(path, caps.archive_bytes + 1, follow=False)
    if f"{_FOLDER}/HEAD".encode() not in content or len(content) > caps.archive_bytes:
        return []
    return wanted_members(content, caps, lambda name: is_of_repository(["", *split_path(name)]))


def _in_folder(path: Path) -> Iterator[Entry]:
    """Yield the files of a repository; folders that are linked are not entered."""
    for repository in _repositories(path, _MOST_FOLDERS):
        if repository.is_symlink() or not (repository / "HEAD").is_file():
            raise ValueError
        yield from _files_of(repository, path)


def _repositories(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the repositories in a folder, and in those in it, up to a depth."""
    if os.path.lexists(folder / _FOLDER):
        yield folder / _FOLDER
    elif depth and folder.is_dir():
        with os.scandir(folder) as found:
            inner = sorted(each.path for each in found if each.is_dir(follow_symlinks=False))
        for each in inner:
            yield from _repositories(Path(each), depth - 1)


def _files_of(repository: Path, path: Path) -> Iterator[Entry]:
    for count, file in enumerate(files_below(repository)):
        if count > _MOST_FILES:
            raise ValueError
        inner = file.relative_to(path).as_posix()
        if is_of_repository(["", *inner.split("/")]):
            yield Entry(inner, partial(read_regular, file, follow=False))


def _log(files: Mapping[str, bytes]) -> bytes:
    """Return what git prints of the commits that are checked out, in a repository of these files."""
    with tempfile.TemporaryDirectory(prefix="maze-grader-git-") as place:
        for name, content in files.items():
            target = Path(place, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        for folder in ("objects", "refs"):
            Path(place, folder).mkdir(exist_ok=True)
        is_long = any((part := _PART.fullmatch(name)) and any(part.groups()) for name in files)
        Path(place, "config").write_text(_CONFIG.format(int(is_long)) + _SHA_256 * is_long)
        return subprocess.run(  # noqa: S603 - nothing of the student's is in the command
            ["/bin/sh", "-c", _LIMITS, "git", *_OPTIONS],
            cwd=place,
            env={**_ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath), "HOME": place, "GIT_DIR": place},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        ).stdout


def _parse(printed: bytes) -> list[Commit]:
    """Return the commits of people; what was cut off at the end is left out."""
    cells = [cell.strip() for cell in printed.decode("utf-8", "replace").split("\0")]
    return [
        Commit(visible(name, one_line=True, limit=_NAME_CHARACTERS), email.casefold(), _time(time))
        for name, email, time in zip(cells[0:-1:3], cells[1:-1:3], cells[2:-1:3], strict=False)
        if "[bot]" not in name + email
    ]


def _time(text: str) -> datetime | None:
    """Return the time of a commit; None if it is none, or lies before git or far ahead."""
    with suppress(ValueError):
        time = datetime.fromisoformat(text)
        return time if time.year in _YEARS else None
    return None
