"""The sample with something wrong in every exercise."""

from __future__ import annotations

from typing import Any

from grader.languages import said
from grader.results import in_english
from tests.grader.feedback.sample_parts import (
    A_MAZE,
    ISLAND,
    REGULAR,
    ROOM,
    gallery,
    on_a_maze,
    results,
    side,
    solver,
)

ORDER = "22 12 11 23 13 33 21 31 32"


CODE = """    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            if cell == maze.exit:
                return search.moves_to(cell)
            for move in reversed(maze.valid_moves_at(cell)):
                search.record(cell, move, cell + move)
        return None"""


def look_at() -> dict[str, Any]:
    """Return where a solver reverses the moves, with the lines that each step of ``bfs.visit-order`` ran."""
    file, line = "solvers/bfs.py", 14
    where = said("look_at", line=line, file=file)
    told: dict[str, Any] = {
        "file": file,
        "line": line,
        "after": False,
        "kind": "order",
        "message": said("look", where=where, question=said("look_order")),
        "checks": ["bfs.visit-order"],
        "code": {"first": 8, "lines": CODE.split("\n")},
    }
    return in_english(told)


def story() -> dict[str, Any]:
    """Return what that solver did, with the lines that each step of ``bfs.visit-order`` ran."""
    text = said("story_parts", count="2", came="(2, 1)", due="(1, 2)")
    step: dict[str, Any] = {"file": "solvers/bfs.py", "line": 11, "text": text, "values": {"cell": "(2, 1)"}}
    walk = [*[[11, 12, 14, 15, 10]] * 5, [], [11, 12, 13]]
    code = {"first": 8, "lines": CODE.split("\n")}
    recorded = {"check": "bfs.visit-order", "code": code, "walk": walk}
    return {"story": [in_english(step)], "recorded": recorded}


def wrong() -> dict[str, Any]:
    """Return results with something wrong in every exercise."""
    steps = [
        ("search.mark_as_pending((1, 1))", "None", "None"),
        ("search.record((1, 1), EAST, (1, 2))", "None", "None"),
        ("search.record((1, 2), SOUTH, (2, 2))", "None", "None"),
        ("search.record((1, 1), SOUTH, (2, 2))", "None", "None"),
        ("search.distance_to((2, 2))", "1", "2"),
    ]
    script = {
        "label": said("a_script"),
        "maze": None,
        "call": "search = Search()",
        "expected": {"text": "1", "steps": [{"call": c, "gives": e} for c, e, _ in steps]},
        "actual": {"text": "2", "steps": [{"call": c, "gives": a} for c, _, a in steps], "fault": None},
        "parts_at": 4,
        "reproduce": None,
    }
    cyclic = "+-+-+-+\n|S    |\n+ +-+ +\n|     |\n+-+-+ +\n|E    |\n+-+-+-+"
    again = {"file": "perfection.txt", "command": "maze perfect perfection.txt"}
    changes: dict[str, dict[str, Any]] = {
        "search.shorter-way": {
            "status": "failed",
            "message": "In step 5, distance_to((2, 2)) gave 2; expected 1.",
            "hint": "What does record do when it meets a cell that it knows already?",
            "counterexample": script,
        },
        "dfs.visit-order": {
            "status": "failed",
            "message": "On maze C, DFS visited (2, 1) as the 2nd cell; expected (1, 2).",
            "hint": "It looks as if West comes first. Which end of a stack do you take from, "
            "and which of the four neighbours was pushed last?",
            "misconception": {"id": "dfs.west-first"},
            "counterexample": solver(
                "DFS",
                REGULAR,
                side("WSE", ORDER),
                side("WSE", "22 21 31 32"),
                label="maze C",
                parts_at=[2, 1],
            ),
        },
        "dfs.hidden-mazes": {
            "status": "failed",
            "message": said("hidden"),
        },
        "bfs.valid-path": {
            "status": "failed",
            "message": on_a_maze(
                "BFS", said("returned", value="[north, north, east]; move 2 leaves the grid")
            ),
            "counterexample": solver("BFS", ROOM, side("NE"), side("NNE")),
        },
        "bfs.visit-order": {
            "status": "failed",
            "message": "On maze A, BFS visited (2, 1) as the 2nd cell; expected (1, 2).",
            "counterexample": solver(
                "BFS",
                ROOM,
                side("NE", "22 12 23 32 21 13"),
                side("EN", "22 12 32 21 23 11 13"),
                label="maze A",
                parts_at=[3, 2],
            ),
        },
        "dijkstra.no-way": {
            "status": "failed",
            "message": on_a_maze("Dijkstra", said("returned", value="[]; expected None")),
            "counterexample": solver(
                "Dijkstra", ISLAND, side(None), {"text": "[]", "moves": [], "visits": None}
            ),
        },
        "perfection.extra-passage": {
            "status": "failed",
            "message": "On a maze of 3 x 3, is_perfect returned True. Expected False.",
            "counterexample": {
                "label": A_MAZE,
                "maze": cyclic,
                "call": "PerfectionChecker().is_perfect(maze)",
                "expected": {"text": "False"},
                "actual": {"text": "True", "fault": None},
                "cycle": [[1, 1], [1, 2], [1, 3], [2, 3], [2, 2], [2, 1]],
                "unreachable": [],
                "reproduce": again,
            },
        },
        "perfection.missing-passage": {
            "status": "failed",
            "message": "On a maze of 3 x 3, is_perfect returned True. Expected False.",
            "counterexample": {
                "label": A_MAZE,
                "maze": ISLAND,
                "call": "PerfectionChecker().is_perfect(maze)",
                "expected": {"text": "False"},
                "actual": {"text": "True", "fault": None},
                "cycle": [[1, 1], [1, 2], [2, 2], [2, 1]],
                "unreachable": [[3, 1], [3, 2], [3, 3]],
                "reproduce": again,
            },
        },
        "generator.perfect": {
            "status": "failed",
            "message": "For a dimension of 2 x 3, MyGenerator made a maze with a cycle.",
            "counterexample": {
                "label": said("a_dimension", size="2 x 3"),
                "maze": "+-+-+-+\n|S    |\n+ + + +\n|   |E|\n+-+-+-+",
                "call": "MyGenerator(Random(3)).generate(Factory(), Dimension(2, 3))",
                "expected": {"text": said("a_perfect_maze", size="2 x 3")},
                "actual": {"text": "a maze with a cycle", "fault": None},
                "cycle": [[1, 1], [1, 2], [2, 2], [2, 1]],
                "unreachable": [],
                "reproduce": {
                    "file": None,
                    "command": "maze generate counterexample.txt -r 2 -c 3 --algorithm mine --seed 3",
                },
            },
        },
        "generator.same-seed": {
            "status": "failed",
            "message": "For a dimension of 2 x 2, MyGenerator made two mazes from one seed.",
            "counterexample": {
                "label": said("a_dimension", size="2 x 2"),
                "maze": None,
                "call": "MyGenerator(Random(3)).generate(Factory(), Dimension(2, 2))",
                "expected": {"text": "the same maze"},
                "actual": {
                    "text": "two mazes",
                    "mazes": ["+-+-+\n|S  |\n+ + +\n| |E|\n+-+-+", "+-+-+\n|S| |\n+ + +\n|  E|\n+-+-+"],
                    "fault": None,
                },
                "reproduce": None,
            },
        },
    }
    report = results("grace", changes, notes=["Left out: __pycache__/dfs.cpython-311.pyc (no source file)."])
    report["exercises"][2] |= {"look_at": look_at(), **story()}
    report["exercises"][-1]["gallery"] = gallery(break_more=4)
    return report
