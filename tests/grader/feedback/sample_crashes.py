"""The samples that crash, or run into their limits."""

from __future__ import annotations

from random import Random
from typing import Any

from grader.languages import said
from lab import Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder
from tests.grader.feedback.sample_parts import CHECKS, ISLAND, ROOM, on_a_maze, results, side, solver


def crashed() -> dict[str, Any]:
    """Return an exception in a call, one at import, and missing files."""
    call_fault = {
        "kind": "IndexError",
        "message": "pop from empty list",
        "stage": "call",
        "trace": [
            {"file": "solvers/dfs.py", "line": 9, "function": "solve", "code": "return self._walk(maze)"},
            {"file": "solvers/dfs.py", "line": 17, "function": "_walk", "code": "cell = stack.pop()"},
        ],
    }
    import_fault = {
        "kind": "SyntaxError",
        "message": "expected ':' (solvers/bfs.py, line 12)",
        "stage": "import",
        "trace": [{"file": "solvers/bfs.py", "line": 12, "function": "<module>", "code": "while queue"}],
    }
    changes: dict[str, dict[str, Any]] = {
        "dfs.no-way": {
            "status": "crashed",
            "message": on_a_maze("DFS", said("raised", what="IndexError: pop from empty list")),
            "counterexample": solver(
                "DFS",
                ISLAND,
                side(None),
                {
                    "text": said("raised", what="IndexError: pop from empty list"),
                    "moves": None,
                    "visits": [[1, 1], [1, 2], [1, 3], [2, 3], [2, 2], [2, 1]],
                    "fault": call_fault,
                },
            ),
        }
    }
    for key in CHECKS["bfs"]:
        changes[f"bfs.{key}"] = {
            "status": "crashed",
            "message": "solvers/bfs.py could not be loaded: SyntaxError: expected ':'.",
            "counterexample": solver(
                "BFS",
                ROOM,
                side("NE", "22 12 23 32 21 13"),
                {"text": said("raised_at_import", what="SyntaxError"), "fault": import_fault},
            ),
        }
    for key in CHECKS["generator"]:
        changes[f"generator.{key}"] = {
            "status": "missing",
            "message": said("missing_file", file="generators/my_generator.py"),
        }
    for key in CHECKS["dijkstra"]:
        changes[f"dijkstra.{key}"] = _unwritten(key)
    return results("alan", changes, sandbox="bubblewrap")


def _unwritten(key: str) -> dict[str, Any]:
    """Return a solver's check as the template fails it; hidden checks show their outcome only."""
    if key in ("large", "hidden-mazes"):
        return {"status": "crashed", "visibility": "hidden", "message": said("hidden")}
    fault = {
        "kind": "NotImplementedError",
        "message": "",
        "stage": "call",
        "trace": [
            {
                "file": "solvers/dijkstra.py",
                "line": 18,
                "function": "solve",
                "code": "raise NotImplementedError",
            }
        ],
    }
    raised = said("raised", what="NotImplementedError")
    text = said("at_line", ending=raised, file="solvers/dijkstra.py", line=18, function="solve")
    return {
        "status": "crashed",
        "message": on_a_maze("Dijkstra", text),
        "counterexample": solver("Dijkstra", ROOM, side("NE", "22 12 23"), {"text": text, "fault": fault}),
    }


def timed_out() -> dict[str, Any]:
    """Return a solver that walks in circles, one that is slow on a large maze, a flood and a hog."""
    large = AldousBroder(Random(5)).generate(Factory(), Dimension(40, 40))
    visited = [list(cell) for cell in _depth_first(large)[:700]]
    late = {"kind": "timeout", "message": "", "stage": "call", "trace": []}
    changes: dict[str, dict[str, Any]] = {
        "dfs.cycles": {
            "status": "timeout",
            "message": "On maze A, DFS was still running when its time was over.",
            "counterexample": solver(
                "DFS",
                ROOM,
                side("NE", "22 12 13"),
                {
                    "text": said("timeout"),
                    "visits": [[2, 2], [1, 2], [1, 1], [2, 1]],
                }
                | {"moves": None, "pending": 5, "fault": None},
                parts_at=[1, 1],
                label="maze A",
            ),
        },
        "bfs.large": {
            "status": "timeout",
            "message": on_a_maze("BFS", said("timeout"), size="40 x 40"),
            "counterexample": solver(
                "BFS",
                large.to_text(),
                {"text": "a way of 120 moves", "moves": None, "visits": None},
                {"text": said("timeout"), "visits": visited, "pending": 81} | {"moves": None, "fault": late},
                label=said("a_maze", size="40 x 40"),
            ),
        },
        "dijkstra.large": {"status": "out-of-memory", "message": "Dijkstra used more memory than it may."},
        "dijkstra.cycles": {"status": "output-limit", "message": "Dijkstra printed more than it may."},
        "generator.perfect": {
            "status": "violation",
            "message": "MyGenerator answered the grader out of turn.",
        },
        "generator.other-seed": {
            "status": "skipped",
            "message": "Not run: an earlier call took all the time.",
        },
    }
    report = results("edsger", changes, sandbox="process", language="nb")
    report["exercises"][3]["output"] = "still here\n" * 4000
    return report


def _depth_first(maze: Maze) -> list[Vector]:
    order: dict[Vector, None] = {}
    stack = [maze.entry]
    while stack:
        cell = stack.pop()
        order[cell] = None
        stack += [cell + move for move in maze.valid_moves_at(cell) if cell + move not in order]
    return list(order)
