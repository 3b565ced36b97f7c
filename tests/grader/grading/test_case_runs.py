"""The trial: what one call leaves behind is not held against the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from grader.exercises.kit.check import Case, Check, each
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.solvers.runs import judge_way
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.languages import said
from grader.model import Call, Claim, Fault, Outcome, Solve
from grader.model.claims import NONE, SolveRun, SolveRuns, VectorsValue
from tests.grader.words import english

WIDE = "+-+-+-+-+\n|S     E|\n+-+-+-+-+"
PAIR = "+-+-+\n|S E|\n+-+-+"
TALL = "+-+\n|S|\n+ +\n|E|\n+-+"


def case(text: str) -> Case:
    call = Call(text, Solve((text,)))
    return Case(call, said("a_maze", size="2 x 2"), facts_of(text), text)


def check(*texts: str, alone: bool = True) -> Check:
    judge = each(lambda case, claim: judge_way(case.facts, claim, "bfs"))
    return Check("bfs.valid-path", "", tuple(map(case, texts)), judge, alone=alone)


class Script:
    """A run in which some mazes are answered with None: always, or only in company."""

    def __init__(self, *, always: Sequence[str] = (), in_company: Sequence[str] = ()) -> None:
        self.always, self.in_company = always, in_company
        self.asked: list[tuple[tuple[str, ...], bool]] = []

    def __call__(self, calls: Sequence[Call], alone: bool) -> list[Claim]:
        self.asked.append((tuple(call.id for call in calls), alone))
        return [self.claim(call.id, alone) for call in calls]

    def claim(self, text: str, alone: bool) -> Claim:
        wrong = text in self.always or (text in self.in_company and not alone)
        returned = NONE if wrong else VectorsValue(facts_of(text).ways["bfs"][0])
        run = SolveRun(returned, (), (), (), (), used_search=False, late_looks=0, changed=None)
        return Claim(text, "returned", SolveRuns((run,)))


def trial(make_calls: MakeCalls, *checks: Check) -> CaseRuns:
    made = CaseRuns(checks, make_calls)
    made.run()
    return made


def test_cases_that_are_made_anew_have_a_message_of_their_own() -> None:
    made, run = check(WIDE, PAIR, TALL), Script()
    cases = tuple(replace(each, call=replace(each.call, anew=each.maze != PAIR)) for each in made.cases)
    assert trial(run, replace(made, cases=cases)).wrong(made) is None
    assert run.asked == [((PAIR,), False), ((WIDE, TALL), False)]


def in_waves(made: Check) -> Check:
    """The check with one case in a later wave, and its first one in the last."""
    levels = {TALL: 1, WIDE: 2}
    return replace(
        made, cases=tuple(replace(each, wave=levels.get(str(each.maze), 0)) for each in made.cases)
    )


def test_cases_that_take_long_are_made_where_all_others_are_right() -> None:
    made, run = in_waves(check(WIDE, PAIR, TALL)), Script(always=[WIDE])
    tried = trial(run, made)
    assert run.asked == [((PAIR,), False), ((TALL,), False), ((WIDE,), False)]
    assert tried.checks == [made]
    wrong = tried.wrong(made)
    assert wrong is not None
    assert wrong.case.maze == WIDE


def test_what_is_right_alone_is_right_and_what_is_wrong_alone_is_wrong() -> None:
    made, run = check(PAIR, WIDE, TALL), Script(in_company=[WIDE, TALL])
    tried = trial(run, made)
    assert tried.wrong(made) is None
    assert run.asked[1:] == [((WIDE,), True), ((PAIR, TALL), True)]
    assert tried.passes(made)
    tried = trial(Script(in_company=[WIDE], always=[TALL]), made)
    wrong = tried.wrong(made)
    assert wrong is not None
    assert wrong.case.maze == TALL
    assert not tried.passes(made)


def otherwise_alone(*, in_company: Sequence[str], alone: Sequence[str]) -> MakeCalls:
    """A run in which some mazes are answered with None in company, and others alone."""

    def run(calls: Sequence[Call], is_alone: bool) -> list[Claim]:
        return Script(always=alone if is_alone else in_company)(calls, is_alone)

    return run


def three_checks() -> tuple[Check, Check, Check]:
    made = [replace(check(text), id=f"bfs.{number}") for number, text in enumerate((WIDE, TALL, PAIR))]
    return made[0], made[1], made[2]


def test_all_checks_are_judged_alone_where_fewer_are_lost_so() -> None:
    wide, tall, pair = three_checks()
    tried = trial(otherwise_alone(in_company=[WIDE, TALL], alone=[PAIR]), wide, tall, pair)
    assert tried.wrong(wide) is None
    assert tried.wrong(tall) is None
    wrong = tried.wrong(pair)
    assert wrong is not None
    assert wrong.case.maze == PAIR


def test_controls_count_where_checks_are_judged_alone_and_are_made_alone_as_well() -> None:
    wide, _, pair = three_checks()
    controlled = replace(wide, control=wide.judge, controls=(case(PAIR),))
    wrong = trial(otherwise_alone(in_company=[WIDE], alone=[PAIR]), controlled).wrong(controlled)
    assert wrong is not None
    assert trial(otherwise_alone(in_company=[WIDE], alone=[]), controlled, pair).wrong(controlled) is None
    assert trial(Script(in_company=[PAIR]), controlled).wrong(controlled) is None
    wrong = trial(Script(always=[PAIR]), controlled).wrong(controlled)
    assert wrong is not None
    assert wrong.finding.undone, "a control speaks of more than one case"


def test_checks_about_what_is_left_behind_are_not_tried_alone() -> None:
    made, run = check(WIDE, alone=False), Script(in_company=[WIDE])
    assert trial(run, made).wrong(made) is not None
    assert len(run.asked) == 1


@pytest.mark.parametrize(
    ("outcome", "stage", "is_tried"),
    [
        ("endless", "call", True),
        ("timeout", "call", False),
        ("endless", "import", False),
        ("raised", "import", False),
    ],
)
def test_what_never_ends_in_company_is_tried_alone_but_not_what_takes_long_or_is_not_loaded(
    outcome: Outcome, stage: Literal["import", "call"], *, is_tried: bool
) -> None:
    made, asked = check(WIDE, PAIR), []

    def run(calls: Sequence[Call], alone: bool) -> list[Claim]:
        asked.append(alone)
        fault = Fault(outcome, "", stage=stage)
        return Script()(calls, alone) if alone else [Claim(each.id, outcome, fault=fault) for each in calls]

    assert (trial(run, made).wrong(made) is None) is is_tried
    assert (True in asked) is is_tried


def left_behind(*texts: str) -> Check:
    return replace(check(*texts), twins=lambda case: (case,))


def test_checks_about_what_is_left_behind_want_it_right_alone() -> None:
    made = left_behind(PAIR, WIDE, TALL)
    wrong = trial(Script(in_company=[WIDE], always=[TALL]), made).wrong(made)
    assert wrong is not None
    assert wrong.case.maze == WIDE
    assert "though it is right when called alone" in english(wrong.finding.message)
    assert wrong.finding.extra["reproduce"] is None, "it is not to be seen again by itself"
    tried = trial(Script(always=[TALL]), made)
    assert tried.wrong(made) is None
    assert tried.passes(made)


def test_where_everything_is_wrong_nothing_was_left_behind_but_the_control_refuses() -> None:
    made = left_behind(PAIR, WIDE)
    run = Script(always=[PAIR, WIDE])
    assert trial(run, made).wrong(made) is None
    controlled = replace(made, control=check().judge, controls=(case(PAIR),))
    wrong = trial(run, controlled).wrong(controlled)
    assert wrong is not None
    assert "alone" not in english(wrong.finding.message)


class Grave(Script):
    """A run in which one maze ends the process, and others of its message are left out."""

    def __init__(self, dead: str, left_out: Sequence[str], *, ever: bool = False) -> None:
        super().__init__()
        self.dead, self.left_out, self.ever = dead, left_out, ever

    def claim(self, text: str, alone: bool) -> Claim:
        if text == self.dead:
            return Claim(text, "died", fault=Fault("signal 11", ""))
        if text in self.left_out and (self.ever or len(self.asked) == 1):
            return Claim(text, "died", fault=Fault("not run", "not run, since another call ended so"))
        return super().claim(text, alone)


def test_a_check_is_not_lost_by_what_ended_in_another() -> None:
    lost, won = check(TALL), replace(check(WIDE, PAIR), id="bfs.other")
    run = Grave(TALL, (WIDE, PAIR))
    made = trial(run, lost, won)
    assert made.wrong(lost) is not None
    assert made.wrong(won) is None
    assert [names for names, _ in run.asked[:2]] == [(TALL, WIDE, PAIR), (WIDE, PAIR)]


def test_what_was_left_out_for_a_call_that_another_check_is_charged_with_is_made() -> None:
    made = replace(check(TALL, WIDE, PAIR), ends_elsewhere=lambda case: case.maze == TALL)
    run = Grave(TALL, (WIDE, PAIR))
    tried = trial(run, made)
    assert [names for names, _ in run.asked[:2]] == [(TALL, WIDE, PAIR), (WIDE, PAIR)]
    assert tried.is_right_where_it_answered(made)


def test_what_is_asked_once_more_with_another_search_is_asked_once_with_its_own() -> None:
    lost, left_out = check(TALL), replace(check(WIDE), id="bfs.other")
    after_others = replace(check(TALL), id="bfs.leaves-nothing", twins=lambda case: [case])
    won = replace(check(PAIR), id="bfs.won")
    run = Grave(TALL, [WIDE])
    made = CaseRuns((lost, left_out, after_others, won), run)
    made.run(lambda _: True)
    assert [made.passes(each) for each in made.checks] == [False, False, False, True]
    assert run.asked == [((TALL, WIDE, PAIR), False)]
