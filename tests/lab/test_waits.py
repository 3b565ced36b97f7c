"""Waits and clocks of a call: none is real, and one that nobody can end is told at once."""

from __future__ import annotations

import asyncio
import datetime
import queue
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import pytest

from lab.waits import IN_C, CallTime

_real = time.monotonic


class Stuck(BaseException):
    """Nobody can wake the call; with the number of threads that wait."""


def _stuck(frame: FrameType | None, count: int) -> None:
    assert frame is not None
    raise Stuck(count)


def _made(call: Callable[[], Any], **more: Any) -> tuple[Any, list[str]]:
    """What a call returned or raised in a thread of its own, and which waits were passed over."""
    passed: list[str] = []
    found: list[Any] = []

    def run() -> None:
        own = CallTime(_stuck, passed.append, **more)
        with own.in_force(IN_C):
            own.begin()
            try:
                found.append(call())
            except BaseException as error:  # noqa: BLE001 - what it raised is what is asked for
                found.append(error)

    began, thread = _real(), threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert found, f"it has waited for {_real() - began:.0f} s"
    return found[0], passed


def _started(target: Callable[..., Any], *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def _full() -> None:
    waiting = queue.LifoQueue[int](maxsize=1)
    waiting.put(1)
    waiting.put(2)


def _lock_twice() -> None:
    lock = threading.Lock()
    with lock, lock:
        pass


def _join_of_who_waits() -> None:
    _started(threading.Event().wait).join()


def _each_for_the_other() -> None:
    one, other = queue.Queue[int](), queue.Queue[int]()
    _started(lambda: one.put(other.get()))
    one.get()


@pytest.mark.parametrize(
    ("call", "count"),
    [
        (lambda: queue.Queue[int]().get(), 1),
        (lambda: queue.SimpleQueue[int]().get(), 1),
        (lambda: queue.PriorityQueue[int]().get(), 1),
        (_full, 1),
        (_lock_twice, 1),
        (lambda: threading.Event().wait(), 1),
        (lambda: threading.Semaphore(0).acquire(), 1),
        (lambda: threading.Barrier(2).wait(), 1),
        (_join_of_who_waits, 2),
        (_each_for_the_other, 2),
    ],
)
def test_what_nobody_can_bring_is_told_at_once(call: Callable[[], Any], count: int) -> None:
    found, passed = _made(call)
    assert isinstance(found, Stuck)
    assert (found.args, passed) == ((count,), [])


def _slept_meanwhile() -> list[int]:
    order: list[int] = []

    def later(seconds: int) -> None:
        time.sleep(seconds)
        order.append(seconds)

    threads = [_started(later, seconds) for seconds in (3000, 1000, 2000)]
    for thread in threads:
        thread.join()
    return order


def _handed_over() -> list[int]:
    between = queue.Queue[int](maxsize=1)

    def put() -> None:
        for number in range(50):
            between.put(number)

    _started(put)
    return [between.get() for _ in range(50)]


def _timer() -> list[int]:
    rung: list[int] = []
    timer = threading.Timer(3600, rung.append, [1])
    timer.start()
    timer.join()
    return rung


async def _asleep() -> int:
    await asyncio.sleep(3600)
    return 7


@pytest.mark.parametrize(
    ("call", "gives", "passed"),
    [
        (lambda: time.sleep(3600), None, ["time.sleep"]),
        (lambda: threading.Event().wait(3600), False, ["threading.Event.wait"]),
        (lambda: threading.Lock().acquire(timeout=3600), True, []),
        (lambda: _started(threading.Event().wait).join(3600), None, ["threading.Thread.join"]),
        (_slept_meanwhile, [1000, 2000, 3000], 3 * ["time.sleep"]),
        (_handed_over, [*range(50)], []),
        (_timer, [1], ["threading.Timer.run"]),
        (lambda: [*ThreadPoolExecutor(2).map(abs, [-1, 2])], [1, 2], []),
        (lambda: asyncio.run(_asleep()), 7, ["time.sleep"]),
    ],
)
def test_a_wait_with_an_end_takes_no_time(call: Callable[[], Any], gives: Any, passed: list[str]) -> None:
    began = _real()
    assert _made(call) == (gives, passed)
    assert _real() - began < 1800


def _clocks() -> list[Any]:
    names = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
    read = [getattr(time, name + end)() for end in ("", "_ns") for name in names]
    return [
        *read,
        time.clock_gettime(time.CLOCK_REALTIME),
        [*time.localtime(), time.ctime(), time.strftime("%H:%M:%S"), time.asctime(), *time.gmtime()],
        [datetime.datetime.now(), datetime.datetime.now(datetime.UTC), datetime.date.today()],
    ]


def test_clocks_show_the_same_in_each_call() -> None:
    (first, _), (again, _) = _made(_clocks), _made(_clocks)
    assert first == again
    assert first[1] < first[2] < first[3] < first[4]
    assert datetime.datetime.fromtimestamp(first[0]).date() == first[-1][2]
    assert isinstance(first[-1][0], datetime.datetime)
    assert repr(first[-1][2]).startswith("datetime.date(")


def test_a_pause_ends_and_a_guard_lets_go_on() -> None:
    turns = iter(range(10**9))

    def pause() -> int:
        end, count = time.perf_counter() + 5, 0
        while time.perf_counter() < end:
            count += 1
        return count

    def guard() -> bool:
        end = time.monotonic() + 2
        for _ in range(13_300_000 // 1000):
            [next(turns) for _ in range(1000)]
        return time.monotonic() < end

    assert _made(pause)[0] < 50_000
    assert _made(guard, turns=lambda: 13_300_000)[0]


def test_luck_from_a_clock_differs_where_a_call_begins_later() -> None:
    read: list[int] = []
    for offset in (0, 0, 10**9):
        own = CallTime(_stuck)
        with own.in_force():
            own.begin(offset)
            read.append(random.Random(time.time()).getrandbits(32))
    assert read[0] == read[1] != read[2]


def test_other_threads_keep_their_clocks() -> None:
    go, seen = threading.Event(), list[float]()
    other = _started(lambda: seen.append(time.monotonic() if go.wait() else 0.0))
    own = CallTime(_stuck)
    with own.in_force():
        own.begin()
        go.set()
        other.join()
    assert abs(seen[0] - _real()) < 3600


def test_waiting_too_long_is_told_where_it_is_charged() -> None:
    late: list[bool] = []
    own = CallTime(_stuck, late=lambda: late.append(True))
    own.most_seconds = 10
    with own.in_force():
        own.begin()
        time.sleep(9)
        time.sleep(2)
    assert late == [True]
