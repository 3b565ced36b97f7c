"""What intake says about a submission, in English."""

from __future__ import annotations

from grader.model import Remark, RemarkKind, Submission
from tests.grader.words import english


def notes(submission: Submission) -> tuple[str, ...]:
    """Return what was left out, and which attempt is graded."""
    return (*_told(submission, "attempts"), *_told(submission, "note"))


def questions(submission: Submission) -> list[str]:
    """Return what a person has to decide."""
    return list(_told(submission, "unsure"))


def beside_notes(submission: Submission) -> list[Remark]:
    """Return repairs and questions."""
    return [each for each in submission.remarks if each.kind not in ("note", "attempts", "beside")]


def beside(submission: Submission) -> set[tuple[str, str]]:
    """Return what else defines an exercise, and differs: each file with the lab's that it is beside."""
    return {(each.source, each.file) for each in submission.remarks if each.kind == "beside"}


def _told(submission: Submission, kind: RemarkKind) -> tuple[str, ...]:
    return tuple(english(remark.message) for remark in submission.remarks if remark.kind == kind)
