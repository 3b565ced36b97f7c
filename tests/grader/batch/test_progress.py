"""What a batch shows while it runs, and the time that it still takes: a range that the truth lies in."""

from __future__ import annotations

import io
import random

import pytest
from rich.console import Console

from grader.batch import progress
from grader.batch.progress import (
    ENOUGH,
    SURE,
    EndDisplay,
    LineDisplay,
    Quiet,
    TimeLeft,
    display_for,
    format_range,
)


def test_plain_lines_and_silence() -> None:
    screen = io.StringIO()
    lines = display_for(Console(file=screen, width=40), 10, quiet=False)
    lines.tell("start", submissions=10)
    lines.tell("graded", submission="[bold]ada", score=87.5, max_score=100.0, seconds=1.0)
    lines.tell("retry", submission="bob", reason="x" * 60)
    lines.tell("unchanged", submission="bob")
    assert screen.getvalue().splitlines() == [
        "[ 1/10] [bold]ada  87.5 of 100  1.0 s",
        f"[ 1/10] bob  retry: {'x' * 60}",
        "[ 2/10] bob  unchanged",
    ]
    assert type(display_for(Console(file=screen), 1, quiet=True)) is Quiet


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
    monkeypatch.setattr(progress, "TimeLeft", lambda total, **more: TimeLeft(total, clock, **more))
    lines = LineDisplay(Console(file=screen, width=40), 100)
    for number in range(100):
        clock.now += 10
        lines.tell("graded", submission=f"s{number}", score=1.0, max_score=1.0, seconds=10.0)
    told = [line for line in screen.getvalue().splitlines() if line.endswith(" left")]
    assert [line.split()[1].split("/")[0] for line in told if line.startswith("[ ")] == [
        f"{n}0" for n in range(1, 10)
    ]
    assert told[0].startswith("[ 10/100] ")


def test_what_is_chosen_meanwhile_is_counted_and_what_follows_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, screen = Clock(), io.StringIO()
    monkeypatch.setattr(progress, "TimeLeft", lambda total, **more: TimeLeft(total, clock, **more))
    lines = display_for(Console(file=screen, width=80), 10, quiet=False, then=", and then all are compared")
    for number in range(10):
        clock.now += 100
        lines.tell("graded", submission=f"s{number}", score=1.0, max_score=1.0, seconds=100.0)
    lines.tell("chosen", submission="s3")
    told = screen.getvalue().splitlines()
    assert told[-1] == "[10/11] s3  chosen"
    assert any(line.endswith(" left, and then all are compared") for line in told)


def test_the_time_after_the_last_submission_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, said = Clock(), list[str]()
    monkeypatch.setattr(progress, "TimeLeft", lambda total: TimeLeft(total, clock))
    monkeypatch.setattr("grader.batch.progress.time.monotonic", clock)
    shown = EndDisplay(said.append)
    for _ in range(2):
        shown.tell("compare", done=0, count=240)
    for done in range(100):
        shown.tell("page", done=done, count=100)
        clock.now += 2
    assert said[:2] == ["comparing 240 submissions", "showing 100 pairs side by side"]
    assert said[2].startswith("[10/100] ")
    few: list[str] = []
    for event in ("compare", "page"):
        EndDisplay(few.append).tell(event, done=0, count=3)
    assert few == []
