"""Repairs that lie together speak for a place; others do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.repairs import Edit, Found, Repair, agreed

BOTH = frozenset({"one", "other"})


def at(line: int, kind: str = "name", text: str = "a", *, after: bool = False) -> Repair:
    return Repair(Edit(((line, line + 1, text),), kind, line, after), BOTH)


def of(*repairs: Repair) -> Repair | None:
    return agreed(Found(repairs, 1, is_whole=True))


def test_repairs_agree_within_two_lines() -> None:
    assert of(at(4), at(6)) == at(4)
    assert of(at(4), at(6), at(7)) is None
    assert of() is None
    assert agreed(Found((at(4),), 1, is_whole=False)) is None


def test_those_that_put_most_right_count_and_of_different_checks_none() -> None:
    one, other = (replace(at(line), checks=frozenset({id_})) for line, id_ in ((9, "one"), (4, "other")))
    assert of(one, at(4)) == at(4)
    assert of(replace(one, edit=other.edit), other) is None


@pytest.mark.parametrize(
    ("repairs", "told"),
    [
        ([at(18, "end"), at(4, "end")], at(4, "end")),
        ([at(30, "order"), at(18, "end")], at(18, "end")),
        ([at(30, "order"), at(18, "end"), at(9, "equal")], None),
        ([at(4, "order"), at(4, "changing")], at(4, "changing")),
        ([at(4, "marks", after=True), at(18, "needed")], at(18, "needed")),
        ([at(4, "marks", after=True), at(18, "needed"), at(1, "lives_on")], at(1, "lives_on")),
        ([at(4), at(4, "equal")], at(4, "closely")),
        ([at(4), at(4, "needed", "")], at(4)),
        ([at(4, "negation"), at(4, "comparison")], at(4, "comparison")),
        ([at(4, "equal"), at(4, "bound")], at(4, "bound")),
        ([at(4, "under_condition"), at(4, "needed")], at(4, "closely")),
        ([at(4, "under_condition")], at(4, "under_condition")),
        ([at(4, "counted", "ab"), at(5, "counted", "")], at(5, "counted", "")),
    ],
    ids=lambda told: told.edit.sort if isinstance(told, Repair) else None,
)
def test_which_of_them_is_told(repairs: list[Repair], told: Repair | None) -> None:
    """What makes up for a mistake elsewhere does not count; where kinds differ, only the place is sure."""
    assert of(*repairs) == told
