"""The bucket of attempts."""

from __future__ import annotations

import pytest

from grader.course.late_work import Allowance
from grader.serve.uploads import AttemptsLeft, count_attempts_left

HOUR = 3600.0
THREE = Allowance(3, 2.0)


def test_without_a_limit_there_is_none() -> None:
    assert count_attempts_left(Allowance(), [1.0] * 100, 2.0) == AttemptsLeft(None, None)
    assert count_attempts_left(Allowance(), [], 2.0).is_open


def test_a_new_student_has_all() -> None:
    assert count_attempts_left(THREE, [], 5.0) == AttemptsLeft(3, None)


def test_each_attempt_takes_one_and_half_an_hour_brings_one() -> None:
    assert count_attempts_left(THREE, [0.0], 0.0) == AttemptsLeft(2, HOUR / 2)
    assert count_attempts_left(THREE, [0.0, 0.0, 0.0], 60.0) == AttemptsLeft(0, HOUR / 2)
    assert count_attempts_left(THREE, [0.0, 0.0, 0.0], HOUR / 2) == AttemptsLeft(1, HOUR)
    assert count_attempts_left(THREE, [0.0, 0.0, 0.0], 10 * HOUR) == AttemptsLeft(3, None)


def test_what_was_saved_up_is_never_more_than_the_burst() -> None:
    late = 100 * HOUR
    assert count_attempts_left(THREE, [0.0, late, late, late], late).left == 0


def test_where_none_come_back_none_is_promised() -> None:
    spent = count_attempts_left(Allowance(2, 0.0), [0.0, 1.0], 1e9)
    assert spent == AttemptsLeft(0, None)
    assert not spent.is_open


@pytest.mark.parametrize("per_hour", [0.1, 3.0, 7.0, 60.0])
def test_the_next_comes_when_it_is_said(per_hour: float) -> None:
    allowance = Allowance(2, per_hour)
    times = [0.0, 1.0]
    next_at = count_attempts_left(allowance, times, 2.0).next_at
    assert next_at is not None
    assert count_attempts_left(allowance, times, next_at).left == 1
    assert count_attempts_left(allowance, times, next_at - 1.0).left == 0


def test_attempts_of_a_clock_that_went_back_cost_one_each() -> None:
    assert count_attempts_left(THREE, [100.0, 50.0], 60.0).left == 1
