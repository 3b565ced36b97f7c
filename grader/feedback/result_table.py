"""Format a submission's result as a short table for the terminal."""

from __future__ import annotations

from grader.feedback.page import read_page
from grader.model import ExerciseJson, ResultsJson

_EMPTY_STATES = {"missing": "not handed in", "unfound": "class not found", "unwritten": "still to be written"}
"""States of an exercise, in words, whose checks are not listed."""


def format_result(results: ResultsJson, *, refused: bool = False) -> str:
    """Return the points by exercise with the failed checks; for refused work, only the notes."""
    score = f"{results['score']:g} of {results['max_score']:g} points"
    lines = [f"{results['submission']}: {'refused, ' if refused else ''}{score}"]
    states = [exercise.state for exercise in read_page(results).exercises]
    for exercise, state in zip(results["exercises"], states, strict=True) if not refused else ():
        points = f"{exercise['score']:g}/{exercise['max_score']:g}"
        lost = [_EMPTY_STATES[state]] if state in _EMPTY_STATES else _lost_checks(exercise)
        lines.append(f"  {points:>7}  {exercise['title']}{': ' if lost else ''}{_first_three(lost)}")
    remarks = [remark["message"] for remark in results.get("intake", ())]
    lines.extend(f"  note: {note}" for note in (*remarks, *results["notes"]))
    return "\n".join(lines)


def _lost_checks(exercise: ExerciseJson) -> list[str]:
    return [
        f"{check['title']} ({check['status']})" for check in exercise["checks"] if check["status"] != "passed"
    ]


def _first_three(lost: list[str]) -> str:
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return ", ".join(lost[:3]) + more
