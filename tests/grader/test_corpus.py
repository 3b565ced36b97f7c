"""The corpus: every submission of tests/submissions gets what it must get, as a class in a real sandbox.

Right ones in every honest style get all points; wrong ones lose the checks that are about their
mistake; broken ones are graded as far as they go; hostile ones gain nothing and learn nothing. What each
gets is written down in tests/submissions/marks.txt. The other tests hold what the corpus promises, whatever
stands there. To grade all takes two quiet cores some 25 minutes (``make marks``), so some thirty are graded
here; continuous integration grades one part of twelve each day, or that of CORPUS_PART.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from grader.exercises.kit.kind import HANDED_OVER
from grader.exercises.registry import kind_of
from grader.model import ExerciseJson, ResultsJson
from grader.results import as_json
from tests.grader.feedback.crumbs import crumbs
from tests.rounds import untraced
from tests.submissions.class_run import MARKS, grade_class, left_out, misconceptions_of, results_of, table
from tests.submissions.loader import CANARY, Case, Loss, cases

EVERYWHERE = ("large", "hidden-mazes")
"""Checks that ask for everything on other mazes: any mistake may cost them."""
PARTS = 12 if os.environ.get("CI") else 24
Results = Mapping[Case, ResultsJson]
pytestmark = [pytest.mark.processes, pytest.mark.timeout(7200)]  # the first one waits for the class


def rows() -> dict[str, str]:
    """The rows of the table, by submission."""
    lines = MARKS.read_text(encoding="utf-8").splitlines()
    return {line.partition(":")[0]: line for line in lines if not line.startswith("#")}


@cache
def chosen() -> tuple[Case, ...]:
    """The submissions that are graded here: in continuous integration, each day others."""
    today = datetime.now(UTC).toordinal() if os.environ.get("CI") else 0
    return tuple(cases())[int(os.environ.get("CORPUS_PART", today)) % PARTS :: PARTS]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the class."""
    folder = tmp_path_factory.mktemp("class")
    with untraced():
        grade_class(folder / "out", folder / "in", chosen())
    return folder / "out"


@pytest.fixture(scope="module")
def graded(out: Path) -> Results:
    """What staff see of each submission."""
    return results_of(out, chosen())


def test_each_gets_the_marks_that_are_written_down(graded: Results) -> None:
    """``python scripts/corpus.py marks`` writes them anew; what changes is reviewed with what changes it."""
    found = [line for line in table(graded).splitlines() if not line.startswith("#")]
    assert found == [rows()[str(case)] for case in chosen()]


def test_each_gets_what_it_must(graded: Results) -> None:
    told = [f"{case}: {complaint}" for case in chosen() for complaint in complaints(case, graded[case])]
    assert told == []


def test_a_mistake_gets_its_own_hint_or_none(graded: Results) -> None:
    """What is right gets none; where no model describes the mistake, a check that is lost may name it."""
    ours = [case for case in chosen() if case.kind in ("right", "wrong")]
    wrong = {str(case): misconceptions_of(graded[case]) - hints_for(case) for case in ours}
    assert {case: names for case, names in wrong.items() if names} == {}


def hints_for(case: Case) -> set[str]:
    if case.expectation.mistake:
        return {case.expectation.mistake}
    told = {name for id_ in case.expectation.exercises for name in kind_of(id_).told_by_check.values()}
    return told | {HANDED_OVER} if case.kind == "wrong" else set()


def test_nothing_is_told_of_what_lies_outside(out: Path) -> None:
    """What one must not learn stands nowhere in its results; the canary in no file at all."""
    files = [path for path in out.rglob("*") if path.is_file()]
    assert [path for path in files if CANARY.encode() in path.read_bytes()] == []
    texts = {
        case: as_json(results).decode() for case, results in results_of(out, chosen(), "results.json").items()
    }
    words = [(case, word) for case in chosen() for word in case.expectation.forbidden_text]
    assert [(str(case), word) for case, word in words if word in texts[case]] == []


def test_there_is_no_english_on_norwegian_pages(out: Path) -> None:
    found = {
        str(case): crumbs(results) for case, results in results_of(out, chosen(), "results.json").items()
    }
    assert {case: texts for case, texts in found.items() if texts} == {}


def complaints(case: Case, results: ResultsJson) -> list[str]:
    """What a submission got that it should not have got, and the other way round."""
    expectation, absent = case.expectation, left_out(case)
    found: list[str] = []
    for exercise in results["exercises"]:
        lost = {check["id"]: check["status"] for check in exercise["checks"] if check["status"] != "passed"}
        if exercise["id"] in expectation.exercises:
            found += mismatches(exercise, lost, expectation.exercises[exercise["id"]])
        elif lost and exercise["id"] not in {*expectation.may_lose, *absent}:
            found.append(f"{exercise['id']} lost {lost}")
    messages = " ".join(check["message"] for e in results["exercises"] for check in e["checks"])
    return found + [
        f"no message holds {word!r}" for word in expectation.message_contains if word not in messages
    ]


def mismatches(exercise: ExerciseJson, lost: Mapping[str, str], loss: Loss) -> Iterator[str]:
    name = exercise["id"]
    told = {id_ for id_ in lost if id_.split(".")[1] not in EVERYWHERE}
    if not lost:
        yield f"{name} lost nothing"
    if loss.lost and not told <= set(loss.lost):
        yield f"{name} lost {sorted(told)}, not just {sorted(loss.lost)}"
    if missing := {*loss.lost, *loss.lost_at_least} - set(lost):
        yield f"{name} did not lose {sorted(missing)}"
    if loss.lost_one_of and not set(loss.lost_one_of) & set(lost):
        yield f"{name} lost none of {loss.lost_one_of}"
    if loss.zero and exercise["score"]:
        yield f"{name} earned {exercise['score']}"
    named = {*loss.lost, *loss.lost_at_least} & set(lost) or set(lost)
    statuses = {lost[id_] for id_ in named}
    if loss.status and not statuses <= set(loss.status):
        yield f"{name} has {sorted(statuses)}, not {loss.status}"
