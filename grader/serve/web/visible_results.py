"""The part of a result that a student may see: everything except hidden checks before the deadline."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from grader.batch.marks import without_layers
from grader.errors import InputError
from grader.feedback.page import read_page
from grader.feedback.translation import translate_page
from grader.feedback.views import Page
from grader.grading.engine import RESULTS
from grader.languages import Catalogue, said
from grader.model import CheckJson, ExerciseJson, Remark, ResultsJson
from grader.points import round_points
from grader.results import parse, remark_data
from grader.serve.store import marks
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.web.visits import Site

_DECIDES: Final = "said.decides"


@dataclass(frozen=True, slots=True)
class CheckChanges:
    """The ids of the checks whose result differs from that of an earlier attempt."""

    fixed: tuple[str, ...]
    new: tuple[str, ...]
    """The checks that passed before, and fail now."""


def visible_results(site: Site, person: Person, attempt: Attempt, now: float) -> ResultsJson | None:
    """Return what a person may see of the results of their attempt; None if there are none."""
    found = _all_results(site, attempt)
    if found is None or not site.hides(person, now):
        return found
    return remove_hidden_checks(found)


def _all_results(site: Site, attempt: Attempt) -> ResultsJson | None:
    """Return all results; if the attempt counts, those that are published with its mark: with lateness and
    the decisions of staff."""
    if not attempt.has_result:
        return None
    published = marks.published_results(site.store, attempt.id)
    try:
        return _parse(published or (site.data.attempt(attempt.id) / RESULTS).read_bytes())
    except (InputError, OSError):
        return None


@lru_cache(maxsize=512)
def _parse(content: bytes) -> ResultsJson:
    """Parse results, once for all pages; callers must not modify them."""
    return parse(content)


def remove_hidden_checks(results: ResultsJson) -> ResultsJson:
    """Return the results with only the public checks and their points, and without the decisions of staff,
    which would reveal the whole mark."""
    plain = deepcopy(without_layers(results))
    exercises = [found for each in plain["exercises"] if (found := _public_part(each))["checks"]]
    later = remark_data(Remark("accepted", "", "", said("hidden_later")))
    made: dict[str, Any] = {
        **plain,
        "exercises": exercises,
        "score": round_points(sum(each["score"] for each in exercises)),
        "max_score": round_points(sum(each["max_score"] for each in exercises)),
        "intake": [
            *(each for each in plain.get("intake", ()) if each["kind"] not in ("cost", "bonus")),
            later,
        ],
    }
    for key in ("repair_cost", "bonus"):
        made.pop(key, None)
    return cast(ResultsJson, made)


def _public_part(exercise: ExerciseJson) -> ExerciseJson:
    checks = [check for check in exercise["checks"] if check["visibility"] != "hidden"]
    is_zeroed = exercise.get("zeroed") is True and any(map(_zeroes_exercise, checks))
    if exercise.get("zeroed") and not is_zeroed:
        checks = [_undo_skip(check) for check in checks]
    made: dict[str, Any] = {
        **exercise,
        "zeroed": is_zeroed,
        "checks": checks,
        "score": round_points(sum(check["score"] for check in checks)),
        "max_score": round_points(sum(check["max_score"] for check in checks)),
    }
    ids = {check["id"] for check in checks}
    if not ids.issuperset(exercise.get("look_at", {}).get("checks", ())):
        del made["look_at"]
    return cast(ExerciseJson, made)


def _zeroes_exercise(check: CheckJson) -> bool:
    """Tell whether this check made the whole exercise earn nothing."""
    message = (check.get("said") or {}).get("message")
    return isinstance(message, list) and message[:1] == [_DECIDES]


def _undo_skip(check: CheckJson) -> CheckJson:
    """Return a check as passed if it was skipped because of a hidden check."""
    if check["status"] != "skipped":
        return check
    made: dict[str, Any] = {**check, "status": "passed", "score": check["max_score"], "message": ""}
    made.pop("said", None)
    return cast(CheckJson, made)


def translated_page(results: ResultsJson, t: Catalogue) -> Page:
    """Return the results as the content of a page in a language."""
    return translate_page(read_page(results), t)


def compare_checks(before: ResultsJson, after: ResultsJson) -> CheckChanges:
    """Return which checks were fixed and which were broken between two results that both have them."""
    then, now = _passed(before), _passed(after)
    both = [id_ for id_ in now if then.get(id_, now[id_]) != now[id_]]
    return CheckChanges(tuple(id_ for id_ in both if now[id_]), tuple(id_ for id_ in both if not now[id_]))


def _passed(results: ResultsJson) -> dict[str, bool]:
    """Return for each check whether it passed or was withdrawn, by id."""
    withdrawn = results.get("withdrawn", {"checks": {}})["checks"]
    return {
        check["id"]: check["status"] == "passed" or check["id"] in withdrawn
        for exercise in results["exercises"]
        for check in exercise["checks"]
    }


def check_titles(page: Page) -> dict[str, str]:
    """Return the titles of the checks on a page, with those of their exercises, by id."""
    return {
        check.id: f"{exercise.title}: {check.title}"
        for exercise in page.exercises
        for check in exercise.checks
    }
