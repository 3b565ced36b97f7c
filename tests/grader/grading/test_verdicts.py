"""What is made of what was found: verdicts, what is asked again, and how much an exercise may lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.kit.check import Case, Check, Claims, PlannedExercise, Wrong
from grader.exercises.kit.findings import ending
from grader.grading.verdicts import asked_again, right_before, verdict_on
from grader.languages import said
from grader.model import Call, Claim, Fault, Outcome, RunScript, Target
from lab.proportion import FEW_CASES, SOME_CASES, Earned, in_proportion, most_lost
from tests.grader.grading.answered import plan_of
from tests.grader.words import english


@pytest.mark.parametrize(
    ("outcome", "kind", "stage", "is_told"),
    [
        ("endless", "endless", "import", True),
        ("timeout", "timeout", "import", True),
        ("died", "exit status 0", "import", True),
        ("raised", "EOFError", "import", True),
        ("raised", "SystemExit", "import", True),
        ("raised", "NameError", "import", False),
        ("died", "exit status 0", "construct", False),
    ],
)
def test_who_tries_code_out_while_it_is_loaded_learns_where_to_put_that(
    outcome: Outcome, kind: str, stage: Literal["import", "construct"], *, is_told: bool
) -> None:
    case = Case(Call("c", RunScript(())), said("a_script"), None)
    finding = ending(Claim("c", outcome, None, Fault(kind, "", (), stage)), expected={})
    assert finding is not None
    target = Target("solvers/search.py", "Search")
    verdict = verdict_on(PlannedExercise("search", "The search", target, ()), "a.b", Wrong(case, finding))
    assert ("__main__" in english(verdict.hint)) == is_told


# --- follow-through: what a solver on a wrong Search lost is asked again ---------------------------


@pytest.fixture(scope="module", params=["dfs", "bfs", "dijkstra"])
def exercise(request: pytest.FixtureRequest) -> PlannedExercise:
    """Each solver of the shipped rubric."""
    (found,) = plan_of(request.param).exercises
    return found


def cases(check: Check) -> tuple[Case, ...]:
    return (*check.cases, *check.controls)


def all_lost(exercise: PlannedExercise) -> Claims:
    """What a solver answers that raises in every call."""
    fault = Fault("KeyError", "(1, 1)")
    ids = [case.call.id for check in exercise.checks for case in cases(check)]
    return {id_: Claim(id_, "raised", fault=fault) for id_ in ids}


def test_where_all_is_lost_all_is_asked_again(exercise: PlannedExercise) -> None:
    """Who fails with a Search of their own is asked no less than who does not."""
    again = asked_again(exercise.checks)
    known = right_before(exercise.checks, all_lost(exercise))
    assert [check.id for check in again] == [check.id for check in exercise.checks]
    for check, before in zip(again, exercise.checks, strict=True):
        assert check.cases == before.cases
        assert check.controls == before.controls
        if check.control is None and check.twins is None:
            assert not {case.call.id for case in check.cases} & known.keys()


def test_what_was_right_is_not_asked_again(exercise: PlannedExercise) -> None:
    (check,) = (check for check in exercise.checks if check.id.endswith("valid-path"))
    lost = {case.call.id for case in check.cases[::50]}
    known = right_before([lost_on(check, lost)], all_lost(exercise))
    assert {case.call.id for case in check.cases} - known.keys() == lost


def lost_on(check: Check, ids: set[str]) -> Check:
    """The check with a judge that finds fault with these cases only."""

    def judge(found: Sequence[Case], claims: Claims) -> Wrong | None:
        return check.judge([case for case in found if case.call.id in ids], claims)

    return replace(check, judge=judge)


# --- proportion: what is wrong on few ordinary cases loses at most a third of its exercise ---------

POINTS = st.sampled_from((0.5, 1.0, 2.0, 3.0, 4.0, 7.0))
CHECKS = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=4),
    st.builds(Earned, POINTS, st.sampled_from((0.0, 0.5, 1.0)), st.booleans()),
    min_size=1,
    max_size=8,
)
SHARES = st.floats(0, 1)


def lost(checks: dict[str, Earned], parts: dict[str, float]) -> float:
    return sum(check.points * (1 - parts[id_]) for id_, check in checks.items())


@given(CHECKS, SHARES)
def test_no_check_gives_less_and_none_that_may_not_rise_gives_more(
    checks: dict[str, Earned], share: float
) -> None:
    parts = in_proportion(checks, share)
    assert parts.keys() == checks.keys()
    for id_, check in checks.items():
        assert check.part <= parts[id_] <= max(check.part, 0.9)
        assert check.may_rise or parts[id_] == check.part


@given(CHECKS, SHARES)
def test_no_more_is_lost_than_may_be_unless_it_was_lost_for_other_reasons(
    checks: dict[str, Earned], share: float
) -> None:
    total = sum(check.points for check in checks.values())
    fixed = sum(check.lost for check in checks.values() if not check.may_rise)
    least_risen = sum(check.lost * 0.1 for check in checks.values() if check.may_rise)
    bound = max(most_lost(share) * total, fixed + least_risen, fixed + total * 0.1)
    assert lost(checks, in_proportion(checks, share)) <= bound + 1e-6


@given(CHECKS, SHARES)
def test_where_no_more_is_lost_than_may_be_nothing_changes(checks: dict[str, Earned], share: float) -> None:
    parts = {id_: check.part for id_, check in checks.items()}
    if lost(checks, parts) <= most_lost(share) * sum(check.points for check in checks.values()):
        assert in_proportion(checks, share) == parts


@given(SHARES, SHARES)
def test_the_bound_grows_with_what_is_wrong(one: float, other: float) -> None:
    assert most_lost(min(one, other)) <= most_lost(max(one, other))


def test_the_bound_is_a_third_for_few_and_everything_for_a_quarter() -> None:
    assert most_lost(FEW_CASES) == 1 / 3
    assert most_lost(SOME_CASES) == 1.0
