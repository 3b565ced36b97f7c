"""``maze check`` tells what the student's lines did in the call that failed, with their values."""

from __future__ import annotations

import random
import re
import shutil
import time
from functools import partial
from pathlib import Path

import pytest

from lab import Maze, worker
from lab.commands import check, pack, retelling, student, trace_child
from lab.commands.mazes import make_bound
from lab.exercises import BY_ID, EXERCISES
from lab.watch import STREAMS, Watch, WatchedMaze

pytestmark = pytest.mark.usefixtures("_untraced")

ROOT = Path(__file__).parents[3]
GOES_BACK_AND_FORTH = """
class DFS:
    def solve(self, maze, search):
        waiting = [maze.entry]
        while waiting:
            cell = waiting.pop()
            waiting += [cell + move for move in maze.valid_moves_at(cell)]
"""
SEES_THE_RECORDER = """
import sys

class DFS:
    def solve(self, maze, search):
        if sys.gettrace() is not None:
            raise ValueError("recorded")
        return 3
"""
GOES_WEST_FIRST = """
class DFS:
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.last_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
"""
CORRIDOR = Maze.from_text("+-+-+-+\n|S   E|\n+-+-+-+")


def write(folder: Path, exercise: str, code: str) -> None:
    """Write right work in which one exercise's file is another."""
    for each in EXERCISES:
        target = folder / each.file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "reference" / each.file, target)
    (folder / BY_ID[exercise].file).write_text(code, encoding="utf-8")


def retold(folder: Path, code: str, ended: retelling.Ending) -> list[tuple[int | None, str]]:
    """Return the lines and sentences of the story of a DFS whose call ended like this in a test."""
    write(folder, "dfs", code)
    student.put_on_path(folder)

    def make(watching: retelling.Watching) -> object:
        watch = Watch(make_bound(3))
        watching({name: getattr(watch, name) for name in STREAMS})
        return student.imported(folder, BY_ID["dfs"]).DFS().solve(WatchedMaze.of(CORRIDOR, watch), None)

    call = retelling.FailedCall(BY_ID["dfs"], make, lambda run, _: run.of_ending())
    run = partial(worker.run, seconds=0.5, clock=time.process_time)
    story = retelling.retold(folder, call, ended, run=run, visits=())
    return [(step["line"], step["text"]) for step in story["steps"]] if story else []


def test_a_call_without_an_end_is_told_by_what_comes_again(tmp_path: Path) -> None:
    assert retold(tmp_path, GOES_BACK_AND_FORTH, "endless")[0] == (
        7,
        "Here your code came to (1, 1) for the second time.",
    )


def test_nothing_is_told_of_a_call_that_ends_otherwise_where_it_is_recorded(tmp_path: Path) -> None:
    assert retold(tmp_path, SEES_THE_RECORDER, "returned") == []
    assert retold(tmp_path, SEES_THE_RECORDER, "raised")[-1] == (7, "This line raised ValueError: recorded.")


def test_neither_luck_nor_a_story_that_fails_does_harm(tmp_path: Path) -> None:
    write(tmp_path, "dfs", "this is no Python")
    student.put_on_path(tmp_path)
    call = retelling.FailedCall(BY_ID["dfs"], lambda _: random.seed(3), lambda *_: [])
    random.seed(2)
    before = random.getstate()
    assert retelling.retold(tmp_path, call, "raised", run=worker.run, visits=()) is None
    assert random.getstate() == before


@pytest.mark.processes
def test_the_command_to_follow_it_opens_where_it_goes_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "dfs", GOES_WEST_FIRST)
    check.check([str(folder), "dfs"])
    told = re.search(r"maze trace (mazes/\S+) --algorithm DFS --step (\d+)\n", capsys.readouterr().out)
    assert told is not None
    found, moment = (
        trace_child.record_solver(Maze.from_file(folder / told[1]), folder, "DFS"), int(told[2]) - 1,
    )  # fmt: skip
    assert found["lines"][found["steps"][moment]] == ["solvers/dfs.py", 6]
    assert [cell for at, cell in found["visits"] if at <= moment] == [4]
    assert next(cell for at, cell in found["visits"] if at > moment) == 3


@pytest.mark.processes
def test_a_maze_that_is_in_no_file_is_kept_in_one_until_its_test_passes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        folder,
        "perfection",
        "class PerfectionChecker:\n    def is_perfect(self, maze):\n        return True\n",
    )
    check.check([str(folder), "perfection"], show="all")
    said = capsys.readouterr().out
    named = set(re.findall(r"maze perfect (failed/\S+)", said))
    assert len(named) > 5
    assert {path.relative_to(folder).as_posix() for path in (folder / "failed").iterdir()} == named
    assert {name: Maze.from_file(folder / name).dimension.position_count for name in named}[
        "failed/perfection_checker-small_room.txt"
    ] == 4
    packed, warnings = pack.build_zip(str(folder), named_by="")
    assert (b"failed" in packed, [each for each in warnings if "failed" in each]) == (False, [])
    write(folder, "perfection", (ROOT / "reference" / "perfection_checker.py").read_text(encoding="utf-8"))
    check.check([str(folder), "perfection"])
    assert not (folder / "failed").exists()
