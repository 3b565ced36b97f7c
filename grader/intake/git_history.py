"""Reads who committed last to students' repositories, and when, without trusting them.

A repository may hold settings and hooks that run any program, so git never sees it as one: it runs in an
empty repository of the grader's own, and is given only the folder of objects and the name of a commit. It
works offline, within limits of time, memory and output. Names and times are what the student's machine wrote.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Timer
from typing import Final

from grader.intake.files import read_regular
from grader.text import visible

_COMMITS: Final = 100
"""At most the last 100 commits of a repository are read."""
_OUTPUT_BYTES: Final = 64 * 1024
"""At most 64 KiB of what git prints are read."""
_SECONDS: Final = 60
"""git is stopped after 60 seconds by the clock."""
_LIMITS: Final = 'ulimit -v 2097152; ulimit -t 20; ulimit -f 0; ulimit -c 0; exec git "$@"'
"""git may use 2 GiB of address space and 20 seconds of processor time, and write no file."""
_REF_BYTES: Final = 1024 * 1024
"""At most 1 MiB of a list of references is read."""
_NAME_CHARACTERS: Final = 80
_REF: Final = re.compile(r"refs/heads/[^\s:?*\[\\^~]{1,200}")
_HASH: Final = re.compile(r"[0-9a-f]{40}")
_OPTIONS: Final = (
    *("-c", "core.commitGraph=false", "-c", "core.packedGitWindowSize=16m", "-c", "core.packedGitLimit=128m"),
    *("log", f"--max-count={_COMMITS}", "--no-show-signature", "--no-mailmap", "--no-decorate", "--no-color"),
    *("--encoding=UTF-8", "--format=%an%x00%ae%x00%cI%x00"),
)


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its author, and when it was made."""

    name: str
    email: str
    time: datetime


def last_commits(folders: Iterable[Path]) -> dict[Path, Commit]:
    """Return the last commit of each folder's student, for folders that are clones of repositories.

    Commits of bots do not count, nor those of people who committed to several of the repositories: they are
    staff, or come from what all started with.
    """
    found = {folder: commits for folder in folders if (commits := _read_commits(folder))}
    seen = Counter(email for commits in found.values() for email in {each.email for each in commits})
    own = {folder: [each for each in commits if seen[each.email] == 1] for folder, commits in found.items()}
    return {folder: commits[0] for folder, commits in own.items() if commits}


def _read_commits(folder: Path) -> list[Commit]:
    """Return the last commits of people, the newest first; none if this is no repository, or unreadable."""
    repository = folder / ".git"
    objects = repository / "objects"
    with suppress(OSError, ValueError):
        if repository.is_symlink() or objects.is_symlink() or not objects.is_dir():
            return []
        if os.path.lexists(objects / "info" / "alternates"):  # it would lead out of the folder
            return []
        head = _head(repository)
        return _parse(_log(objects, head)) if head else []
    return []


def _head(repository: Path) -> str:
    """Return the name of the commit that is checked out; empty if there is none."""
    head = _read_text(repository / "HEAD").strip()
    reference = head.removeprefix("ref: ")
    if not _REF.fullmatch(reference) or ".." in reference:
        return head if _HASH.fullmatch(head) else ""
    with suppress(OSError):
        loose = _read_text(repository / reference).strip()
        return loose if _HASH.fullmatch(loose) else ""
    lines = (line.split(" ", 1) for line in _read_text(repository / "packed-refs").splitlines())
    packed = (name for name, *rest in lines if rest == [reference])
    return next(filter(_HASH.fullmatch, packed), "")


def _read_text(path: Path) -> str:
    return read_regular(path, _REF_BYTES, follow=False).decode("utf-8", "replace")


def _log(objects: Path, head: str) -> bytes:
    """Return what git prints of the commits up to this one, from an empty repository with these objects.

    Raises OSError if there is no git.
    """
    with tempfile.TemporaryDirectory(prefix="maze-grader-git-") as place:
        empty = Path(place)
        (empty / "refs").mkdir()
        (empty / "HEAD").write_text("ref: refs/heads/none\n")
        (empty / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
        with subprocess.Popen(  # noqa: S603 - the head is a hash, and the folder is in the environment
            ["/bin/sh", "-c", _LIMITS, "git", *_OPTIONS, head, "--"],
            cwd=empty,
            env=_environment(empty, objects),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            clock = Timer(_SECONDS, process.kill)
            clock.start()
            try:
                return process.stdout.read(_OUTPUT_BYTES)
            finally:
                clock.cancel()
                process.kill()


def _environment(empty: Path, objects: Path) -> Mapping[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(empty),
        "GIT_DIR": str(empty),
        "GIT_OBJECT_DIRECTORY": str(objects.absolute()),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
    }


def _parse(printed: bytes) -> list[Commit]:
    """Return the commits of people; what was cut off at the end is left out."""
    cells = [cell.strip() for cell in printed.decode("utf-8", "replace").split("\0")]
    return [
        Commit(
            visible(name, one_line=True, limit=_NAME_CHARACTERS),
            email.casefold(),
            datetime.fromisoformat(time),
        )
        for name, email, time in _threes(cells)
        if name and "[bot]" not in name and "[bot]" not in email
    ]


def _threes(cells: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    return zip(cells[0:-1:3], cells[1:-1:3], cells[2:-1:3], strict=False)
