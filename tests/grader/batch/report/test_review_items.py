"""The items of the review that several submissions share."""

from __future__ import annotations

from dataclasses import replace

from grader.batch.report.review_items import items_of
from grader.batch.report.rows import ExerciseRow, Row
from grader.batch.report.similar_groups import Alike


def test_submissions_of_one_name_are_listed_together(rows: list[Row]) -> None:
    def drawn(row: Row, *names: str) -> Row:
        exercises = (
            ExerciseRow(f"e{n}", f"E{n}", 1.0, 1.0, (), drawn_from=name) for n, name in enumerate(names)
        )
        return replace(row, exercises=tuple(exercises), concerns=())

    plain = [replace(row, concerns=()) for row in rows[:5]]
    named = [
        drawn(plain[0], "ada"),
        drawn(plain[1], "bob"),
        drawn(plain[2], "ada"),
        drawn(plain[3], "", "ada"),
    ]
    (item,) = items_of([*named, plain[4]], Alike((), ""), {})
    assert (item.kind, item.text, item.is_open) == ("same_name", "E0", True)
    assert (item.submission, *item.others) == (plain[0].name, plain[2].name)
