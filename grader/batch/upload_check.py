"""Look into an upload: its names tell that an exercise is in it, or a program reads it.

Names are the files' own, and those in a small zip: of all that students send, that list alone is read outside
of a reader, within bounds that are looked at first, and by nothing that parses more. All else is read by a
program of its own, in a reader, when the upload has been acknowledged. Where reading goes beyond its bounds,
the upload counts as one with an exercise, and grading tells why. The program is this module, which therefore
imports little: neither rubrics nor what writes results.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, cast

import msgspec

from grader.errors import InputError, SandboxError
from grader.feedback import untrusted
from grader.intake.class_listing import HandIn, with_files
from grader.intake.submissions import submission_of
from grader.languages import Message
from grader.model import Limits
from grader.reader import Reader
from grader.results import remark_data
from lab.exercises import LAB_EXERCISES, Exercise, add_to_the_lab

_PATIENCE_SECONDS: Final = 60.0
"""On a busy machine, to read an upload may take a minute."""
MOST_ENTRIES, MOST_LIST_BYTES = 200, 64 << 10
"""The names in a zip are looked at if it claims at most 200 entries, in a list of at most 64 KiB."""
_END: Final = struct.Struct("<4s4H2LH")
"""The end record of a zip: signature, disks, entries, bytes and place of the list, bytes of a comment."""
_ENTRY: Final = struct.Struct("<4s24x3H12x")
"""The beginning of an entry of the list: signature, and the bytes of name, extra field and comment."""
_MOST_REASONS: Final = 5

Files = Sequence[tuple[Path, str]]
"""The files of an upload, each with the student's name for it."""


def names_tell(files: Files, added: Sequence[Exercise]) -> bool:
    """Tell whether the names of an upload's files, or the names in a small zip, are those of an exercise.

    ``added`` are the exercises that the course has beside the lab's own.
    """
    wanted = {Path(each.file).name for each in (*LAB_EXERCISES, *added)}
    return any(label in wanted or not wanted.isdisjoint(names_in(path)) for path, label in files)


def names_in(path: Path) -> set[str]:
    """Return the names, without folders, in the list of a small zip; none of any other file."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END.size - 0xFFFF))
        tail = file.read()
        end = tail.rfind(b"PK\5\6", 0, len(tail) - _END.size + 4)
        if end < 0:
            return set()
        _, _, _, _, entries, list_bytes, _, _ = _END.unpack_from(tail, end)
        begin = size - len(tail) + end - list_bytes
        if entries > MOST_ENTRIES or list_bytes > MOST_LIST_BYTES or begin < 0:
            return set()
        file.seek(begin)
        listed = file.read(list_bytes)
    found, at = set[str](), 0
    while at + _ENTRY.size <= len(listed) and listed[at : at + 4] == b"PK\1\2":
        _, name, extra, comment = _ENTRY.unpack_from(listed, at)
        at += _ENTRY.size
        found.add(listed[at : at + name].decode(errors="replace").rsplit("/", 1)[-1])
        at += name + extra + comment
    return found


class UploadReading:
    """A program that reads an upload."""

    def __init__(self, files: Files, added: Sequence[Exercise]) -> None:
        """Start it."""
        self._process = subprocess.Popen(  # noqa: S603 - of ours
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ends = time.monotonic() + _PATIENCE_SECONDS
        with suppress(BrokenPipeError), cast(IO[bytes], self._process.stdin) as given:
            given.write(msgspec.json.encode(([(str(path), label) for path, label in files], added)))

    def poll(self) -> tuple[Message, ...] | None:
        """Return why there is no exercise in the upload: nothing if there is one, or if that cannot be told;
        None while it is read."""
        if self._process.poll() is None:
            if time.monotonic() < self._ends:
                return None
            self.close()
        told = b"" if self._process.returncode else cast(IO[bytes], self._process.stdout).read()
        cast(IO[bytes], self._process.stdout).close()
        try:
            data = json.loads(told)
        except (ValueError, RecursionError):
            return ()
        found = map(untrusted.message, data if isinstance(data, list) else [])
        return tuple(each for each in found if each is not None)[:_MOST_REASONS]

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Read the upload that standard input names, and print the reasons to refuse it."""
    named, added = msgspec.json.decode(
        sys.stdin.buffer.read(), type=tuple[list[tuple[str, str]], list[Exercise]]
    )
    files = [(Path(path), label) for path, label in named]
    add_to_the_lab(added)
    reader = Reader.of(Limits())
    try:
        read = submission_of(with_files(HandIn("upload", ()), files), reader)
    except (InputError, SandboxError):
        remarks = []  # which attempt counts, and what the machine cannot read, is told when it is graded
    else:
        remarks = [] if read.holds_an_exercise or reader.is_beyond else [*read.remarks]
    told = [remark_data(each)["said"]["message"] for each in remarks if each.kind in ("note", "refused")]
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
