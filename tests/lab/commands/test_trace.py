"""``maze trace``: what is recorded of solvers in many styles, and how their runs end."""

from __future__ import annotations

import json
import re
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lab import Maze, watch, worker
from lab.commands import student, trace, trace_child
from lab.tracing import recording
from tests.lab.running import maze, refused

Recording = dict[str, Any]


def write(folder: Path, body: str, *, head: str = "") -> None:
    lines = "".join(f"        {line}\n" for line in body.strip("\n").split("\n"))
    text = f"{head}\n\nclass BFS:\n    def solve(self, maze, search):\n{lines}"
    (folder / "solvers/bfs.py").write_text(text, encoding="utf-8")


def recorded(folder: Path, algorithm: str = "BFS", file: str = "sample_maze.txt") -> Recording:
    return trace_child.record_solver(Maze.from_file(folder / file), folder, algorithm, seconds=6_000.0)


def held(recording: Recording, moment: int) -> list[int]:
    cells: list[int] = []
    for at, start, left, came in recording["pending"]["changes"]:
        if at <= moment:
            cells[start : start + left] = came
    return cells


@pytest.mark.parametrize(("name", "kind"), [("DFS", "stack"), ("BFS", "queue"), ("Dijkstra", "priority")])
def test_solvers_that_use_the_search(folder: Path, name: str, kind: str) -> None:
    found = recorded(folder, name)
    assert (found["pending"]["name"], found["pending"]["kind"]) == ("search._pending", kind)
    assert found["ending"]["kind"] == "returned"
    assert found["ending"]["way"][-1] == 24
    assert found["visits"][0][1] == 0
    known = {cell for _, cell, _ in found["parents"]}
    assert {cell for _, cell in found["visits"]} <= known
    assert found["calls"] == []
    assert found["total"] == len(found["steps"])


def test_what_waits_is_what_the_code_itself_sees(folder: Path) -> None:
    log = folder / "log"
    write(
        folder,
        f"""
queue, seen = [maze.entry], {{maze.entry}}
while queue:
    with open({str(log)!r}, "a") as stream:
        stream.write(repr([tuple(cell) for cell in queue]) + "\\n")
    cell = queue.pop(0)
    for move in maze.valid_moves_at(cell):
        if cell + move not in seen:
            queue.append(cell + move)
            seen.add(cell + move)
""",
    )
    found = recorded(folder)
    line = found["lines"].index(["solvers/bfs.py", 9])
    moments = [moment for moment, step in enumerate(found["steps"]) if step == line]
    seen = [repr([(cell // 5 + 1, cell % 5 + 1) for cell in held(found, moment)]) for moment in moments]
    assert seen == log.read_text().splitlines()


LOOP = """
    if maze.is_exit(cell):
        return None
    for move in maze.valid_moves_at(cell):
        if cell + move not in seen:
            seen[cell + move] = cell
            PUT
"""
STYLES = {
    "a deque": ("queue = deque([maze.entry])", "cell = queue.popleft()", "queue.append(cell+move)", "queue"),
    "a stack": ("queue = [maze.entry]", "cell = queue.pop()", "queue.append(cell + move)", "stack"),
    "with its way": (
        "queue = deque([(maze.entry, [])])", "cell, way = queue.popleft()",
        "queue.append((cell + move, [*way, move]))", "queue",
    ),
    "a priority queue": (
        "queue = PriorityQueue(); queue.put((0, maze.entry))", "far, cell = queue.get()",
        "queue.put((far + 1, cell + move))", "priority",
    ),
    "made anew": (
        "queue = [maze.entry]", "cell = queue[0]; queue = queue[1:]", "queue = queue + [cell+move]", "queue",
    ),
}  # fmt: skip
HEAD = "from collections import deque\nfrom heapq import heappop, heappush\nfrom queue import *\n"


@pytest.mark.parametrize("style", STYLES)
def test_solvers_that_keep_their_own(folder: Path, style: str) -> None:
    begin, take, put, kind = STYLES[style]
    body = f"{begin}\nseen = {{maze.entry: None}}\nwhile True:\n    {take}{LOOP.replace('PUT', put)}"
    write(folder, body, head=HEAD)
    found = recorded(folder)
    assert (found["pending"]["name"], found["pending"]["kind"]) == ("queue", kind)
    assert len(found["parents"]) > 15


RECURSIVE = """
from lab import *

class BFS:
    def solve(self, maze, search):
        self.maze, self.seen = maze, set()
        return self.explore(maze.entry)

    def explore(self, cell):
        self.seen.add(cell)
        if self.maze.is_exit(cell):
            return []
        for move in self.maze.valid_moves_at(cell):
            if cell + move not in self.seen:
                way = self.explore(cell + move)
                if way is not None:
                    return [move, *way]
"""


def test_the_calls_are_the_stack_of_a_recursion(folder: Path) -> None:
    (folder / "solvers/bfs.py").write_text(RECURSIVE)
    found = recorded(folder)
    assert found["pending"] is None
    depth, names = 0, []
    for _, *call in found["calls"]:
        depth += 1 if call else -1
        names += [call] if call else []
        assert depth >= 0
    assert depth == 0
    assert names[:2] == [["solve", []], ["explore", [0]]]


def test_what_goes_on_for_ever_shows_its_last_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "QUESTIONS", (500, 1))
    monkeypatch.setattr(recording, "MOST_STEPS", 1_000)
    write(folder, "queue = [maze.entry]\nfor cell in queue:\n    for move in maze.valid_moves_at(cell):\n"
          "        queue.append(cell + move)")  # fmt: skip
    found = recorded(folder)
    text = found["ending"]["text"]
    stopped = r"BFS went on for ever, and was stopped: the maze has 25 cells"
    assert re.fullmatch(stopped + r", and the moves of \(\d, \d\) were asked for \d+ times\.", text)
    assert len(found["steps"]) == 1_000
    assert found["first"] == found["total"] - 1_000
    assert max(moment for moment, _ in found["visits"]) <= 1_000


@pytest.mark.usefixtures("_untraced")
def test_what_takes_too_long_is_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began = folder / "began"
    write(folder, f"import time\nopen({str(began)!r}, 'w').close()\nwhile True:\n    time.sleep(0.05)")
    given = Maze.from_file(folder / "sample_maze.txt")
    ticks = count(0.0, 100.0)
    run = partial(worker.run, clock=lambda: next(ticks) if began.exists() else 0.0)
    monkeypatch.setattr(worker, "run", run)
    found = trace_child.record_solver(given, folder, "BFS", seconds=30.0)
    assert found["ending"]["text"] == "BFS did not come to an end within 30 s; it was stopped."


def test_a_crash_ends_at_its_line(folder: Path) -> None:
    write(
        folder,
        "try:\n    [][3]\nexcept IndexError:\n    pass\ntry:\n    {}[maze.entry]\nfinally:\n    maze = 1",
    )
    found = recorded(folder)
    assert found["ending"]["text"].startswith("BFS raised KeyError: (1, 1). The dictionary holds nothing for")
    assert found["ending"]["trace"].endswith("{}[maze.entry]")
    assert found["lines"][found["steps"][-1]] == ["solvers/bfs.py", 10]


@pytest.mark.processes
def test_the_page(folder: Path) -> None:
    result = maze(folder, "trace", "sample_maze.txt", "--algorithm", "DFS", "--out", "dfs.html", "--no-open")
    lines = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (0, "")
    assert lines[:2] == ["5 x 5 grid loaded from sample_maze.txt", "DFS returned a way of 10 moves."]
    page = (folder / "dfs.html").read_text(encoding="utf-8")
    found = re.search(r'id="recording">(.*?)</script>', page)
    assert found is not None
    assert json.loads(found[1])["total"] > 100
    assert "<title>DFS on sample_maze.txt</title>" in page


@pytest.mark.processes
def test_a_process_that_cannot_be_stopped_from_within_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(student, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(trace, "_MORE_SECONDS", 0.0)
    write(folder, "import time; time.sleep(600)")
    assert (
        refused(folder, "trace", "sample_maze.txt")
        == "maze: BFS did not come to an end, and was ended by force"
    )
