"""The search for repairs, on a make-believe exercise: a file is right where it holds what a case asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.exercises.kit.check import Case, Check, Claims, Wrong
from grader.exercises.kit.findings import Finding
from grader.languages import said
from grader.model import Call, Claim, IsPerfect
from grader.model.claims import Outcome
from grader.repairs import Edit, EditSearch, Found, ProbeCase, Repair, agreed, suspicion
from grader.repairs.searching import A_FEW, A_LINE, AT_ONCE, ENOUGH, MOST_EDITS
from grader.repairs.source import MOST_CHARACTERS, MOST_LINES

TEXT = "0123456789"


def case(name: str) -> Case:
    return Case(Call(name, IsPerfect(name)), said("a_script"), None)


def judge(cases: Sequence[Case], claims: Claims) -> Wrong | None:
    wrong = Finding("failed", said("a_script"), {}, {})
    return next((Wrong(each, wrong) for each in cases if claims[each.call.id].output != "right"), None)


def check(id_: str, *names: str) -> Check:
    return Check(id_, id_, tuple(map(case, names)), judge)


def edit(line: int, text: str, kind: str = "name") -> Edit:
    return Edit(((line, line + 1, text),), kind, line)


class Box:
    """Answers "right" to a call where the text holds what it is asked about."""

    def __init__(self, outcome: Outcome = "returned") -> None:
        self.outcome: Outcome = outcome
        self.asked = 0

    def __call__(self, calls: Sequence[Call]) -> list[Claim]:
        self.asked += len(calls)
        return [self._claim(call) for call in calls]

    def _claim(self, call: Call) -> Claim:
        assert call.version is not None
        is_right = call.asked(IsPerfect).maze in call.version.decode()
        return Claim(call.id, self.outcome, output="right" if is_right else "wrong")


MOST = 3_000
ONE, OTHER, STAYS = check("one", "a"), check("other", "b"), check("stays", "9")


def found_by(
    edits: Sequence[Edit], box: Box | None = None, cost: int = 1, ended: int = 20, most: int = MOST
) -> Found:
    failing = [ProbeCase(each, each.cases[0]) for each in (ONE, OTHER)]
    passing = [ProbeCase(STAYS, STAYS.cases[0])]
    search = EditSearch(
        TEXT,
        failing,
        passing,
        checks=[ONE, OTHER, STAYS],
        lost=frozenset({"one", "other"}),
        before={},
        make_calls=box or Box(),
        cost=lambda _, claim: ended if claim.outcome == "endless" else cost,
        most=most,
    )
    return search.find(edits)


def test_what_puts_a_check_right_and_none_wrong_is_a_repair() -> None:
    edits = [edit(1, "x"), edit(2, "a"), edit(9, "a"), edit(3, "ab")]
    found = found_by(edits)
    assert found.repairs == (
        Repair(edits[1], frozenset({"one"})),
        Repair(edits[3], frozenset({"one", "other"})),
    )
    assert found.is_whole


def test_it_ends_where_enough_are_found() -> None:
    found = found_by([edit(1 + number % 8, f"ab{number}") for number in range(2 * AT_ONCE)])
    assert len(found.repairs) == ENOUGH
    assert found.tried == AT_ONCE


def test_so_many_are_tried_and_no_more() -> None:
    assert found_by([edit(2, f"x{number}") for number in range(MOST_EDITS + 10)]).tried == MOST_EDITS


def test_after_the_first_some_more_are_tried() -> None:
    edits = [edit(2, "ab"), *(edit(2, f"x{number}") for number in range(MOST_EDITS))]
    assert found_by(edits).tried == 2 * AT_ONCE


@pytest.mark.parametrize("outcome", ["timeout", "violation"])
def test_what_hangs_on_the_machine_ends_it(outcome: Outcome) -> None:
    found = found_by([edit(2, "ab")], Box(outcome))
    assert not found.is_whole
    assert agreed(found) is None


def test_in_one_line_three_are_enough() -> None:
    box = Box()
    found = found_by([edit(2, f"ab{number}") for number in range(10)], box)
    assert len(found.repairs) == A_LINE
    assert found.is_whole
    assert box.asked < 10 * 2 + 10 + A_LINE * 3 + 1


def test_an_edit_that_loses_a_check_is_tried_no_further() -> None:
    box = Box()
    lost = Edit(((9, 10, "ab"),), "end", 9)
    assert found_by([lost], box).repairs == ()


def test_what_is_found_before_all_is_spent_is_enough() -> None:
    def found(repairs: int) -> Found:
        useless = [edit(2, f"x{number}") for number in range(2 * AT_ONCE)]
        edits = [*(edit(2, f"ab{number}") for number in range(repairs)), *useless]
        return found_by(edits, cost=MOST // (3 * AT_ONCE) + 1)

    assert found(1).is_whole
    assert not found(0).is_whole


def test_calls_that_end_their_process_are_dear() -> None:
    box = Box("endless")
    assert not found_by([edit(2, f"x{number}") for number in range(MOST_EDITS)], box).is_whole
    assert box.asked < MOST_EDITS * 2


@pytest.mark.parametrize("outcome", ["endless", "returned"])
def test_hardly_more_is_spent_than_there_is(outcome: Outcome) -> None:
    dear = MOST // AT_ONCE
    box = Box(outcome)
    edits = [edit(2, f"x{number}") for number in range(MOST_EDITS)]
    assert not found_by(edits, box, cost=dear, ended=dear).is_whole
    assert 0 < box.asked - MOST // dear <= A_FEW


def test_lines_that_ran_where_it_went_wrong_are_to_blame() -> None:
    likely = suspicion([{1, 2}, {1, 2}], [{1}])
    always, wrong_only, never = (likely(edit(line, "x")) for line in (1, 2, 8))
    assert wrong_only > always > never > 0
    assert likely(replace(edit(8, "x"), loading=True)) == edit(8, "x").weight
    assert likely(replace(edit(1, "x"), after=True)) == wrong_only


class Counted(frozenset[int]):
    """Lines that a call ran, which count how often they are looked through."""

    looks = 0

    def __contains__(self, line: object) -> bool:
        Counted.looks += 1
        return super().__contains__(line)


def test_a_claim_costs_no_more_for_all_its_lines_and_a_text_for_all_its_edits() -> None:
    claims = [Counted(range(1, MOST_LINES + 1)) for _ in range(20)]
    likely = suspicion(claims[:10], claims[10:])
    edits = [edit(1 + number % MOST_LINES, "x") for number in range(MOST_CHARACTERS)]
    assert len({likely(each) for each in edits}) == 1
    assert Counted.looks <= MOST_LINES * len(claims)
