"""No case takes the place of another: whatever a test maze is called, all that is drawn is asked as well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.course.statements import target_of
from grader.exercises import registry
from grader.exercises.kit.check import PlannedExercise, Wrong
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import FixedMaze
from grader.exercises.search.kind import script_of
from grader.languages import said
from grader.model import IsPerfect, Solve

ROOM = "+-+-+-+\n|S    |\n+ + + +\n|    E|\n+-+-+-+"
TREE = "+-+-+-+\n|S    |\n+ +-+-+\n|    E|\n+-+-+-+"
HIDDEN = "+-+-+-+\n|S    |\n+-+-+ +\n|E    |\n+-+-+-+"
NAMES = (
    "0",
    "1.0",
    " 7",
    "small",
    "room/0",
    "control/0",
    "repeat/other/7",
    "cycles/7",
    "file/cycles/7",
    "7/alone",
)
WITH_MAZES = [id_ for id_ in registry.titles() if id_ not in ("search", "generator")]


def exercise(id_: str, mazes: list[FixedMaze]) -> PlannedExercise:
    book = CaseBook(seed=3, examples=12, mazes=mazes)
    made = registry.make_checks(
        id_, [title for title in registry.titles()[id_] if mazes or "hidden" not in title], book
    )
    return PlannedExercise(id_, "", target_of(id_), made)


def asked(of: PlannedExercise) -> dict[str, str]:
    """The last maze of each call, by the name of the call."""
    cases = [case for check in of.checks for case in (*check.cases, *check.controls)]
    calls = [case.call for case in cases]
    return {
        call.id: call.asked(Solve).mazes[-1] if of.kind == "solver" else call.asked(IsPerfect).maze
        for call in calls
    }


@pytest.mark.parametrize("id_", WITH_MAZES)
def test_every_case_is_asked_whatever_the_test_mazes_are_called(id_: str) -> None:
    plain = asked(exercise(id_, []))
    mazes = [
        FixedMaze(f"{name}{suffix}", text, hidden, (id_,))
        for name in NAMES
        for suffix, text, hidden in (("", ROOM, False), ("+", TREE, False), ("-", HIDDEN, True))
    ]
    with_names = asked(exercise(id_, mazes))
    assert plain.items() <= with_names.items()
    added = [text for name, text in with_names.items() if name not in plain]
    for text in (ROOM, TREE, HIDDEN):
        assert added.count(text) >= len(NAMES)


@pytest.mark.parametrize("id_", registry.titles())
def test_two_calls_of_one_name_are_refused(id_: str) -> None:
    made = exercise(id_, [FixedMaze("hidden", HIDDEN, True, (id_,))])
    one, other = made.checks[0].cases[:2]
    twin = replace(other, call=replace(other.call, id=one.call.id))
    first = replace(made.checks[0], cases=(one, twin))
    with pytest.raises(ValueError, match="expected one call of the name"):
        replace(made, checks=(first,))


def test_a_script_that_was_made_smaller_is_named_by_its_steps() -> None:
    check = next(check for check in exercise("search", []).checks if check.id == "search.order")
    assert check.ladder
    made = [
        case
        for long in check.cases[-3:]
        for at in (len(script_of(long).steps) - 1, len(script_of(long).steps) // 2)
        for case in check.ladder.simpler(Wrong(long, Finding("failed", said("changed"), {}, {}, step=at)))
    ]
    by_name, by_steps = (
        {case.call.id: script_of(case) for case in made},
        {script_of(case): case.call.id for case in made},
    )
    assert len(made) > len(by_name) == len(by_steps) > 100
