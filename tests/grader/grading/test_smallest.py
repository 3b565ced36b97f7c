"""The smallest case: the smallest that was tried and wrong is shown, whatever a submission answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, cycle, islice
from random import Random
from zlib import crc32

import pytest

from grader.exercises.kit.check import Case, Ladder, Wrong
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.ladders import maze_ladder
from grader.grading.counterexamples import FIRST, MOST_AT_ONCE, STEPS, TRIED_ALONE, smallest
from grader.languages import said
from grader.model import Call, Solve
from lab import Dimension, Factory

FINDING = Finding("failed", said("changed"), {}, {})


def case(text: str) -> Case:
    return Case(Call(text, Solve((text,))), said("a_maze", size="2 x 2"), facts_of(text), text)


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


def found(is_wrong: Callable[[str], object], steps: Sequence[int] = STEPS) -> str:
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
    **{f"from time {number} on": from_time(number) for number in (1, 7, 40, 1000)},
    **{f"by chance {seed}": by_chance(seed) for seed in range(10)},
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
        (lambda text: facts_of(text).dimension.row_count > 4, 5),
        (lambda text: facts_of(text).passage_count - cells(text) > 4, 12),
        (lambda text: facts_of(text).dimension.column_count > 5 and facts_of(text).cycle, 12),
    ],
)
def test_the_smallest_maze_that_shows_the_mistake_comes_first(
    is_wrong: Callable[[str], object], fewest: int
) -> None:
    assert cells(found(is_wrong)) == fewest


def test_where_few_small_cases_may_be_tried_the_one_at_hand_is_made_smaller() -> None:
    assert cells(found(lambda text: facts_of(text).cycle, ())) == 4


def test_where_nothing_smaller_is_wrong_the_one_at_hand_is_shown() -> None:
    assert found(lambda text: False) == HALL.case.facts.text


def test_a_mistake_that_shows_at_once_costs_one_message_and_what_can_be_made_of_it() -> None:
    tried = Fickle(lambda text: True)
    next(smallest(LADDER, [HALL], tried))
    assert [number for number in tried.messages if number] == [STEPS[0]]


def test_no_message_is_larger_than_it_may_be() -> None:
    tried = Fickle(lambda text: cells(text) > 10)
    [*smallest(LADDER, [HALL], tried, (60,))]
    assert max(tried.messages) <= MOST_AT_ONCE
    assert tried.messages[0] == 60


def corridor(length: int) -> Case:
    return case(room(1, length))


SHORTER = Ladder(
    rungs=lambda: (),
    simpler=lambda wrong: map(corridor, range(2, cells(wrong.case.facts.text))),
    size=lambda each: cells(each.facts.text),
)
"""All shorter corridors can be made of one."""


@pytest.mark.parametrize("share", range(2, 40, 3))
def test_what_is_shown_is_what_trying_every_case_would_show(
    share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_shown() -> list[Wrong]:
        tried = Fickle(lambda text: crc32(text.encode()) % share == 0)
        return [*islice(smallest(SHORTER, [Wrong(corridor(200), FINDING)], tried, ()), TRIED_ALONE)]

    shown = first_shown()
    monkeypatch.setattr("grader.grading.counterexamples.FIRST", MOST_AT_ONCE)
    assert first_shown() == shown


def test_of_many_smaller_cases_that_are_wrong_the_smallest_are_tried_only() -> None:
    tried = Fickle(lambda text: True)
    [*smallest(SHORTER, [Wrong(corridor(200), FINDING)], tried, ())]
    assert sum(tried.messages) == FIRST


def test_no_more_smaller_cases_are_made_than_are_tried() -> None:
    made: list[Case] = []

    def noted(wrong: Wrong) -> Iterator[Case]:
        for each in SHORTER.simpler(wrong):
            made.append(each)
            yield each

    at_hand = [Wrong(corridor(length), FINDING) for length in (400, 500)]
    [*smallest(replace(SHORTER, simpler=noted), at_hand, Fickle(lambda text: False), ())]
    assert len(made) == MOST_AT_ONCE


@pytest.mark.parametrize(("is_wrong", "shown"), [(lambda text: True, 4), (lambda text: cells(text) < 4, 2)])
def test_a_case_that_is_too_small_to_tell_anything_is_shown_where_no_other_is_wrong(
    is_wrong: Callable[[str], object], shown: int
) -> None:
    ladder = replace(LADDER, telling=4)
    at_hand = [Wrong(case(text), FINDING) for text in (room(1, 2), room(5, 6)) if is_wrong(text)]
    assert cells(next(smallest(ladder, at_hand, Fickle(is_wrong))).case.facts.text) == shown


def test_of_several_cases_at_hand_the_smallest_comes_first() -> None:
    small = Wrong(case(room(2, 3)), FINDING)
    assert next(smallest(LADDER, [HALL, small], Fickle(lambda text: False))) is small
