"""Boxes started ahead."""

from __future__ import annotations

from threading import Event

import pytest

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox.base import Ending, Probe
from grader.sandbox.piped_box import Pool
from tests.fake_backends import FakeBox
from tests.grader.sandbox.boxes import SMALL


class CountedBox(FakeBox):
    def __init__(self, number: int) -> None:
        super().__init__(react=lambda _: ())
        self.number, self.closed = number, 0

    def close(self) -> Ending:
        self.closed += 1
        return super().close()


class Counting:
    """A back end that notes what it opened."""

    name: str = "counting"
    isolation: str = "nothing"

    def __init__(self) -> None:
        self.boxes: list[CountedBox] = []
        self.fail = Event()

    def probe(self) -> Probe:
        return Probe(self.name, True, "")

    def open(self, limits: Limits) -> CountedBox:
        if self.fail.is_set():
            raise SandboxError("no more")
        self.boxes.append(CountedBox(len(self.boxes)))
        return self.boxes[-1]


def opened(pool: Pool, limits: Limits = SMALL) -> CountedBox:
    box = pool.open(limits)
    assert isinstance(box, CountedBox)
    return box


def test_every_box_is_handed_out_once_and_in_order() -> None:
    with Pool(Counting(), SMALL, ahead=2) as pool:
        assert [opened(pool).number for _ in range(5)] == [0, 1, 2, 3, 4]


def test_those_that_nobody_took_are_closed() -> None:
    backend = Counting()
    with Pool(backend, SMALL, ahead=3) as pool:
        taken = opened(pool)
        other = pool.open(Limits())
        assert other is not taken, "other limits get a box of their own"
    assert taken.closed == 0
    left = [box for box in backend.boxes if box not in (taken, other)]
    assert [box.closed for box in left] == [1] * len(left)


def test_a_start_that_failed_is_told_to_who_gets_it() -> None:
    backend = Counting()
    backend.fail.set()
    with Pool(backend, SMALL, ahead=1) as pool:
        with pytest.raises(SandboxError, match="no more"):
            pool.open(SMALL)
        backend.fail.clear()
