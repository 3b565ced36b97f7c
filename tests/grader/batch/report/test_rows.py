"""The rows of a class: what there is to ask and to say about each, and what is out of line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch.journal import Journal, JournalRow, outliers, shares_of
from grader.batch.ledger import Decision
from grader.batch.report.fairness import records
from grader.batch.report.rows import KINDS, PROPOSALS, items_of, rows_of
from grader.batch.report.similar_groups import Alike
from grader.exports.grades_csv import Concern, Row
from grader.intake.class_listing import HandIn
from grader.model import ExerciseJson
from tests.grader.batch.report.conftest import leave_unwritten, result


def row_of(out: Path, content: object, for_staff: object = None) -> Row:
    (out / "ada").mkdir(parents=True)
    (out / "ada/results.json").write_text(json.dumps(content))
    if for_staff:
        (out / "ada/staff.json").write_text(json.dumps(for_staff))
    entries = {"ada": JournalRow("ada", "key", "graded", 1.0, "")}
    (row,) = rows_of(out, [HandIn("ada", ())], entries, 30.0)
    return row


def test_who_needs_a_human(rows: list[Row]) -> None:
    assert {row.name: row.concerns for row in rows if row.concerns} == {
        "cleo": ("broke the protocol of the sandbox (DFS)",),
        "dan": ("could not be graded: no engine",),
        "eve": ("refused: The zip is encrypted.",),
        "fay": ("used 20 of its 30 seconds",),
        "=hal()": ("marked late, without a time",),
        "zoe": ("not graded yet",),
    }


@pytest.mark.parametrize(
    ("status", "message", "concerns"),
    [
        ("out-of-memory", "", ("ran out of memory (DFS)",)),
        ("crashed", "On a maze, DFS ended with signal 11.", ("died of a signal (DFS)",)),
        (
            "crashed",
            "On a maze, DFS raised RuntimeError: can't start new thread.",
            ("asked for more processes than it may have (DFS)",),
        ),
        ("crashed", "On a maze, DFS raised IndexError: pop from empty list.", ()),
        (
            "timeout",
            "On a maze, DFS was still running when its time was over.",
            ("lost points by the clock, not by a count (DFS)",),
        ),
        ("endless", "On a maze, DFS went on for ever.", ()),
    ],
)
def test_what_was_done_to_the_sandbox_needs_a_human(
    tmp_path: Path, status: str, message: str, concerns: tuple[str, ...]
) -> None:
    content = result(0.0, status=status)
    content["exercises"][0]["checks"][0]["message"] = message
    content["exercises"][0]["checks"].append(content["exercises"][0]["checks"][0])
    assert row_of(tmp_path, content).concerns == concerns


def test_how_a_hidden_check_was_lost_needs_a_human_too(tmp_path: Path) -> None:
    row = row_of(tmp_path, result(0.0, status="failed"), result(0.0, status="timeout"))
    assert row.concerns == ("lost points by the clock, not by a count (DFS)",)
    assert row.exercises[0].checks[0].status == "failed"


def test_a_time_that_is_not_known_is_one_question(tmp_path: Path) -> None:
    said = {"said": {"message": ["said.intake_git_time"]}}
    content = result(100.0) | {"late": {"unknown": True}}
    content["intake"] = [{"kind": "unsure", "source": "", "file": "", "message": "It is ahead.", **said}]
    assert row_of(tmp_path / "a", content).concerns == ("when it came is not known, as it is of others",)
    del content["late"]
    assert row_of(tmp_path / "b", content).concerns == ("which file was meant? It is ahead.",)


@pytest.mark.parametrize(
    ("kinds", "statuses", "concerns"),
    [
        (["moved"], ["passed"], ("put right: 0.py",)),
        (["unsure"], ["passed"], ("which file was meant? a sentence",)),
        (["moved", "cost"], ["passed"], ("put right: 0.py",)),
        ([], ["missing", "passed"], ("found 1 of 2 exercises",)),
        ([], ["missing", "passed", "passed"], ()),
    ],
)
def test_the_shape_of_what_was_handed_in_needs_a_human(
    tmp_path: Path, kinds: list[str], statuses: list[str], concerns: tuple[str, ...]
) -> None:
    content = result(100.0)
    content["exercises"] = [result(0.0, status=status)["exercises"][0] for status in statuses]
    content["intake"] = [
        {"kind": kind, "source": f"{number}.py", "file": "", "message": "a sentence"}
        for number, kind in enumerate(kinds)
    ]
    assert row_of(tmp_path, content).concerns == concerns


def test_an_exercise_as_handed_out_is_as_good_as_missing(tmp_path: Path) -> None:
    row = row_of(tmp_path, leave_unwritten(result(0.0)))
    assert [(each.kind, each) for each in row.concerns] == [
        ("few", "found 1 of 1 exercises; 1 of them as handed out")
    ]
    assert {check.status for check in row.exercises[0].checks} == {"unwritten"}
    assert [(each.failed, each.passed) for each in records([row])] == [(0, 0), (0, 0)]


def break_files(content: dict[str, Any], *, stage: str = "import") -> dict[str, Any]:
    """Have every check find that a file cannot be loaded."""
    fault = {"kind": "SyntaxError", "message": "invalid syntax", "stage": stage, "trace": []}
    for check in (check for exercise in content["exercises"] for check in exercise["checks"]):
        case = {"maze": None, "expected": None, "actual": {"text": "raised", "fault": fault}}
        check |= {"status": "crashed", "score": 0.0, "message": "it raised", "counterexample": case}
    return content


def test_written_files_none_of_which_loads_need_a_human(tmp_path: Path) -> None:
    told = ("unloadable", "no file that was written could be loaded: it raised")
    row = row_of(tmp_path, break_files(result(0.0)))
    assert [(each.kind, each) for each in row.concerns] == [told]


def test_a_solver_that_needs_an_unwritten_search_was_written(tmp_path: Path) -> None:
    row = row_of(tmp_path, leave_unwritten(result(0.0), "solvers/dfs.py", "solvers/search.py"))
    assert [each.kind for each in row.concerns] == []


KINDS_OF_CONCERNS = st.sampled_from(["refused", "late", "violation"])
CLASS = st.lists(
    st.tuples(KINDS_OF_CONCERNS, st.sampled_from("ab"), st.sampled_from(["", "1", "2"])), max_size=6
)


def class_of(concerns: Sequence[tuple[str, str, str]]) -> list[Row]:
    """Rows with a concern each: its kind, its text, and the digest of the work."""
    return [
        Row(HandIn(f"s{n}", ()), "graded", 1.0, 1.0, (), 0.0, 0, (Concern(kind, text),), work=work)
        for n, (kind, text, work) in enumerate(concerns)
    ]


@given(CLASS, st.data())
def test_an_item_is_closed_as_long_as_the_work_is_the_same_and_refused_ones_are_one_list(
    concerns: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    rows = class_of(concerns)
    items = items_of(rows, Alike(), {})
    refused = [row.name for row in rows if row.concerns[0].kind == "refused"]
    assert [item.names for item in items if item.kind == "refused"] == ([tuple(refused)] if refused else [])
    parts = [part for item in items for part in item.parts or (item,)]
    assert sorted(part.submission for part in parts) == sorted(row.name for row in rows)
    closed = data.draw(st.lists(st.sampled_from(parts), unique=True)) if parts else []
    looked = {
        part.id: Decision("NOW", "grace", part.submission, "looked", 0.0, check=part.id, work=part.work)
        for part in closed
    }
    again = class_of([(kind, text, data.draw(st.sampled_from([work, "3"]))) for kind, text, work in concerns])
    works = {row.name: (row.work, other.work) for row, other in zip(rows, again, strict=True)}
    held = {
        part.submission for part in closed if works[part.submission][0] in ("", works[part.submission][1])
    }
    found = items_of(again, Alike(), looked)
    assert {name for item in found if not item.is_open for name in item.names} == held
    assert sum(item.kind == "refused" and item.is_open for item in found) <= 1


def test_what_waits_asks_nobody(rows: list[Row]) -> None:
    assert [row.status for row in rows if row.name == "zoe"] == ["waiting"]
    assert "zoe" not in {item.submission for item in items_of(rows, Alike(), {})}


def exercises(*scores: float) -> list[ExerciseJson]:
    """Exercises of 20 points each."""
    made = [
        {"id": str(number), "title": f"Exercise {number}", "score": score, "max_score": 20.0, "checks": []}
        for number, score in enumerate(scores)
    ]
    return cast(list[ExerciseJson], made)


@pytest.mark.parametrize(
    ("scores", "before", "told"),
    [
        ([6, 20, 16], [], ["Exercise 0: 30% of its points, and 90% of all others"]),
        ([6.1, 20, 20], [], []),
        ([6, 20, 15.9], [], []),
        ([0, 20], [], []),
        ([20, 20, 20], [], []),
        ([0, 0, 20], [], []),
        ([10, 10, 10], [20, 10, 0], ["Exercise 0: 50% of its points, and 100% before"]),
        ([10, 10, 10], [19.9, 10, 0], []),
        ([0, 20, 20], [20, 20, 20], ["Exercise 0: 0% of its points, and 100% of all others"]),
    ],
)
def test_what_is_out_of_line(scores: Sequence[float], before: Sequence[float], told: list[str]) -> None:
    earlier = json.dumps(shares_of(exercises(*before))) if before else ""
    assert list(outliers(exercises(*scores), earlier)) == told


def save(out: Path, score: float, key: str, status: Any = "graded") -> None:
    content = (json.dumps(result(score))).encode()
    with Journal(out) as journal:
        journal.record(JournalRow("ada", key, status, 1.0, ""), content, b"")


def earlier(out: Path) -> str:
    with Journal(out) as journal:
        return journal.entries()["ada"].earlier


def test_the_journal_keeps_what_a_result_was_before(tmp_path: Path) -> None:
    save(tmp_path, 100.0, "first")
    assert earlier(tmp_path) == ""
    save(tmp_path, 20.0, "second")
    assert json.loads(earlier(tmp_path)) == {"dfs": 1.0}
    hand_in = HandIn("ada", (), student="ada")
    with Journal(tmp_path) as journal:
        (row,) = rows_of(tmp_path, [hand_in], journal.entries(), 30.0)
    assert [(concern.kind, concern) for concern in row.concerns] == [
        ("outlier", "DFS: 20% of its points, and 100% before")
    ]
    assert "outlier" in KINDS.keys() - PROPOSALS.keys()


def test_one_that_was_asked_to_be_graded_again_is(tmp_path: Path) -> None:
    save(tmp_path, 100.0, "first")
    with Journal(tmp_path) as journal:
        journal.grade_again("ada")
        assert journal.entries()["ada"].key not in ("first", "")
    save(tmp_path, 0.0, "second")
    assert json.loads(earlier(tmp_path)) == {"dfs": 1.0}


@pytest.mark.parametrize("changed", [{}, result(90.0)], ids=["unreadable", "another score"])
def test_results_that_somebody_changed_are_nothing_to_compare_with(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    save(tmp_path, 100.0, "first")
    (tmp_path / "ada" / "results.json").write_text(json.dumps(changed))
    save(tmp_path, 0.0, "second")
    assert earlier(tmp_path) == ""
