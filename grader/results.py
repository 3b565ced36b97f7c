"""results.json: a report as plain data, the same bytes for the same submission."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import NoneType
from typing import Any, TypeGuard

from grader.errors import InputError
from grader.model import (
    CheckJson,
    CheckResult,
    ExerciseJson,
    ExerciseResult,
    Report,
    ResultsJson,
)
from grader.text import all_visible

SCHEMA = 1
_Kinds = Mapping[str, type | tuple[type, ...]]
_SCORES: _Kinds = {"score": (int, float), "max_score": (int, float)}
_HEAD: _Kinds = {"submission": str, "sandbox": str, "notes": list, "timing": dict, **_SCORES}
_EXERCISE: _Kinds = {"id": str, "title": str}
_CHECK: _Kinds = {
    **dict.fromkeys(("id", "title", "status", "message", "hint", "visibility"), str),
    "counterexample": (dict, NoneType),
    **_SCORES,
}


def as_data(report: Report) -> ResultsJson:
    """The report in the form of results.json."""
    data: ResultsJson = {
        "schema": SCHEMA,
        "submission": report.submission,
        "title": report.title,
        "language": report.language,
        "score": report.score,
        "max_score": report.max_score,
        "sandbox": report.sandbox,
        "isolation": report.isolation,
        "notes": list(report.notes),
        "exercises": [_exercise(exercise) for exercise in report.exercises],
        "timing": {name: round(seconds, 4) for name, seconds in report.timing.items()},
    }
    return all_visible(data)


def as_json(results: ResultsJson) -> bytes:
    """The bytes of results.json."""
    return (json.dumps(results, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def read(path: Path) -> ResultsJson:
    """Read a results.json. Raises InputError."""
    try:
        results = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"expected a results.json: {error.strerror}", path=path) from None
    except (ValueError, RecursionError):
        raise InputError("expected a results.json of this grader, found something else", path=path) from None
    if not isinstance(results, dict) or results.get("schema") != SCHEMA:
        raise InputError(f"expected a results.json with schema {SCHEMA}", path=path)
    if not _is_whole(results):
        raise InputError("expected a whole results.json, this one was changed: grade again", path=path)
    return results


def _is_whole(results: Any) -> TypeGuard[ResultsJson]:
    """Whether all is there, with its type, that other commands count on."""
    try:
        exercises = list(results["exercises"])
        checks = [check for exercise in exercises for check in exercise["checks"]]
        parts = ([results], _HEAD), (exercises, _EXERCISE), (checks, _CHECK)
        return all(
            isinstance(part[key], kind)
            for found, kinds in parts
            for part in found
            for key, kind in kinds.items()
        )
    except (KeyError, TypeError):
        return False


def _exercise(exercise: ExerciseResult) -> ExerciseJson:
    return {
        "id": exercise.id,
        "title": exercise.title,
        "score": exercise.score,
        "max_score": exercise.max_score,
        "zeroed": exercise.zeroed,
        "checks": [_check(check) for check in exercise.checks],
        "output": exercise.output,
        "gallery": list(exercise.gallery),
    }


def _check(check: CheckResult) -> CheckJson:
    verdict = check.verdict
    found: CheckJson = {
        "id": check.id,
        "title": check.title,
        "status": verdict.status,
        "score": check.score,
        "max_score": check.max_score,
        "visibility": check.visibility,
        "message": verdict.message,
        "hint": verdict.hint,
        "misconception": {"id": verdict.misconception} if verdict.misconception else None,
        "counterexample": verdict.counterexample,
    }
    if check.follow_through:
        found["follow_through"] = True
    return found
