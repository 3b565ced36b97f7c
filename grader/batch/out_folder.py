"""The folder of a class's results: its reserved names, and where it may lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from grader.batch.events import LOG
from grader.batch.journal import FILE
from grader.batch.marks.ledger import LEDGER
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.plots import NAMES as PLOTS
from grader.batch.report.similarity_pages import FILE as ALIKE
from grader.batch.report.similarity_pages import FOLDER as SIDE_BY_SIDE
from grader.batch.report.update import STATE_FILE
from grader.batch.report.write import NAMES
from grader.errors import InputError
from grader.exports.missing_work import WITHOUT_WORK
from grader.exports.result_files import UNFINISHED
from grader.exports.review_items import ITEMS

RESERVED: Final = (
    *(*NAMES, *PLOTS, LOG, FILE, LEDGER, FACTS, ITEMS),
    *(WITHOUT_WORK, ALIKE, SIDE_BY_SIDE, STATE_FILE, UNFINISHED),
)
"""These names are taken by files of the results, so no student's folder may have them."""


def check_out(out: Path, submissions: Path) -> None:
    """Raise InputError if the results would lie in the folder of the submissions."""
    if os.path.realpath(out) == os.path.realpath(submissions):  # of links in a circle, too
        raise InputError(
            "expected a folder other than that of the submissions: name another with --out", path=out
        )
