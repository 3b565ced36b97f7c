"""The folder of the results of a class: how its own files are called, and where it may lie."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grader.batch.events import LOG
from grader.batch.journal import FILE
from grader.batch.marks.ledger import LEDGER
from grader.batch.report.facts import FILE as FACTS
from grader.batch.report.kept import KEPT
from grader.batch.report.look_alikes import FILE as ALIKE
from grader.batch.report.look_alikes import FOLDER as SIDE_BY_SIDE
from grader.batch.report.write import NAMES
from grader.errors import InputError
from grader.exports.missing_work import WITHOUT_WORK
from grader.exports.review_items import ITEMS
from grader.exports.unfinished import UNFINISHED

RESERVED: Final = (
    *(*NAMES, LOG, FILE, LEDGER, FACTS, ITEMS),
    *(WITHOUT_WORK, ALIKE, SIDE_BY_SIDE, KEPT, UNFINISHED),
)
"""No student's folder has the name of a file of the results."""


def check_out(out: Path, submissions: Path) -> None:
    """Raise InputError for the folder of the submissions itself."""
    if out.resolve() == submissions.resolve():
        raise InputError("the results cannot lie where the submissions do: name another folder", path=out)
