"""Scripts of calls on a Search, followed and drawn."""

from __future__ import annotations

import pytest

from grader.exercises.kit.findings import cell_text
from grader.exercises.search.judge import answers, call_text
from grader.exercises.search.long_scripts import small_scripts
from grader.exercises.search.scripts import Script
from grader.feedback.example import Example, ScriptLine, read_example
from grader.feedback.search_replay import CellNote, can_draw, draw, find_difference, replay_calls, shown_steps
from grader.model.claims import VectorValue
from lab import EAST, SOUTH, WEST, Vector
from reference.solvers.search import Search

A, B, C, D = Vector(1, 1), Vector(1, 2), Vector(2, 2), Vector(2, 1)
SHORTER = [
    ScriptLine("search.mark_as_pending((1, 1))", "None"),
    ScriptLine("search.record((1, 1), EAST, (1, 2))", "None"),
    ScriptLine("search.first_pending()", "(1, 1)"),
    ScriptLine("search.record((1, 2), SOUTH, (2, 2))", "None"),
    ScriptLine("search.record((2, 2), WEST, (2, 1))", "None"),
    ScriptLine("search.record((1, 1), SOUTH, (2, 1))", "None"),
    ScriptLine("search.moves_to((2, 1))", "[south]"),
]


def test_it_knows_what_the_reference_knows() -> None:
    tried = 0
    for script in small_scripts():
        given = answers(script)
        steps = [ScriptLine(call_text(step), _text(value)) for step, value in zip(script, given, strict=True)]
        moments = replay_calls(steps)
        assert len(moments) == len(script)
        for instance, name in ((0, "search"), (1, "other_search_1")):
            last = [moment for moment in moments if moment.search == name][-1:]
            for moment in last:
                search = _after(script, instance)
                assert tuple(moment.known) == search.known_cells
                assert [known.distance for known in moment.known.values()] == [
                    search.distance_to(cell) for cell in moment.known
                ]
                assert [known.move for known in moment.known.values()] == [
                    next(reversed(search.moves_to(cell)), None) for cell in moment.known
                ]
                assert moment.pending == tuple(_drained(search))
                tried += 1
    assert tried > 100


def _text(value: object) -> str:
    """What a call that takes a cell gave; what the others gave changes nothing."""
    return cell_text(value.value) if isinstance(value, VectorValue) else "None"


def _after(script: Script, instance: int) -> Search:
    search = Search()
    for number, method, arguments in script:
        if number == instance and method != "known_cells":
            try:
                getattr(search, method)(*(Vector(*argument) for argument in arguments))
            except LookupError:
                continue
    return search


def _drained(search: Search) -> list[Vector]:
    found = []
    while search.has_pending_cells():
        found.append(search.first_pending())
    return found


def test_a_shorter_way_replaces_distance_and_move_and_nothing_is_pending_twice() -> None:
    before, after = replay_calls(SHORTER)[-3:-1]
    assert before.known[D] == CellNote(3, WEST)
    assert after.known == {
        A: CellNote(0, None),
        B: CellNote(1, EAST),
        C: CellNote(2, SOUTH),
        D: CellNote(1, SOUTH),
    }
    assert before.pending == after.pending == (B, C, D)


@pytest.mark.parametrize(
    "call", ["… 12 more calls", "search.record((9, 9), EAST, (9, 10))", "search.clear()", "print('<b>')", ""]
)
def test_what_cannot_be_followed_is_not_drawn(call: str) -> None:
    assert replay_calls([*SHORTER[:2], ScriptLine(call, "None"), *SHORTER[2:]]) == []


def test_both_ways_begin_where_the_expected_one_does() -> None:
    parted = find_difference(SHORTER[-1], ScriptLine("", "[east, south, west]"), replay_calls(SHORTER)[-1])
    assert (parted.due_way, parted.came_way) == ((A, D), (A, B, C, D))
    taken = [*SHORTER[:2], ScriptLine("search.last_pending()", "(1, 2)")]
    parted = find_difference(taken[-1], ScriptLine("", "(1, 1)"), replay_calls(taken)[-1])
    assert (parted.due, parted.came) == (B, A)


def test_there_is_a_frame_for_each_call_and_the_last_is_seen_without_a_script() -> None:
    moments = replay_calls(SHORTER)
    parted = find_difference(SHORTER[-1], ScriptLine("", "<i>"), moments[-1])
    assert can_draw(moments, parted)
    picture = draw(moments, parted, 'what "is" known')
    assert picture.count('class="frame"') == 7
    assert picture.count("hidden>") == 6
    assert 'data-pending="(1, 2)|(2, 2)|(2, 1)">' in picture
    assert 'aria-label="what &quot;is&quot; known"' in picture


def test_a_script_that_reaches_too_far_is_not_drawn() -> None:
    steps = [
        ScriptLine("search.mark_as_pending((1, 1))", "None"),
        ScriptLine("search.mark_as_pending((1, 13))", "None"),
    ]
    moments = replay_calls(steps)
    assert not can_draw(moments, find_difference(steps[-1], None, moments[-1]))
    assert can_draw(moments[:1], find_difference(steps[0], None, moments[0]))


def test_calls_after_the_one_that_differs_are_not_listed() -> None:
    steps = [{"call": step.call, "gives": step.gives} for step in SHORTER]
    example = read_example({"expected": {"steps": steps}, "actual": {"steps": steps[:3]}, "parts_at": 3})
    assert isinstance(example, Example)
    assert [(due.call, came is None) for due, came in shown_steps(example)][-2:] == [
        (SHORTER[2].call, False),
        (SHORTER[3].call, True),
    ]
