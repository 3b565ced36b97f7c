"""What follows the grading of a class: all layers laid over the results, and all reports made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.batch.desk import settle
from grader.batch.journal import Journal
from grader.batch.report.facts import ClassFacts, save
from grader.batch.report.kept import keep, kept, state_of
from grader.batch.report.write import ClassStanding, write_reports
from grader.disk import write_whole
from grader.exports.missing_work import WITHOUT_WORK
from grader.model import LateJson


def reported(
    out: Path,
    facts: ClassFacts,
    journal: Journal,
    lates: Mapping[str, LateJson | None],
    missing: Sequence[str],
) -> ClassStanding:
    """Where the class stands, once all reports say so; they are made again where they would be others."""
    standing = kept(out, state_of(out, facts, journal, lates, missing), facts, journal)
    if standing is None:
        settle(out, journal, lates)
        save(out, facts)
        write_whole(out / WITHOUT_WORK, json.dumps(missing).encode())
        standing = write_reports(out, facts, journal)
        keep(out, state_of(out, facts, journal, lates, missing), standing)
    return standing
