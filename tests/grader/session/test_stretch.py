"""How busy the machine is, as the clocks see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from grader.inside.budgets import PRESSED, Budget, Pace
from grader.model import Claim, Target
from grader.session import submission_limits
from grader.session.session import Session
from tests.fake_backends import AnsweringBackend
from tests.grader.session.exchanges import LIMITS, SUBMISSION, YES
from tests.grader.session.popen_box import CHECKER, question


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        ("0.00 0.00 0.00 1/600 4711", 1.0),
        ("9.00 9.00 9.00 3/600 4711", 1.5),
        ("0.00 0.00 0.00 12/600 4711", 6.0),
        ("0.00 0.00 0.00 900/999 4711", submission_limits.MOST),
    ],
)
def test_processes_that_want_to_run_share_the_processors(
    load: str, expected: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loadavg").write_text(load)
    monkeypatch.setattr(submission_limits, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(submission_limits, "_cores", lambda: 2)
    assert submission_limits.stretch_now() == expected


def test_where_there_is_no_proc_the_mean_of_a_minute_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission_limits, "_LOAD", tmp_path / "nothing")
    monkeypatch.setattr(submission_limits, "_cores", lambda: 2)
    monkeypatch.setattr("os.getloadavg", lambda: (7.0, 1.0, 1.0))
    assert submission_limits.stretch_now() == 3.5


def test_only_the_seconds_on_the_wall_are_stretched() -> None:
    whole = Budget(1000, 100, 500, 50, 5.0, 15.0)
    assert Pace(stretch=4.0).of_call(whole) == whole._replace(wall_seconds=60.0)
    assert Pace(PRESSED, stretch=4.0).of_call(whole).wall_seconds == 6.0
    assert Pace(stretch=4.0).after("timeout") == Pace(PRESSED, stretch=4.0)


def asked(monkeypatch: pytest.MonkeyPatch, seconds: float, busy: Callable[[], float]) -> tuple[Claim, ...]:
    """Ask one call after the other while each takes some seconds on the wall, with a purse of 10."""
    clock, limits = count(0, 1), replace(LIMITS, submission_wall_seconds=20)
    now = iter(lambda: next(clock) * seconds, None)
    monkeypatch.setattr(submission_limits, "monotonic", lambda: next(now))
    backend = AnsweringBackend(answer=lambda target, call: YES)
    shares = {CHECKER.file: 0.5, "x/y.py": 0.5}
    with Session(backend, limits, SUBMISSION, shares=shares, stretch=busy) as session:
        claims = [session.run(CHECKER, [question("a")])[0] for _ in range(8)]
        other = session.run(Target("x/y.py", "other"), [question("a")])
    assert {sent["stretch"] for box in backend.boxes for sent in box.received if sent["type"] == "round"} == {
        busy()
    }
    return (*claims, *other)


def outcomes(claims: tuple[Claim, ...]) -> list[str]:
    return [claim.outcome for claim in claims]


def test_a_busy_machine_takes_no_time_away_and_one_file_none_of_anothers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    idle = outcomes(asked(monkeypatch, 1.0, lambda: 1.0))
    assert outcomes(asked(monkeypatch, 10.0, lambda: 10.0)) == idle
    assert idle == ["returned"] * 5 + ["not-asked"] * 3 + ["returned"]
