"""``maze trace``: what is recorded of solvers in many styles, and how their runs end."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lab import Maze, worker
from lab.cli import main
from lab.commands import mazes, student, trace, trace_child
from lab.exercises import BY_NAME
from lab.tracing import recording
from tests.lab.commands.written_bfs import write
from tests.lab.running import maze, refused

Recording = dict[str, Any]


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
    "with its distance": (
        "queue = [(0, maze.entry)]", "far, cell = heappop(queue)", "heappush(queue, (far + 1, cell + move))",
        "priority",
    ),
    "with its way": (
        "queue = deque([(maze.entry, [])])", "cell, way = queue.popleft()",
        "queue.append((cell + move, [*way, move]))", "queue",
    ),
    "ways": (
        "queue = deque([[maze.entry]])", "way = queue.popleft(); cell = way[-1]",
        "queue.append([*way, cell + move])", "queue",
    ),
    "a queue for threads": (
        "queue = Queue(); queue.put(maze.entry)", "cell = queue.get()", "queue.put(cell + move)", "queue",
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


@pytest.mark.parametrize(
    "body",
    [
        "queue = [(0, 1, 1)]\nwhile queue:\n    queue.pop()\n    maze.is_exit(maze.entry)",
        "queue = [[1, 1], [2, 1]]\nqueue.pop()",
        "seen = {(1, 1): (1, 2), (1, 2): (1, 3)}\nreturn None",
    ],
)
def test_nothing_is_shown_rather_than_something_false(folder: Path, body: str) -> None:
    write(folder, body)
    found = recorded(folder)
    assert found["pending"] is None
    assert found["parents"] == []


def test_what_goes_on_for_ever_shows_its_last_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mazes, "QUESTIONS", (500, 1))
    monkeypatch.setattr(recording, "MOST_STEPS", 1_000)
    write(folder, "queue = [maze.entry]\nfor cell in queue:\n    for move in maze.valid_moves_at(cell):\n"
          "        queue.append(cell + move)")  # fmt: skip
    found = recorded(folder)
    text = found["ending"]["text"]
    stopped = r"BFS went on for ever, and was stopped: the maze has 25 cells"
    assert re.fullmatch(stopped + r", and \(\d, \d\) was visited \d+ times\.", text)
    assert len(found["steps"]) == 1_000
    assert found["first"] == found["total"] - 1_000
    assert max(moment for moment, _ in found["visits"]) <= 1_000


def test_what_asks_for_nothing_is_stopped_as_well_whatever_it_catches(folder: Path) -> None:
    write(folder, "while True:\n    try:\n        n = 1\n    except Exception:\n        n = 2")
    found = recorded(folder)
    assert found["ending"] == {
        "kind": "endless", "text": "BFS went on for ever, and was stopped: the maze has 25 cells.",
    }  # fmt: skip


def test_threads_of_the_solver_are_followed_and_stopped_as_well(folder: Path) -> None:
    write(
        folder,
        """
def work():
    try:
        while endless:
            n = 1
        queue = [maze.entry, maze.exit]
        queue.pop()
    except BaseException:
        pass
for endless in ENDLESS:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
""".replace("ENDLESS", "[False]"),
        head="import threading",
    )
    found = recorded(folder)
    assert found["pending"]["name"] == "queue"
    path = folder / "solvers/bfs.py"
    path.write_text(path.read_text().replace("[False]", "[True]"))
    student.forget(folder)
    assert recorded(folder)["ending"]["kind"] == "endless"


def test_a_list_that_is_made_anew_at_each_visit_is_no_queue(folder: Path) -> None:
    write(
        folder,
        """
frontier, seen = [maze.entry], {maze.entry}
while frontier:
    found = []
    for cell in frontier:
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                seen.add(cell + move)
                found.append(cell + move)
    frontier = found
""",
    )
    assert recorded(folder)["pending"] is None


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


def test_the_rules_of_a_courses_own_exercise_are_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there_and_back = "return [(1, 0), (-1, 0)]"
    write(folder, there_and_back)
    assert "comes to (1, 1) a second time" in recorded(folder)["ending"]["text"]
    monkeypatch.setitem(BY_NAME, "BFS", replace(BY_NAME["BFS"], kind="walker"))
    assert recorded(folder)["ending"]["text"] == "BFS returned a way of 2 moves."


def test_a_wrong_way_is_said_so(folder: Path) -> None:
    write(folder, "return ['north']")
    assert recorded(folder)["ending"]["text"].startswith("BFS is wrong: element 1 of the list is 'north'")


@pytest.mark.processes
def test_what_was_left_in_the_code_is_told_below(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solver = folder / "solvers/bfs.py"
    solver.write_text(f"{solver.read_text()}exit()\n")
    line = solver.read_text().count("\n")
    files = [str(folder / "sample_maze.txt"), "--out", str(folder / "trace.html")]
    assert main(["trace", *files, "--no-open", "--submission", str(folder), "--algorithm", "BFS"]) == 0
    told = f"Left in your code: solvers/bfs.py, line {line} raises SystemExit while the file is loaded"
    assert capsys.readouterr().out.splitlines()[-1].partition(";")[0] == told


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
def test_the_page_of_a_20_x_20_room_is_below_a_megabyte(folder: Path) -> None:
    assert maze(folder, "trace", "mazes/room.txt", "--algorithm", "Dijkstra").returncode == 0
    assert (folder / "trace.html").stat().st_size < 1_000_000


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
