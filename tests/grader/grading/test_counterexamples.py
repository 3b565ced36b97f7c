"""Show a mistake: on a small case, by itself too, and at no cost to what is judged later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count, cycle
from random import Random

import pytest

from grader.exercises.kit.check import Case, Check, Claims, Ladder, Wrong, maze_ladder
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.findings import Finding
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.grading.purse import Purse
from grader.grading.verdicts import A_PART, LADDER_STEPS, ROUNDS, WIDTH, CounterexampleFinder, smallest
from grader.languages import said
from grader.model import Call, Claim, Fault, Outcome
from grader.model.claims import NOT_RUN
from lab import Dimension, Factory
from tests.grader.grading.test_case_runs import PAIR, TALL, WIDE, Script, case, check


def corridor(cells: int) -> str:
    wall = "+" + "-+" * cells
    return f"{wall}\n|S{' ' * (2 * cells - 3)}E|\n{wall}"


def with_ladder(made: Check, *rungs: str) -> Check:
    return replace(
        made,
        ladder=Ladder(
            lambda: map(case, rungs), lambda wrong: (), lambda each: each.facts.dimension.position_count
        ),
    )


def shown(made: Check, run: MakeCalls) -> str:
    trial = CaseRuns([made], run)
    trial.run()
    wrong = trial.wrong(made)
    assert isinstance(wrong, Wrong)
    return CounterexampleFinder(trial, Purse()).plainest(made, wrong).case.facts.text


def test_the_mistake_is_shown_on_the_smallest_rung_that_has_it() -> None:
    made = with_ladder(check(WIDE), PAIR, TALL)
    assert shown(made, Script(always=[WIDE, TALL])) == TALL
    assert shown(made, Script(always=[WIDE, PAIR])) == PAIR
    assert shown(made, Script(always=[WIDE])) == WIDE
    assert shown(with_ladder(check(WIDE, TALL)), Script(always=[WIDE, TALL])) == TALL, "a case of its own"


@pytest.mark.parametrize(("effort", "last"), [(2, TALL), (1, WIDE)])
def test_what_is_tried_in_one_exercise_is_bounded_by_work(effort: int, last: str) -> None:
    checks = [with_ladder(check(WIDE), rung) for rung in (PAIR, TALL)]
    trial = CaseRuns(checks, Script(always=[WIDE, TALL, PAIR]))
    trial.run()
    finder, wrong = CounterexampleFinder(trial, Purse(A_PART * effort)), trial.wrong(checks[0])
    assert wrong is not None
    assert [finder.plainest(each, wrong).case.facts.text for each in checks] == [PAIR, last]


def test_a_mistake_that_the_control_found_is_shown_on_what_the_control_would_refuse() -> None:
    plain = with_ladder(check(PAIR), PAIR)
    controlled = replace(plain, control=plain.judge, controls=(case(WIDE),))
    run = Script(always=[WIDE, TALL])
    assert shown(controlled, run) == WIDE
    assert shown(replace(controlled, control_ladder=with_ladder(check(), TALL).ladder), run) == TALL


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


def test_no_more_cases_are_judged_than_are_made_smaller() -> None:
    rungs = [corridor(cells) for cells in range(2, 40)]
    made = with_ladder(check(corridor(60)), *rungs)
    judged: list[str] = []

    def noted(cases: Sequence[Case], claims: Claims) -> Wrong | None:
        judged.extend(each.call.id for each in cases)
        return check().judge(cases, claims)

    assert shown(replace(made, judge=noted), Script(always=[corridor(60), *rungs[3:]])) == rungs[3]
    assert {each for each in judged if each in rungs} == {*rungs[: 3 + WIDTH]}


# --- the smallest case: whatever a submission answers, it is the smallest that was tried and wrong -

FINDING = Finding("failed", said("changed"), {}, {})


def room(rows: int, columns: int) -> str:
    return Factory().fully_connected(Dimension(rows, columns)).to_text()


def cells(text: str) -> int:
    return facts_of(text).dimension.position_count


LADDER = maze_ladder("reachable", case)
HALL = Wrong(case(room(5, 6)), FINDING)


class Fickle:
    """A submission of which a function says, each time anew, whether it is wrong on a maze."""

    def __init__(self, is_wrong: Callable[[str], object]) -> None:
        self.is_wrong = is_wrong
        self.wrong: list[Wrong] = []
        self.messages: list[int] = []

    def __call__(self, cases: Sequence[Case]) -> Sequence[Wrong]:
        self.messages.append(len(cases))
        found = [Wrong(each, FINDING) for each in cases if self.is_wrong(each.facts.text)]
        self.wrong += found
        return found


def found(is_wrong: Callable[[str], object], steps: Sequence[int] = LADDER_STEPS) -> str:
    tried = Fickle(is_wrong)
    first = next(smallest(LADDER, [HALL], tried, steps))
    assert cells(first.case.facts.text) == min(cells(each.case.facts.text) for each in [HALL, *tried.wrong])
    return first.case.facts.text


def alternately() -> Callable[[str], object]:
    turns = cycle([True, False])
    return lambda text: next(turns)


def from_time(number: int) -> Callable[[str], object]:
    asked = count()
    return lambda text: next(asked) >= number


def by_chance(seed: int) -> Callable[[str], object]:
    luck = Random(seed)
    return lambda text: luck.random() < seed / 20


FICKLE: dict[str, Callable[[str], object]] = {
    "always": lambda text: True,
    "never": lambda text: False,
    "by the maze": lambda text: text.count("-") % 2,
    "every other time": alternately(),
    **{f"from time {number} on": from_time(number) for number in (1, 40)},
    **{f"by chance {seed}": by_chance(seed) for seed in range(1, 20, 4)},
}


@pytest.mark.parametrize("name", FICKLE)
def test_a_submission_may_answer_differently_from_call_to_call(name: str) -> None:
    assert found(FICKLE[name])


@pytest.mark.parametrize(
    ("is_wrong", "fewest"),
    [
        (lambda text: True, 2),
        (lambda text: facts_of(text).cycle, 4),
        (lambda text: facts_of(text).dimension.row_count > 2, 3),
        (lambda text: min(facts_of(text).dimension.row_count, facts_of(text).dimension.column_count) > 2, 9),
        (lambda text: facts_of(text).dimension.column_count > 5 and facts_of(text).cycle, 12),
    ],
)
def test_the_smallest_maze_that_shows_the_mistake_comes_first(
    is_wrong: Callable[[str], object], fewest: int
) -> None:
    assert cells(found(is_wrong)) == fewest


@pytest.mark.parametrize(("is_wrong", "shown"), [(lambda text: True, 4), (lambda text: cells(text) < 4, 2)])
def test_a_case_that_is_too_small_to_tell_anything_is_shown_where_no_other_is_wrong(
    is_wrong: Callable[[str], object], shown: int
) -> None:
    ladder = replace(LADDER, telling=4)
    at_hand = [Wrong(case(text), FINDING) for text in (room(1, 2), room(5, 6)) if is_wrong(text)]
    assert cells(next(smallest(ladder, at_hand, Fickle(is_wrong))).case.facts.text) == shown
