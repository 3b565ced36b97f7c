"""Mazes that a solver copies, in whatever way, are watched as well."""

import copy
import pickle
from collections.abc import Callable

import pytest

from lab import Maze
from lab.watch import Watch, WatchedMaze
from tests.lab.test_visits import B


def test_a_watched_maze_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(WatchedMaze.of(B, Watch())))  # noqa: S301 - pickled just now
    assert type(sent) is WatchedMaze
    assert sent == B


COPIES: tuple[Callable[[Maze], Maze], ...] = (
    lambda maze: maze.copy(),
    copy.copy,
    copy.deepcopy,
    lambda maze: pickle.loads(pickle.dumps(maze)),  # noqa: S301 - pickled just now
)


@pytest.mark.parametrize("copied", COPIES)
def test_copies_are_watched_as_well(copied: Callable[[Maze], Maze]) -> None:
    watch = Watch(lambda: None)  # as little to be pickled as a counter of the box
    copied(WatchedMaze.of(B, watch)).valid_moves_at((1, 1))
    assert watch.asked == [(1, 1)]


def test_what_outlives_its_watch_notes_in_another() -> None:
    sent = pickle.dumps(WatchedMaze.of(B, Watch()))
    assert pickle.loads(sent).valid_moves_at((1, 1)) == B.valid_moves_at((1, 1))  # noqa: S301 - pickled just now
