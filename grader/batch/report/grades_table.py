"""The table grades.csv: one line per submission, for people and for the exports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.batch.report.review_items import PROPOSALS
from grader.batch.report.rows import Row
from grader.exports.csv_cells import encode_csv, format_points
from grader.exports.pseudonym_key import UNNAMED
from grader.intake.class_listing import HandIn
from grader.platforms.registry import PLATFORMS
from grader.text import visible

NAME = "grades.csv"


def grades_csv(rows: Iterable[Row], exercises: Sequence[str]) -> bytes:
    """Return the table; the score of a submission that could not be graded is empty, not zero."""
    head = ["submission", "student", "id", "score", "max_score", *exercises, "status", "days_late"]
    head += ["submitted", "attempts", "platform_score", "platform", "source", "look_at"]
    return encode_csv(_lines(head, rows, exercises))


def _lines(head: list[str], rows: Iterable[Row], exercises: Sequence[str]) -> Iterator[list[str]]:
    yield head
    for row in rows:
        graded = row.score is not None
        scores = {exercise.id: format_points(exercise.score) for exercise in row.exercises} if graded else {}
        yield [
            row.name,
            row.hand_in.student,
            row.hand_in.id,
            format_points(row.score),
            format_points(row.max_score if row.exercises else None),
            *(scores.get(exercise, "") for exercise in exercises),
            row.status,
            str(row.days_late),
            *_attempt(row.hand_in),
            row.hand_in.platform,
            _source(row.hand_in),
            "; ".join(each for each in row.concerns if each.kind in PROPOSALS),
        ]


def _attempt(hand_in: HandIn) -> list[str]:
    """Return when the graded attempt came, which of how many it is, and the platform's score.

    Each is empty if it is unknown, or might reveal who has a pseudonym.
    """
    if hand_in.platform == UNNAMED:
        return ["", "", ""]
    submitted = hand_in.submitted.isoformat(" ", "minutes") if hand_in.submitted else ""
    attempts = f"{hand_in.attempts} of {hand_in.attempts}" if hand_in.attempts > 1 else ""
    return [submitted, "" if hand_in.unclear or hand_in.is_open else attempts, hand_in.platform_score]


def _source(hand_in: HandIn) -> str:
    """Return the platform's name for what was handed in; without a platform, its escaped file name."""
    if not hand_in.sources:
        return ""
    if hand_in.platform not in PLATFORMS:
        return visible(hand_in.sources[0].name)
    return PLATFORMS[hand_in.platform].source(hand_in.sources[0])
