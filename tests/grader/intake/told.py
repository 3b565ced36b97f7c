"""What intake says of a submission, in English."""

from __future__ import annotations

from grader.model import Remark, RemarkKind, Submission
from tests.grader.words import english


def notes(submission: Submission) -> tuple[str, ...]:
    """What was left out, and which attempt is graded."""
    return _told(submission, "note")


def questions(submission: Submission) -> list[str]:
    """What a person has to decide."""
    return list(_told(submission, "unsure"))


def beside_notes(submission: Submission) -> list[Remark]:
    """What was put right, and what is asked."""
    return [remark for remark in submission.remarks if remark.kind != "note"]


def _told(submission: Submission, kind: RemarkKind) -> tuple[str, ...]:
    return tuple(english(remark.message) for remark in submission.remarks if remark.kind == kind)
