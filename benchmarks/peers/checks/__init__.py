"""The tests as check50 runs them: each check in a process and a folder of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import check50
import check50.py

from benchmarks.peers.drawn import fixed
from benchmarks.peers.properties import hold
from lab import Maze


def _checker() -> Callable[[Maze], object]:
    module = check50.py.import_("perfection_checker.py")
    return lambda maze: module.PerfectionChecker().is_perfect(maze)


@check50.check()  # type: ignore[untyped-decorator]
def fixed_mazes() -> None:
    """is right on the fixed mazes"""
    is_perfect = _checker()
    for maze, expected in fixed(Path(os.environ["FIXED"])):
        if is_perfect(maze) is not expected:
            raise check50.Mismatch(str(expected), str(not expected))


@check50.check(fixed_mazes)  # type: ignore[untyped-decorator]
def perfect() -> None:
    """knows perfect mazes"""
    hold(_checker(), "perfect")


@check50.check(fixed_mazes)  # type: ignore[untyped-decorator]
def a_passage_more() -> None:
    """knows mazes with a passage more"""
    hold(_checker(), "a passage more")


@check50.check(fixed_mazes)  # type: ignore[untyped-decorator]
def a_passage_less() -> None:
    """knows mazes with a passage less"""
    hold(_checker(), "a passage less")
