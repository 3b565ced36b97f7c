"""``grader regrade``: grade some submissions of a class again."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from grader.batch.class_run import FILES_ASKED, BatchOptions, grade_class
from grader.batch.open_results import find_submission, open_results
from grader.batch.report.class_facts import check_batch, load


def grade_one_again(out: Path, who: str, key: Path | None = None) -> int:
    """Grade one submission of a class again, with the options of the last run; return the exit status.

    ``key`` names the students of results under pseudonyms.
    """
    with open_results(out) as journal:
        check_batch(load(out), out)
        name = find_submission(out, who, journal.entries(), key)
        journal.grade_again(name)
    return grade_again(out, [name])


def grade_again(out: Path, names: Collection[str], *, quiet: bool = False) -> int:
    """Grade those of these submissions that have changed, or have other decisions; return the exit status."""
    facts = load(out)
    asked = facts.asked
    files = {name: _path(asked.get(name)) for name in FILES_ASKED}
    return grade_class(
        BatchOptions(
            files["submissions"] or Path(),
            out,
            sandbox=asked.get("sandbox") or "auto",
            rubric=files["rubric"],
            language=asked.get("language"),
            resume=True,
            students=asked.get("students"),
            quiet=quiet,
            extensions=files["extensions"],
            times=files["times"],
            gradebook=files["gradebook"],
            against=files["against"],
            pseudonyms=files["pseudonyms"],
            explain=facts.explain,
        ),
        only=names,
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
