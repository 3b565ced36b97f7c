"""What people and deadlines lay over marks: it is taken off without a trace, and laid again the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch.ledger import Decision, decided
from grader.batch.marks import with_layers, without_layers
from grader.course.late_work import read_lateness
from grader.model import LateJson, ResultsJson
from grader.results import as_json, mark_of
from tests.grader.batch.marked_class import results_of
from tests.grader.batch.report.conftest import leave_unwritten

HALVES = st.integers(0, 100).map(lambda number: number / 2)
CHECKS = ("dfs.a", "dfs.b")


def results(points: Sequence[float], *, zeroed: bool = False) -> ResultsJson:
    """Return a result with these points of two checks of 50 points."""
    found = results_of(sum(points))
    (exercise,) = found["exercises"]
    exercise["zeroed"] = zeroed
    for check, score in zip(exercise["checks"], points, strict=True):
        check |= {"score": score, "status": "passed" if score == 50 else "failed"}
    return cast(ResultsJson, found)


def decision(action: str, points: float = 0.0, check: str = "", *, automatic: float = 0.0) -> Decision:
    return Decision("2026-10-01", "grace", "x", cast(Any, action), automatic, "why", "c", check, points)


def checks(each: ResultsJson) -> list[float]:
    return [check["score"] for exercise in each["exercises"] for check in exercise["checks"]]


RESULTS = st.lists(HALVES, min_size=2, max_size=2).map(results)
DECISIONS = st.lists(
    st.one_of(
        st.builds(
            decision,
            st.just("check"),
            st.integers(-120, 120).map(lambda number: number / 2),
            st.sampled_from(CHECKS),
        ),
        st.builds(decision, st.just("score"), st.integers(0, 100).map(float)),
        st.builds(decision, st.sampled_from(["exempt", "comment"])),
    ),
    max_size=5,
)
LATES = st.one_of(
    st.none(),
    st.just({"marked": True}),
    st.integers(0, 10).map(
        lambda days: {"submitted": "", "deadline": "", "days": days, "percent": 10 * days}
    ),
)
WITHDRAWN = st.sets(st.sampled_from(CHECKS)).map(
    lambda names: {name: decision("withdraw", check=name) for name in sorted(names)}
)


@given(RESULTS, LATES, DECISIONS, WITHDRAWN)
def test_whatever_is_laid_over_a_mark_leaves_no_trace_and_is_laid_again_the_same(
    plain: ResultsJson, late: LateJson | None, decisions: list[Decision], withdrawn: Mapping[str, Decision]
) -> None:
    before = as_json(plain)
    made = with_layers(plain, late, decisions, withdrawn)
    assert as_json(with_layers(made, read_lateness(made), decisions, withdrawn)) == as_json(made)
    assert as_json(with_layers(made, None, ())) == before
    if not withdrawn:
        assert as_json(without_layers(made)) == before
    assert as_json(plain) == before
    assert 0 <= made["score"] <= made["max_score"]
    assert all(0 <= score <= 50 for score in checks(made))


@given(
    RESULTS,
    st.lists(st.sampled_from(["check", "score", "keep", "exempt"]), min_size=1, max_size=4),
    st.data(),
)
def test_a_decision_on_other_work_is_asked_about_and_the_last_mark_stays_meanwhile(
    plain: ResultsJson, actions: list[str], data: st.DataObject
) -> None:
    lines, mark = list[Decision](), 0.0
    for number, action in enumerate(actions):
        mark = data.draw(HALVES)
        work = data.draw(st.sampled_from(["", "old", "new"]), label=f"work of {number}")
        made = decision(action, mark, "dfs.a", automatic=plain["score"])
        if action == "keep":
            made = replace(made, points=plain["score"])
        lines.append(replace(made, work=work, mark=mark))
    known = decided(lines)
    made_now = with_layers(plain, None, known, work="new")
    whole = [n for n, each in enumerate(known) if each.action in ("score", "exempt")]
    counting = known[whole[-1] :] if whole else known
    is_other = any(each.work == "old" for each in counting)
    assert ("conflict" in made_now.get("adjusted", {})) == is_other
    assert not is_other or made_now["score"] == known[-1].mark
    assert as_json(with_layers(made_now, None, known, work="new")) == as_json(made_now)


@given(RESULTS, LATES, DECISIONS, WITHDRAWN)
def test_points_of_checks_are_late_as_all_are_and_a_score_is_final(
    plain: ResultsJson, late: LateJson | None, decisions: list[Decision], withdrawn: Mapping[str, Decision]
) -> None:
    points = dict(zip(CHECKS, checks(plain), strict=True)) | dict.fromkeys(withdrawn, 50.0)
    given_score, since = None, 0.0
    for each in decisions:
        if each.action == "score":
            given_score, since = each.points, 0.0
        elif each.action == "check":
            before = points[each.check]
            points[each.check] = min(50.0, max(0.0, before + each.points))
            since += points[each.check] - before
    share = 1 - (late or {}).get("percent", 0) / 100
    expected = sum(points.values()) * share if given_score is None else given_score + since * share
    made = with_layers(plain, late, decisions, withdrawn)
    assert made["score"] == pytest.approx(min(100.0, max(0.0, expected)), abs=0.006)
    assert checks(made) == [*points.values()]
    of_marks = [each for each in decisions if each.action != "comment"]
    assert (mark_of(made) is None) == (bool(of_marks) and of_marks[-1].action == "exempt")
    assert len(made.get("comments", ())) == len(decisions) - len(of_marks)


@given(RESULTS, st.sampled_from(["check", "score", "exempt"]), st.integers(0, 100).map(float))
def test_a_decision_about_another_mark_of_the_grader_is_asked_about(
    plain: ResultsJson, action: str, automatic: float
) -> None:
    late = cast(LateJson, {"submitted": "", "deadline": "", "days": 1, "percent": 10})
    made = with_layers(plain, late, [decision(action, 1.0, "dfs.a", automatic=automatic)])
    now = plain["score"] if action == "check" else round(plain["score"] * 0.9, 2)
    told = made["adjusted"].get("conflict")
    assert told == (None if automatic == now else {"decided_on": automatic, "now": now})


@pytest.mark.parametrize("left_out", ["missing", "skipped", "zeroed", "unwritten"])
def test_a_withdrawn_check_gives_nothing_where_it_was_not_handed_in_or_does_not_count(left_out: str) -> None:
    plain = results((40.0, 0.0), zeroed=left_out == "zeroed")
    if left_out == "unwritten":
        leave_unwritten(cast(dict[str, Any], plain))
    elif left_out != "zeroed":
        plain["exercises"][0]["checks"][1]["status"] = cast(Any, left_out)
    made = with_layers(plain, None, (), {"dfs.b": decision("withdraw", check="dfs.b")})
    assert as_json(made) == as_json(plain)


def test_nothing_is_laid_over_a_fault() -> None:
    fault = cast(ResultsJson, {**results((0.0, 0.0)), "fault": "no engine"})
    assert with_layers(fault, None, [decision("score", 80.0)]) == fault
