"""Look into an upload before it is taken: what holds none of the exercises is refused, and costs no attempt.

A program that is started for it reads what students sent, by a reader: the site has threads, and does not
fork. Where reading goes beyond its bounds, the upload is taken, and grading tells why. The program is this
module, which therefore imports little: neither rubrics nor what writes results.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

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
_MOST_REASONS: Final = 5

Files = Sequence[tuple[Path, str]]
"""The files of an upload, each with the student's name for it."""


def find_refusal(files: Files, added: Sequence[Exercise]) -> tuple[Message, ...]:
    """Return why an upload is refused; nothing if it holds an exercise, or if that cannot be told.

    ``added`` are the exercises that the course has beside the lab's own.
    """
    if {label for _, label in files} & {Path(each.file).name for each in (*LAB_EXERCISES, *added)}:
        return ()
    try:
        done = subprocess.run(  # noqa: S603 - of ours
            [sys.executable, "-m", __name__],
            input=msgspec.json.encode(([(str(path), label) for path, label in files], added)),
            capture_output=True,
            timeout=_PATIENCE_SECONDS,
            check=True,
        )
        told = json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError, RecursionError):
        return ()
    found = map(untrusted.message, told if isinstance(told, list) else [])
    return tuple(each for each in found if each is not None)[:_MOST_REASONS]


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
