"""The time that a batch still takes: a range that the truth lies in, on a clock that the test turns."""

from __future__ import annotations

import io
import random

import pytest
from rich.console import Console

from grader.batch import progress
from grader.batch.progress import ENOUGH, SURE, LineDisplay, TimeLeft, format_range


class Clock:
    """A clock that stands still until it is turned."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_nothing_is_said_too_early_or_at_the_end() -> None:
    clock = Clock()
    left = TimeLeft(ENOUGH + 1, clock)
    for _ in range(ENOUGH):
        assert left.range() is None
        assert left.told() == ""
        clock.now += 10
        left.add(10.0)
    least, most = left.range() or (0.0, 0.0)
    assert least < 10 < most
    left.add(10.0)
    assert left.range() is None


def test_what_did_not_have_to_be_graded_takes_no_time() -> None:
    clock = Clock()
    left = TimeLeft(30, clock)
    for seconds in [None] * 15 + [10.0] * 5:
        clock.now += seconds or 0.0
        left.add(seconds)
    least, most = left.range() or (0.0, 0.0)
    assert least < 100 < most < 300


def test_the_truth_lies_in_the_range_as_often_as_it_says() -> None:
    right, count = 0, 0
    for seed in range(60):
        rng, clock = random.Random(seed), Clock()
        times = [rng.choice((1.0, 2.0, 3.0, 5.0, 30.0)) for _ in range(60)]
        left = TimeLeft(60, clock)
        for number, seconds in enumerate(times, 1):
            clock.now += seconds / 2
            left.add(seconds)
            if (found := left.range()) is not None:
                count += 1
                right += found[0] <= sum(times[number:]) / 2 <= found[1]
    assert right / count > SURE - 0.05


def test_the_range_narrows_as_more_is_known() -> None:
    clock, widths = Clock(), []
    left = TimeLeft(200, clock)
    for number in range(100):
        clock.now += 4
        left.add(8.0 if number % 2 else 2.0)
        if (found := left.range()) is not None:
            widths.append(found[1] / found[0])
    assert widths[0] > 3 > 1.6 > widths[-1]


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (0.2, 0.4, "at most 1 s left"),
        (20.0, 100.0, "20 to 100 s left"),
        (30.0, 130.0, "at most 3 min left"),
        (200.0, 500.0, "3 to 9 min left"),
        (4000.0, 9000.0, "1 to 3 h left"),
    ],
)
def test_a_range_in_words(least: float, most: float, words: str) -> None:
    assert format_range(least, most) == words


def test_a_pipe_gets_a_line_for_a_tenth_of_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, screen = Clock(), io.StringIO()
    monkeypatch.setattr(progress, "TimeLeft", lambda total: TimeLeft(total, clock))
    lines = LineDisplay(Console(file=screen, width=40), 100)
    for number in range(100):
        clock.now += 10
        lines.tell("graded", submission=f"s{number}", score=1.0, max_score=1.0, seconds=10.0)
    told = [line for line in screen.getvalue().splitlines() if line.endswith(" left")]
    assert [line.split()[1].split("/")[0] for line in told if line.startswith("[ ")] == [
        f"{n}0" for n in range(1, 10)
    ]
    assert told[0].startswith("[ 10/100] ")
