"""CounterexampleFinder a mistake: on a small case, by itself too, and at no cost to what is judged later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from grader.exercises.kit.check import Case, Check, Claims, Ladder, Wrong
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.counterexamples import ROUNDS, WIDTH, CounterexampleFinder
from grader.model import Call, Claim, Fault, Outcome
from grader.model.claims import NOT_RUN
from tests.grader.grading.test_case_runs import PAIR, TALL, WIDE, Script, case, check


def corridor(cells: int) -> str:
    wall = "+" + "-+" * cells
    return f"{wall}\n|S{' ' * (2 * cells - 3)}E|\n{wall}"


def with_ladder(made: Check, *rungs: str) -> Check:
    return replace(
        made,
        ladder=Ladder(
            lambda: map(case, rungs),
            lambda wrong: (),
            lambda each: each.facts.dimension.position_count,
        ),
    )


def shown(made: Check, run: MakeCalls) -> str:
    trial = CaseRuns([made], run)
    trial.run()
    wrong = trial.wrong(made)
    assert isinstance(wrong, Wrong)
    return CounterexampleFinder(trial).plainest(made, wrong).case.facts.text


def test_the_mistake_is_shown_on_the_smallest_rung_that_has_it() -> None:
    made = with_ladder(check(WIDE), PAIR, TALL)
    assert shown(made, Script(always=[WIDE, TALL])) == TALL
    assert shown(made, Script(always=[WIDE, PAIR])) == PAIR
    assert shown(made, Script(always=[WIDE])) == WIDE


def test_a_smaller_case_of_the_check_itself_is_shown_before_its_first() -> None:
    assert shown(with_ladder(check(WIDE, TALL)), Script(always=[WIDE, TALL])) == TALL


def test_what_is_wrong_in_company_only_is_not_shown() -> None:
    made = with_ladder(check(WIDE), TALL)
    assert shown(made, Script(always=[WIDE], in_company=[TALL])) == WIDE


@pytest.mark.parametrize(("effort", "last"), [(2, TALL), (1, WIDE)])
def test_what_is_tried_in_one_exercise_is_bounded_by_work(
    monkeypatch: pytest.MonkeyPatch, effort: int, last: str
) -> None:
    monkeypatch.setattr("grader.grading.counterexamples.MOST_EFFORT", effort)
    checks = [with_ladder(check(WIDE), rung) for rung in (PAIR, TALL)]
    trial = CaseRuns(checks, Script(always=[WIDE, TALL, PAIR]))
    trial.run()
    finder, wrong = CounterexampleFinder(trial), trial.wrong(checks[0])
    assert wrong is not None
    assert [finder.plainest(each, wrong).case.facts.text for each in checks] == [PAIR, last]


def test_without_a_ladder_the_case_stays() -> None:
    assert shown(check(WIDE), Script(always=[WIDE, PAIR])) == WIDE


def test_a_mistake_that_the_control_found_is_shown_on_what_the_control_would_refuse() -> None:
    plain = with_ladder(check(PAIR), PAIR)
    controlled = replace(plain, control=plain.judge, controls=(case(WIDE),))
    run = Script(always=[WIDE, TALL])
    assert shown(controlled, run) == WIDE
    assert shown(replace(controlled, control_ladder=with_ladder(check(), TALL).ladder), run) == TALL


def test_checks_share_what_was_tried() -> None:
    one, other = (replace(with_ladder(check(WIDE), PAIR, TALL), id=f"bfs.{name}") for name in "ab")
    run = Script(always=[WIDE, TALL])
    trial = CaseRuns([one, other], run)
    trial.run()
    showing = CounterexampleFinder(trial)
    for made in (one, other):
        wrong = trial.wrong(made)
        assert wrong is not None
        assert showing.plainest(made, wrong).case.facts.text == TALL
    assert [ids for ids, alone in run.asked if not alone] == [(WIDE,), (PAIR, TALL)]


def ending(outcomes: dict[str, Outcome], fault: Fault | None = None) -> Callable[..., list[Claim]]:
    """A run in which calls end so, and after the first of them no other is made."""

    def run(calls: Sequence[Call], _alone: bool) -> list[Claim]:
        claims: list[Claim] = []
        spent: Outcome | None = None
        for call in calls:
            if spent is not None:
                claims.append(Claim(call.id, spent, fault=Fault(NOT_RUN, "")))
            elif call.id in outcomes:
                spent = outcomes[call.id]
                claims.append(Claim(call.id, spent, fault=fault))
            else:
                claims += Script()([call], _alone)
        return claims

    return run


def test_an_endless_call_is_shown_on_the_smallest_case_that_was_really_made() -> None:
    made = with_ladder(check(WIDE, PAIR), PAIR, TALL)
    assert shown(made, ending({WIDE: "endless", TALL: "endless"})) == TALL


def test_cases_that_were_left_out_are_tried_again_but_not_for_ever() -> None:
    room = "+-+-+-+\n|S    |\n+ + + +\n|    E|\n+-+-+-+"
    made = with_ladder(check(room), PAIR, TALL, WIDE)
    endless = ending({PAIR: "endless", TALL: "endless"})
    wrong = Script(always=[room, WIDE])
    asked = []

    def run(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
        asked.append([call.id for call in calls])
        return [one if one.outcome == "endless" else other for one, other in
                zip(endless(calls, alone), wrong(calls, alone), strict=True)]  # fmt: skip

    assert shown(made, run) == WIDE
    small = [[PAIR, TALL, WIDE], [TALL, WIDE], [WIDE]]
    assert [ids for ids in asked if room not in ids][: len(small)] == small
    assert len(small) < ROUNDS


@pytest.mark.parametrize("outcome", ["timeout", "out-of-memory", "violation"])
def test_where_seconds_were_waited_or_a_box_was_lost_nothing_more_is_tried(outcome: Outcome) -> None:
    made = with_ladder(check(WIDE), PAIR)
    assert shown(made, ending({WIDE: outcome, PAIR: outcome})) == WIDE
    asked = []

    def run(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
        asked.append([call.id for call in calls])
        return (
            ending({PAIR: outcome})(calls, alone)
            if PAIR in asked[-1]
            else Script(always=[WIDE])(calls, alone)
        )

    assert shown(with_ladder(check(WIDE), PAIR, TALL), run) == WIDE
    assert [ids for ids in asked if PAIR in ids] == [[PAIR, TALL]]


def test_code_that_cannot_be_loaded_is_not_tried_again() -> None:
    made = with_ladder(check(WIDE), PAIR)
    asked = []

    def run(calls: Sequence[Call], alone: bool) -> list[Claim]:
        asked.append(alone)
        return [Claim(call.id, "raised", None, Fault("SyntaxError", "", stage="import")) for call in calls]

    assert shown(made, run) == WIDE
    assert asked == [False]


def test_no_more_cases_are_judged_than_are_made_smaller() -> None:
    rungs = [corridor(cells) for cells in range(2, 40)]
    made = with_ladder(check(corridor(60)), *rungs)
    judged: list[str] = []

    def noted(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        judged.extend(each.call.id for each in cases)
        return check().judge(cases, claims)

    assert shown(replace(made, judge=noted), Script(always=[corridor(60), *rungs[3:]])) == rungs[3]
    assert {each for each in judged if each in rungs} == {*rungs[: 3 + WIDTH]}
