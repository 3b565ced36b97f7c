"""Shrinking: whatever a submission answers, and however Hypothesis ends, no mark is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import count, cycle
from random import Random
from typing import Any

import hypothesis
import pytest
from hypothesis import errors

from grader.checks.base import Case, Ladder, Wrong
from grader.errors import SandboxError
from grader.grading.shrink import with_hypothesis
from grader.languages import said
from grader.model import Call, Solve
from grader.oracle.facts import facts_of
from grader.oracle.findings import Finding

FINDING = Finding("failed", said("changed"), {}, {})
HALL = "\n".join(["+" + "-+" * 6, "|S" + " " * 10 + "|", *["+ " * 6 + "+", "|" + " " * 11 + "|"] * 4])
HALL = f"{HALL}\n{'+ ' * 6}+\n|{' ' * 10}E|\n{'+-' * 6}+"


def case(text: str) -> Case:
    return Case(Call(text, Solve((text,))), said("a_maze", size="2 x 2"), facts_of(text), text)


LADDER = Ladder((), "way", case)
WRONG = Wrong(case(HALL), FINDING)


def cells(wrong: Wrong) -> int:
    assert wrong.case.maze is not None
    return facts_of(wrong.case.maze).dimension.position_count


class Fickle:
    """An attempt of which a function says, each time anew, whether the maze is wrong."""

    def __init__(self, is_wrong: Callable[[str], object]) -> None:
        self.is_wrong = is_wrong
        self.seen: list[Wrong] = []
        self.asked: list[str] = []

    def __call__(self, cases: Sequence[Case]) -> Wrong | None:
        (one,) = cases
        self.asked.append(str(one.maze))
        if not self.is_wrong(str(one.maze)):
            return None
        self.seen.append(Wrong(one, FINDING))
        return self.seen[-1]


def check(attempt: Fickle) -> None:
    """The smallest that was seen is shown, and each maze is asked about once."""
    found = with_hypothesis(LADDER, WRONG, attempt)
    assert found is WRONG or found in attempt.seen
    assert cells(found) == min(map(cells, [WRONG, *attempt.seen]))
    assert len(attempt.asked) == len(set(attempt.asked))


def alternately() -> Callable[[str], object]:
    turns = cycle([True, False])
    return lambda text: next(turns)


def first_few(number: int) -> Callable[[str], object]:
    asked = count()
    return lambda text: next(asked) < number


def all_but_the_first_few(number: int) -> Callable[[str], object]:
    asked = count()
    return lambda text: next(asked) >= number


def by_chance(seed: int) -> Callable[[str], object]:
    luck = Random(seed)
    return lambda text: luck.random() < 0.2 + seed / 20


def on_large_ones_by_chance(seed: int) -> Callable[[str], object]:
    luck = Random(seed)
    return lambda text: len(text) > 60 and luck.random() < 0.7


FICKLE: dict[str, Callable[[str], object]] = {
    "always": lambda text: True,
    "never": lambda text: False,
    "by the maze": lambda text: text.count("-") % 2,
    "by the time": lambda text: time.perf_counter_ns() // 1000 % 2,
    "by an address": lambda text: id(object()) // 16 % 2,
    "every other time": alternately(),
    **{f"the first {number} times": first_few(number) for number in (1, 2, 7, 40)},
    **{f"from time {number} on": all_but_the_first_few(number) for number in (1, 2, 7, 40)},
    **{f"by chance {seed}": by_chance(seed) for seed in range(12)},
    **{f"on large ones {seed}": on_large_ones_by_chance(seed) for seed in range(12)},
}


@pytest.mark.parametrize("name", FICKLE)
def test_a_submission_may_answer_differently_from_call_to_call(name: str) -> None:
    check(Fickle(FICKLE[name]))


def test_the_smallest_maze_that_shows_the_mistake_is_shown() -> None:
    assert cells(with_hypothesis(LADDER, WRONG, Fickle(lambda text: True))) == 4
    attempt = Fickle(lambda text: facts_of(text).dimension.row_count > 3)
    assert cells(with_hypothesis(LADDER, WRONG, attempt)) == 8


def test_where_no_smaller_maze_exists_the_one_at_hand_is_shown() -> None:
    pair = Wrong(case("+-+-+\n|S E|\n+-+-+"), FINDING)
    attempt = Fickle(lambda text: True)
    assert with_hypothesis(LADDER, pair, attempt) is pair
    assert attempt.asked == []


ENDINGS: dict[str, BaseException] = {
    "flaky": errors.Flaky("inconsistent"),
    "a flaky replay": errors.FlakyReplay("inconsistent"),
    "a flaky strategy": errors.FlakyStrategyDefinition("inconsistent"),
    "a flaky failure": errors.FlakyFailure("inconsistent", [ValueError()]),
    "a deadline": errors.DeadlineExceeded(timedelta(1), timedelta(1)),
    "a health check": errors.FailedHealthCheck("slow"),
    "a warning": errors.HypothesisWarning("hm"),
    "a mistake in Hypothesis": RecursionError("too deep"),
    "no memory": MemoryError(),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_however_hypothesis_ends_the_smallest_that_was_seen_is_kept(
    name: str, monkeypatch: pytest.MonkeyPatch, logged_errors: list[str]
) -> None:
    def find(_: Any, condition: Callable[[str], bool], **__: Any) -> None:
        assert condition("+-+-+-+\n|S   E|\n+-+-+-+")
        assert condition("+-+-+-+-+\n|S     E|\n+-+-+-+-+")
        raise ENDINGS[name]

    monkeypatch.setattr(hypothesis, "find", find)
    assert cells(with_hypothesis(LADDER, WRONG, Fickle(lambda text: True))) == 3
    (message,) = logged_errors
    assert "the kind way" in message
    assert "Traceback" in message
    logged_errors.clear()


@pytest.mark.parametrize("name", ["NoSuchExample", "Unsatisfiable"])
def test_that_there_is_no_smaller_one_is_no_mistake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(*_: Any, **__: Any) -> None:
        raise getattr(errors, name)("nothing")

    monkeypatch.setattr(hypothesis, "find", find)
    assert with_hypothesis(LADDER, WRONG, Fickle(lambda text: True)) is WRONG


def failing_at(number: int, error: BaseException) -> Iterator[bool]:
    yield from [False] * number
    raise error


@pytest.mark.parametrize("number", [0, 1, 5])
@pytest.mark.parametrize("error", [SandboxError("no engine"), ValueError("a judge"), SystemExit(0)])
def test_a_fault_of_the_machine_is_told_as_what_it_is_and_nothing_is_asked_after_it(
    number: int, error: BaseException
) -> None:
    answers = failing_at(number, error)
    attempt = Fickle(lambda text: next(answers))
    with pytest.raises(type(error), match=str(error)):
        with_hypothesis(LADDER, WRONG, attempt)
    assert len(attempt.asked) == number + 1
