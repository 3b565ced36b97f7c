"""The second grading of a submission: what a clock decided is graded once more, with what is left.

Only exercises that lost points to a clock are, where as much is left for each as the first grading took; all
others keep what they have. What that needs is kept with the provisional result, as JSON, in a folder that
people may edit or copy: where it is not as this grader wrote it, or of other work, all is graded anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from grader.model import Again, GradedSubmission, ResultsJson, StaffJson
from grader.points import round_points
from grader.results import as_data, as_staff_data


@dataclass(frozen=True, slots=True)
class FirstGrading:
    """The first grading of a submission, a part of which is to be done again."""

    key: str
    """The digest of all that the result depends on."""
    again: Again
    results: dict[str, Any]
    """As in results.json, before the rubric takes off or adds anything; and ``staff`` as in staff.json."""
    staff: dict[str, Any]

    @classmethod
    def of(cls, report: GradedSubmission, key: str = "") -> Self | None:
        """Return what a second grading needs of the first; None where there is to be none."""
        if report.again is None:
            return None
        return cls(key, report.again, {**as_data(report)}, {**as_staff_data(report)})

    @classmethod
    def read(cls, kept: bytes, key: str) -> Self | None:
        """Read what ``written`` returned; None where it is anything else, or of another key."""
        try:
            found = msgspec.json.decode(kept, type=cls)
            msgspec.convert(found.results, ResultsJson)
            msgspec.convert(found.staff, StaffJson)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return found if found.key == key else None

    def written(self) -> bytes:
        """Return all of it as JSON."""
        return msgspec.json.encode(self)

    def with_second(self, report: GradedSubmission) -> tuple[ResultsJson, StaffJson]:
        """Return the whole of both gradings, as students and as staff see it."""
        return _merged(self.results, as_data(report)), _merged(self.staff, as_staff_data(report))


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
    """Return the first result with the exercises of the second in their places."""
    anew = {each["id"]: each for each in second["exercises"]}
    exercises = [anew.get(each["id"], each) for each in first["exercises"]]
    notes = [*dict.fromkeys([*first["notes"], *second["notes"]])]
    said = {**_said(second), **_said(first)}
    intake = [*first.get("intake", ()), *second.get("intake", ())]
    timing = {
        name: round(first["timing"].get(name, 0.0) + took, 4) for name, took in second["timing"].items()
    }
    merged: dict[str, Any] = {
        **first,
        "score": round_points(sum(each["score"] for each in exercises)),
        "notes": notes,
        "exercises": exercises,
        "timing": timing,
    }
    if said:
        merged["said"] = {f"notes.{place}": said[note] for place, note in enumerate(notes) if note in said}
    if intake:
        merged["intake"] = [each for place, each in enumerate(intake) if each not in intake[:place]]
    gone = {*anew, *(check["id"] for each in anew.values() for check in each["checks"])}
    for key in {"margins", "wrong_shares", "wrong_mazes"}.intersection(merged):
        kept = {name: told for name, told in merged[key].items() if name not in gone}
        merged[key] = {**kept, **second[key]}
    return merged


def _said(results: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return by note what it was made from."""
    keys = {note: f"notes.{place}" for place, note in enumerate(results["notes"])}
    said = results.get("said", {})
    return {note: said[key] for note, key in keys.items() if key in said}
