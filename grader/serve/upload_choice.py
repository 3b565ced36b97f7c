"""What a student chooses where it is not clear what in an upload counts; kept beside the results of it."""

from __future__ import annotations

import json
from typing import cast

from grader.disk import write_whole, writing
from grader.errors import Undecided
from grader.model import ChoiceJson
from grader.serve.data_folder import DataFolder
from grader.serve.store.attempts import Attempt

_ASKED = "asked.json"
_CHOSEN = "chosen.json"


def is_undecided(attempt: Attempt) -> bool:
    """Tell whether an attempt was not graded since it is not clear what counts."""
    return attempt.state == "fault" and attempt.reason.startswith(Undecided.OPENING)


def ask(data: DataFolder, attempt: Attempt, choice: ChoiceJson) -> None:
    """Keep what the student has to choose from. Raises DiskError."""
    with writing(folder := data.attempt(attempt.id)):
        folder.mkdir(exist_ok=True)
    write_whole(folder / _ASKED, json.dumps(choice).encode())


def find_choice(data: DataFolder, attempt: Attempt) -> ChoiceJson | None:
    """Return what the student has to choose from; None if there is nothing."""
    path = data.attempt(attempt.id) / _ASKED
    is_asked = is_undecided(attempt) and path.is_file()
    return cast(ChoiceJson, json.loads(path.read_bytes())) if is_asked else None


def answer(data: DataFolder, attempt: Attempt, question: str, number: int) -> None:
    """Keep what the student chose. Raises DiskError."""
    chosen = {**choices_of(data, attempt), question: number}
    write_whole(data.attempt(attempt.id) / _CHOSEN, json.dumps(chosen).encode())


def choices_of(data: DataFolder, attempt: Attempt) -> dict[str, int]:
    """Return what the student chose, by question."""
    path = data.attempt(attempt.id) / _CHOSEN
    return dict(json.loads(path.read_bytes())) if path.is_file() else {}
