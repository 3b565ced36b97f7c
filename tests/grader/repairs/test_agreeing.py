"""Repairs that lie together speak for a place; others do not."""

from __future__ import annotations

from dataclasses import replace

from grader.repairs import Edit, Found, Repair, agreed


def edit(line: int, text: str, kind: str = "name") -> Edit:
    return Edit(((line, line + 1, text),), kind, line)


def of(*repairs: Repair, is_whole: bool = True) -> Found:
    return Found(repairs, 1, is_whole)


BOTH = frozenset({"one", "other"})


def test_repairs_agree_within_two_lines() -> None:
    near = of(Repair(edit(4, "a"), BOTH), Repair(edit(6, "b"), BOTH))
    assert agreed(near) == Repair(edit(4, "a"), BOTH)
    assert agreed(of(*near.repairs, Repair(edit(7, "c"), BOTH))) is None
    assert agreed(replace(near, is_whole=False)) is None
    assert agreed(of()) is None


def test_those_that_put_most_right_count() -> None:
    best = Repair(edit(4, "a"), BOTH)
    assert agreed(of(Repair(edit(9, "b"), frozenset({"one"})), best)) == best


def test_repairs_of_different_checks_do_not_agree() -> None:
    assert agreed(of(*(Repair(edit(4, id_), frozenset({id_})) for id_ in BOTH))) is None


def test_either_end_of_a_list_tells_of_the_other() -> None:
    taken, put = (Repair(edit(line, "a", "end"), BOTH) for line in (4, 18))
    assert agreed(of(put, taken)) == taken
    turned = Repair(edit(30, "a", "order"), BOTH)
    assert agreed(of(turned, put)) == put
    assert agreed(of(turned, put, Repair(edit(9, "a", "equal"), BOTH))) is None


def test_a_reversal_that_helps_because_it_copies_asks_about_no_order() -> None:
    turned, copy = (Repair(edit(4, kind, kind), BOTH) for kind in ("order", "changing"))
    assert agreed(of(turned, copy)) == copy
    assert agreed(of(turned)) == turned


def test_what_is_put_in_may_make_up_for_what_stands_elsewhere() -> None:
    left_out = Repair(edit(18, "a", "needed"), BOTH)
    put_in = Repair(replace(edit(4, "a", "marks"), after=True), BOTH)
    assert agreed(of(put_in, left_out)) == left_out
    assert agreed(of(put_in)) == put_in
    kept = Repair(replace(edit(1, "a", "lives_on"), after=True), BOTH)
    assert agreed(of(put_in, left_out, kept)) == kept


def test_where_they_change_different_things_only_the_place_is_sure() -> None:
    best = Repair(edit(4, "a"), BOTH)
    found = agreed(of(best, Repair(edit(4, "b", "equal"), BOTH)))
    assert found is not None
    assert found.edit.kind == "closely"
    assert found.edit.line == 4
    left_out = Repair(edit(4, "", "needed"), BOTH)
    assert agreed(of(left_out, best)) == best


def test_kinds_that_one_question_fits_are_no_difference() -> None:
    for kinds, kind in ((("negation", "comparison"), "comparison"), (("equal", "bound"), "bound")):
        found = agreed(of(*(Repair(edit(4, each, each), BOTH) for each in kinds)))
        assert found is not None
        assert found.edit.kind == kind


def test_what_may_be_left_out_may_stand_anywhere() -> None:
    left_out = Repair(edit(4, "pass", "needed"), BOTH)
    moved = Repair(edit(4, "   ", "under_condition"), BOTH)
    found = agreed(of(moved, left_out))
    assert found is not None
    assert found.edit.kind == "closely"
    assert agreed(of(moved)) == moved


def test_of_several_the_one_counts_that_adds_least() -> None:
    longer, shorter = Repair(edit(4, "ab", "counted"), BOTH), Repair(edit(5, "", "counted"), BOTH)
    assert (longer.edit.growth, shorter.edit.growth) == (1, -1)
    assert agreed(of(longer, shorter)) == shorter
