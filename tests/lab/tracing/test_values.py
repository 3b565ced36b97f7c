"""The values of the variables of each call, as they changed."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from lab import Vector
from lab.tracing.values import ValueHistory


def at(told: dict[str, Any], call: int, moment: int) -> dict[str, str]:
    """Return what the variables of a call held at a moment."""
    held = told["held"].get(call, {}).items()
    latest = {name: [place for when, place in history if when <= moment] for name, history in held}
    return {name: told["texts"][places[-1]] for name, places in latest.items() if places}


@pytest.mark.parametrize(
    ("value", "change", "texts"),
    [
        (deque([Vector(1, 1)]), lambda held: held.append(Vector(1, 2)), ["[(1, 1)]", "[(1, 1), (1, 2)]"]),
        ([1, 2], lambda held: held.reverse(), ["[1, 2]", "[2, 1]"]),
        ({1}, lambda held: held.add(2), ["{1}", "{1, 2}"]),
        ({1: 2}, lambda held: held.update({1: 3}), ["{1: 2}", "{1: 3}"]),
        ([[1]], lambda held: held[0].append(2), ["[[1]]", "[[1, 2]]"]),
        (([1],), lambda held: held[0].append(2), ["([1])", "([1, 2])"]),
        ([*range(20)], lambda held: held.pop(), ["… 20 in all]", "… 19 in all]"]),
    ],
)
def test_a_value_that_changes_inside_is_told_anew(value: Any, change: Any, texts: list[str]) -> None:
    history = ValueHistory()
    for moment in range(2):
        history.running.append(1)
        history.look(1, [("held", value)], moment)
        history.look(1, [("held", value)], moment)
        change(value)
    assert len(history.changes) == 2
    for moment, text in enumerate(texts):
        assert at(history.told(0, 2), 1, moment)["held"].endswith(text)


def test_each_call_has_its_own_and_what_ran_before_the_part_that_is_kept_is_known() -> None:
    history = ValueHistory()
    for moment, call in enumerate([1, 2, 2, 1]):
        history.running.append(call)
        history.look(call, [("n", moment)], moment)
    told = history.told(2, 4)
    assert told["calls"] == [[0, 2], [1, 1]]
    assert (at(told, 2, 0), at(told, 1, 0), at(told, 1, 1)) == ({"n": "2"}, {"n": "0"}, {"n": "3"})
