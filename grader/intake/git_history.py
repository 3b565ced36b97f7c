"""Reads who committed last to students' repositories, and when, without trusting them.

A repository may hold settings and hooks that run any program, so git never sees it as one: it runs in an
empty repository of the grader's own, and is given only the folder of objects, which holds nothing but files,
and the name of a commit. It works offline, within limits of time, memory and output. Names and times are what
the student's machine wrote: a time that cannot be right is none.
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
from grader.intake.git_folders import Unreadable, open_repository
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
_PAIR: Final = 2
_YEARS: Final = range(2005, 2100)
"""Commits are made in these years: git is no older."""
_OPTIONS: Final = (
    *(
        "-c",
        "core.commitGraph=false",
        "-c",
        "core.multiPackIndex=false",
        "-c",
        "core.packedGitWindowSize=16m",
        "-c",
        "core.packedGitLimit=128m",
    ),
    *("log", f"--max-count={_COMMITS}", "--no-show-signature", "--no-mailmap", "--no-decorate", "--no-color"),
    *("--encoding=UTF-8", "--format=%an%x00%ae%x00%cI%x00"),
)


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its author, and when it was made."""

    name: str
    """Empty if the author gave none."""
    email: str
    time: datetime | None
    """None if the time cannot be right."""


def last_commits(paths: Iterable[Path]) -> dict[Path, Commit]:
    """Return the last commit of each student, for folders and zips that hold a repository."""
    return own_commits({path: commits for path in paths if (commits := read_commits(path))})


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
        with open_repository(path) as repository:
            head = _head(repository) if repository else ""
            return _parse(_log(repository, head)) or None if repository and head else []
    except (OSError, ValueError, Unreadable):
        return None


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


def _log(repository: Path, head: str) -> bytes:
    """Return what git prints of the commits up to this one, from an empty repository with the objects of
    another.

    Raises OSError if there is no git.
    """
    with tempfile.TemporaryDirectory(prefix="maze-grader-git-") as place:
        empty = Path(place)
        (empty / "refs").mkdir()
        (empty / "HEAD").write_text("ref: refs/heads/none\n")
        with suppress(OSError):  # where a clone is cut off, its commits have no parents
            cut = _read_text(repository / "shallow").split()
            (empty / "shallow").write_text("".join(f"{each}\n" for each in cut if _HASH.fullmatch(each)))
        (empty / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
        with subprocess.Popen(  # noqa: S603 - the head is a hash, and the folder is in the environment
            ["/bin/sh", "-c", _LIMITS, "git", *_OPTIONS, head, "--"],
            cwd=empty,
            env=_environment(empty, repository / "objects"),
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
        Commit(visible(name, one_line=True, limit=_NAME_CHARACTERS), email.casefold(), _time(time))
        for name, email, time in _threes(cells)
        if "[bot]" not in name and "[bot]" not in email
    ]


def _time(text: str) -> datetime | None:
    """Return the time of a commit; None if it is none, or lies before git or far ahead."""
    with suppress(ValueError):
        time = datetime.fromisoformat(text)
        if time.year in _YEARS:
            return time
    return None


def _threes(cells: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    return zip(cells[0:-1:3], cells[1:-1:3], cells[2:-1:3], strict=False)
