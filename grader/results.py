"""Writing and reading results.json: a report as plain data, with the same bytes for the same submission.

Its texts are English. So that a page in another language can be made from it alone, a check also holds, under
``said``, the messages that its texts were made from, and so does the whole of its notes: by the place of a
text in the check (keys and indices joined by dots), the key of its template in the catalogues and the values
by name. A value is a text or a number that is used unchanged, or another message; a message without values is
its key alone::

    "message": "On a maze of 1 x 3, BFS returned None, though there is a way.",
    "counterexample": {"label": "a maze of 1 x 3", …},
    "said": {
      "message": ["said.on_a_maze", {"label": ["said.a_maze", {"size": "1 x 3"}], "solver": "BFS",
                                     "finding": ["said.none_though"]}],
      "counterexample.label": ["said.a_maze", {"size": "1 x 3"}],
    }
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from grader.errors import InputError
from grader.languages import DEFAULT, Message, Value, catalogue, said
from grader.model import (
    CheckJson,
    CheckResult,
    CodeJson,
    ExerciseJson,
    ExerciseResult,
    GradedSubmission,
    HandedIn,
    HandedInJson,
    Json,
    LeftIn,
    LeftInJson,
    LookAt,
    LookAtJson,
    Margin,
    OwnMazeJson,
    OwnMazes,
    OwnMazesJson,
    RecordedJson,
    Remark,
    RemarkJson,
    ResultsJson,
    StaffJson,
    Story,
    StoryStep,
    StoryStepJson,
    Telling,
    note,
)
from grader.text import all_visible, visible

SCHEMA = 1
FOR_STAFF = note(said("for_staff"))


def as_data(report: GradedSubmission) -> ResultsJson:
    """Return a report in the form of results.json."""
    remarks = [remark for remark in report.remarks if remark.kind != "note"]
    notes = in_english({"notes": [remark.message for remark in report.remarks if remark.kind == "note"]})
    data: ResultsJson = {
        "schema": SCHEMA,
        "submission": report.submission,
        "title": report.title,
        "language": report.language,
        "score": report.score,
        "max_score": report.max_score,
        "sandbox": report.sandbox,
        "isolation": report.isolation,
        "notes": cast(list[str], notes["notes"]),
        "exercises": [_exercise(exercise) for exercise in report.exercises],
        "timing": {name: round(seconds, 4) for name, seconds in report.timing.items()},
    }
    if "said" in notes:
        data["said"] = cast(Mapping[str, Any], notes["said"])
    if remarks:
        data["intake"] = [remark_data(remark) for remark in remarks]
    return all_visible(data)


def as_staff_data(report: GradedSubmission) -> StaffJson:
    """Return the form for staff.

    With details of hidden failures, and how close each exercise came to its limit.
    """
    exercises = tuple(
        replace(exercise, checks=tuple(map(_for_staff, exercise.checks))) for exercise in report.exercises
    )
    margins = {found.id: _margin(found.margin) for found in exercises if found.margin is not None}
    checks = [check for exercise in exercises for check in exercise.checks]
    named = all_visible({check.id: [*check.wrong_mazes] for check in checks if check.wrong_mazes})
    whole = replace(report, exercises=exercises, remarks=(FOR_STAFF, *report.remarks))
    data = as_data(whole)
    for exercise, told in zip(exercises, data["exercises"], strict=True):
        if exercise.look_at is not None:
            told["look_at"]["edit"] = all_visible([*exercise.look_at.edit])
    shares = {each.id: each.wrong_share for each in exercises if each.wrong_share is not None}
    return {**data, "margins": margins, "wrong_shares": shares, "wrong_mazes": named}


def tells_staff_more(results: ResultsJson, for_staff: StaffJson) -> bool:
    """Tell whether staff see more than students: details of verdicts, or the edit that repairs work."""
    return results["exercises"] != for_staff["exercises"]


def _margin(margin: Margin) -> Mapping[str, Json]:
    told = {"case": margin.case, "seconds": round(margin.seconds, 4), "limit": margin.limit}
    return all_visible(in_english(told))


def _for_staff(check: CheckResult) -> CheckResult:
    return replace(check, verdict=check.for_staff or check.verdict)


def as_json(results: ResultsJson | StaffJson) -> bytes:
    """Return the bytes of results.json."""
    return (json.dumps(results, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def read(path: Path) -> ResultsJson:
    """Read a results.json, with control characters spelt out. Raises InputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"expected a results.json: {error.strerror}", path=path) from None
    return parse(content, path)


_ESCAPE: Final = re.compile(rb'\\[^"\\/nt]')
"""An escape in JSON that may hide what is to be spelt out."""


def parse(content: bytes, path: Path | None = None) -> ResultsJson:
    """Parse the bytes of a results.json. Raises InputError, with the path if it is given."""
    try:
        results = json.loads(content)
        if _ESCAPE.search(content) or not content.decode().replace("\n", "").isprintable():
            results = all_visible(results)
    except (ValueError, RecursionError):
        raise InputError("expected a results.json of this grader, found something else", path=path) from None
    if not isinstance(results, dict) or results.get("schema") != SCHEMA:
        raise InputError(f"expected a results.json with schema {SCHEMA}", path=path)
    try:
        msgspec.convert(results, ResultsJson)
    except msgspec.ValidationError as error:
        raise InputError(
            f"expected a complete results.json, this one was changed: grade again ({error})", path=path
        ) from None
    checks = [check for exercise in results["exercises"] for check in exercise["checks"]]
    if not all(0 <= part["score"] <= part["max_score"] for part in (results, *checks)):
        raise InputError(
            "expected a complete results.json, this one was changed: grade again (a score is too high)",
            path=path,
        )
    return cast(ResultsJson, results)


def schema() -> bytes:
    """Return the JSON Schema of results.json, which is also in ``docs/results.schema.json``."""
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(ResultsJson)}
    return (json.dumps(made, indent=1, ensure_ascii=False) + "\n").encode()


def checks_of(results: ResultsJson) -> list[CheckJson]:
    """Return the checks of all exercises, in order."""
    return [check for exercise in results["exercises"] for check in exercise["checks"]]


def mark_of(results: ResultsJson) -> float | None:
    """Return the mark; None where there is none: exempt, undecided or refused work, a fault of the grader."""
    layer = results.get("adjusted")
    is_missing = (check["status"] == "missing" for check in checks_of(results))
    has_none = layer["exempt"] if layer else all(is_missing)
    return None if has_none or "fault" in results else float(results["score"])


def format_mark(results: ResultsJson) -> str:
    """Format the final mark for people."""
    layer, mark = results.get("adjusted"), mark_of(results)
    return "exempt" if layer and layer["exempt"] else "no mark" if mark is None else f"{mark:g}"


Changes = dict[str, tuple[str, str]]
"""Marks before and after a change, by submission."""
_MOST_NAMED: Final = 20


def changes_between(before: Mapping[str, str], now: Mapping[str, str]) -> Changes:
    """Return which marks differ, of those that were there before."""
    return {name: (before[name], mark) for name, mark in now.items() if before.get(name, mark) != mark}


def tell_changes(changes: Changes, count: int) -> str:
    """Return the line by which each command ends that may change some of ``count`` marks."""
    moved = {name: marks for name, marks in changes.items() if marks[0] != marks[1]}
    told = [f"{visible(name)} {before} -> {after}" for name, (before, after) in moved.items()]
    more = f" and {len(told) - _MOST_NAMED} more" if len(told) > _MOST_NAMED else ""
    named = f": {', '.join(told[:_MOST_NAMED])}{more}" if told else ""
    return f"{len(told)} of {count} marks changed{named}"


def is_unwritten(exercise: ExerciseJson) -> bool:
    """Tell whether an exercise was left as it was handed out.

    Its code did nothing but raise the NotImplementedError of a skeleton, in every check that is shown. One
    that another file raised, as an unwritten Search that a solver uses, is no sign of it.
    """
    shown = _graded_in_sight(exercise)
    return bool(shown) and all(map(_met_a_stub, shown))


def fails_to_load(exercise: ExerciseJson) -> bool:
    """Tell whether nothing of an exercise could be called, in any check that is shown, as no file could be
    loaded."""
    shown = _graded_in_sight(exercise)
    return bool(shown) and all(_fault(check).get("stage") == "import" for check in shown)


def _graded_in_sight(exercise: ExerciseJson) -> list[CheckJson]:
    """Return the checks that are shown, and that the grader marks."""
    return [each for each in exercise["checks"] if each["visibility"] == "public" and "criteria" not in each]


def _met_a_stub(check: CheckJson) -> bool:
    fault = _fault(check)
    files = {frame.get("file") for frame in fault.get("trace") or () if isinstance(frame, Mapping)}
    return fault.get("kind") == "NotImplementedError" and len(files) <= 1


def _fault(check: CheckJson) -> Mapping[str, Any]:
    """Return how a check crashed, as its counterexample tells it; empty if it did not."""
    actual = (check["counterexample"] or {}).get("actual")
    fault = actual.get("fault") if isinstance(actual, Mapping) else None
    return fault if check["status"] == "crashed" and isinstance(fault, Mapping) else {}


def _exercise(exercise: ExerciseResult) -> ExerciseJson:
    data: ExerciseJson = {
        "id": exercise.id,
        "title": exercise.title,
        "score": exercise.score,
        "max_score": exercise.max_score,
        "zeroed": exercise.zeroed,
        "checks": [check_data(check) for check in exercise.checks],
        "output": exercise.output,
        "gallery": list(exercise.gallery),
    }
    if exercise.drawn_from:
        data["drawn_from"] = exercise.drawn_from
    if exercise.look_at is not None:
        data["look_at"] = _look_at(exercise.look_at)
    if exercise.story is not None:
        data["story"] = [*map(_story_step, exercise.story.steps)]
        data["recorded"] = _recorded(exercise.story)
    if exercise.own_mazes is not None:
        data["own_mazes"] = _own_mazes(exercise.own_mazes)
    if exercise.handed_in is not None:
        data["handed_in"] = _handed_in(exercise.handed_in)
    if exercise.remarks:
        data["remarks"] = [_left_in(each) for each in exercise.remarks]
    return data


def _handed_in(found: HandedIn) -> HandedInJson:
    data: HandedInJson = {"file": found.file, "digest": found.digest}
    if found.text:
        data |= {"text": found.text, "html": found.html}
    if found.values:
        data["values"] = {**found.values}
    return data


def _left_in(found: LeftIn) -> LeftInJson:
    data: dict[str, Telling] = {"file": found.file, "line": found.line, "text": found.text}
    return cast(LeftInJson, in_english(data))


def _own_mazes(found: OwnMazes) -> OwnMazesJson:
    mazes = [
        {
            "file": each.file,
            "maze": each.maze,
            "caught": [*each.caught],
            "alone": [*each.alone],
            "message": each.message,
        }
        for each in found.mazes
    ]
    return {
        "mistake_count": found.mistake_count,
        "caught_count": found.caught_count,
        "mazes": [cast(OwnMazeJson, in_english(maze)) for maze in mazes],
    }


def _look_at(found: LookAt) -> LookAtJson:
    data: dict[str, Telling] = {
        "file": found.file,
        "line": found.line,
        "after": found.after,
        "kind": found.kind,
        "message": found.message,
        "checks": list(found.checks),
        "code": {"first": found.first_line, "lines": list(found.code)},
    }
    return cast(LookAtJson, in_english(data))


def _story_step(step: StoryStep) -> StoryStepJson:
    line = {} if step.line is None else {"line": step.line}
    data: dict[str, Telling] = {"file": step.file, **line, "text": step.text, "values": dict(step.values)}
    return cast(StoryStepJson, in_english(data))


def _recorded(story: Story) -> RecordedJson:
    code: CodeJson = {"first": story.first_line, "lines": [*story.code]}
    data: RecordedJson = {"check": story.check, "code": code, "walk": [[*lines] for lines in story.walk]}
    if story.states:
        data["states"] = [
            {"step": each.number, "call": each.call, "came": each.came, "due": each.due}
            for each in story.states
        ]
    return data


def check_data(check: CheckResult) -> CheckJson:
    """Return a check in the form of results.json."""
    verdict = check.verdict
    data: dict[str, Telling] = {
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
        data["follow_through"] = True
    if check.criteria:
        data["criteria"] = [{"text": each.text, "points": each.points} for each in check.criteria]
        data |= {"shows": [*check.shows]} if check.shows else {}
        data |= {"differ": check.differ} if check.differ is not None else {}
    return cast(CheckJson, in_english(data))


def remark_data(remark: Remark) -> RemarkJson:
    """Return a remark of intake in the form of results.json."""
    data: dict[str, Telling] = {
        "kind": remark.kind,
        "source": remark.source,
        "file": remark.file,
        "message": remark.message,
    }
    return cast(RemarkJson, in_english(data))


def in_english(check: Mapping[str, Telling]) -> dict[str, Json]:
    """Return the data of a check with its messages in English, and their keys and values under ``said``."""
    said: dict[str, Json] = {}
    data = {key: _translate(value, key, said) for key, value in check.items()}
    return {**data, "said": said} if said else data


def _translate(value: Telling, place: str, said: dict[str, Json]) -> Json:
    """Translate the messages in plain data into English, and record each in ``said`` by its place."""
    if isinstance(value, Message):
        said[place] = _message(value)
        return catalogue(DEFAULT).say(value)
    if isinstance(value, Mapping):
        return {key: _translate(item, f"{place}.{key}", said) for key, item in value.items()}
    if isinstance(value, str) or not isinstance(value, Sequence):
        return value
    return [_translate(item, f"{place}.{index}", said) for index, item in enumerate(value)]


def _message(value: Value) -> Json:
    if not isinstance(value, Message):
        return value
    values = {name: _message(part) for name, part in value.values}
    return [value.key, values] if values else [value.key]
