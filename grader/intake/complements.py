"""Several archives of one student that belong together: each holds what the others lack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from grader.errors import IntakeError
from grader.intake.candidates import is_settled, is_template, same
from grader.intake.caps import Caps
from grader.intake.entries import Entry, Sieve, read_file
from grader.intake.names import safe_name
from grader.intake.notes import Notes
from grader.intake.selection import select
from grader.intake.submissions import made, read_submission
from grader.model import Submission
from lab.exercises import EXERCISES

_MOST = 8


def of_complements(name: str, archives: Sequence[tuple[Path, str]]) -> Submission | None:
    """The submission of all archives together; None where the last is all, or they contradict each other."""
    if not 1 < len(archives) <= _MOST:
        return None
    try:
        alone = [read_submission(path) for path, _ in archives]
    except IntakeError:
        return None
    wholes = [{each for each in EXERCISES if is_settled(read.files, each)} for read in alone]
    if set().union(*wholes) <= wholes[-1] or _contradict(alone):
        return None
    sieve = Sieve(Caps(), Notes())
    called = [(path, sieve.path(label) or safe_name(label)) for path, label in archives]
    entries = [Entry(name, partial(read_file, path, name)) for path, name in called]
    return made(name, select(entries, sieve), sieve)


def _contradict(submissions: Sequence[Submission]) -> bool:
    """Whether two of them hold a file that is not the same, and in none as it was handed out."""
    kept: dict[str, bytes | str] = {}
    for submission in submissions:
        for path, content in submission.files.items():
            exercise = next((each for each in EXERCISES if each.file == path), None)
            is_code = path.endswith(".py") and not (exercise and is_template(content, exercise))
            if is_code and kept.setdefault(path, same(content)) != same(content):
                return True
    return False
