"""Writes the sample results in ``data/``: ``python tests/grader/feedback/make_samples.py``.

They are what the engine writes for a right submission, a wrong one, one that crashes, one that
runs into its limits and a hostile one, kept as files so that the pages can be tested alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from grader.languages import Message, said
from grader.results import in_english
from lab import Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder

DATA = Path(__file__).parent / "data"
ROOM = "+-+-+-+\n|    E|\n+ + + +\n|  S  |\n+ + + +\n|     |\n+-+-+-+"
REGULAR = "+-+-+-+\n|   | |\n+-+ + +\n|  S  |\n+ +-+ +\n|  E| |\n+-+-+-+"
ISLAND = "+-+-+-+\n|S    |\n+ + + +\n|   | |\n+-+-+-+\n| |  E|\n+-+-+-+"
TITLES = {
    "search": "The search",
    "dfs": "Depth-first search",
    "bfs": "Breadth-first search",
    "dijkstra": "Dijkstra's algorithm",
    "perfection": "Perfect mazes",
    "generator": "Your own generator",
}
SOLVER = {
    "valid-path": "The way leads from the entry to the exit",
    "no-way": "None where there is no way",
    "cycles": "Mazes with cycles",
    "visit-order": "North, East, South, West: the visit order",
    "large": "Large mazes",
    "hidden-mazes": "More mazes",
}
CHECKS = {
    "search": {
        "new-cell": "A new cell is found",
        "shorter-way": "A known cell is found again, by a shorter way",
        "order": "Pending cells come out in the right order",
    },
    "dfs": SOLVER,
    "bfs": SOLVER,
    "dijkstra": SOLVER,
    "perfection": {
        "perfect": "Perfect mazes are recognised",
        "extra-passage": "One passage too many",
        "missing-passage": "One passage too few",
    },
    "generator": {
        "perfect": "The mazes are perfect",
        "same-seed": "The same seed gives the same maze",
        "other-seed": "Other seeds give other mazes",
    },
}
A_MAZE = said("a_maze", size="3 x 3")
MOVES = {"N": [-1, 0], "E": [0, 1], "S": [1, 0], "W": [0, -1]}
NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def on_a_maze(solver: str, finding: Message, *, size: str = "3 x 3") -> Message:
    return said("on_a_maze", label=said("a_maze", size=size), solver=solver, finding=finding)


def check(identity: str, /, *, status: str = "passed", points: float = 5.0, **more: Any) -> dict[str, Any]:
    data = {
        "id": identity,
        "status": status,
        "score": points if status == "passed" else 0.0,
        "max_score": points,
        "visibility": "hidden" if identity.endswith("hidden-mazes") else "public",
        "message": "",
        "hint": "",
        "misconception": None,
        "counterexample": None,
        **more,
    }
    return in_english(data)


def results(name: str, changes: dict[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Results in which every check passes, but for the changes by the id of the check."""
    exercises = []
    for exercise, titles in CHECKS.items():
        checks = [
            check(f"{exercise}.{key}", **{"title": title} | changes.get(f"{exercise}.{key}", {}))
            for key, title in titles.items()
        ]
        exercises.append(
            {
                "id": exercise,
                "title": TITLES[exercise],
                "score": sum(c["score"] for c in checks),
                "max_score": sum(c["max_score"] for c in checks),
                "checks": checks,
                "output": "",
                "gallery": [],
            }
        )
    return {
        "schema": 1,
        "submission": name,
        "title": "Mazes as graphs",
        "language": "en",
        "score": sum(e["score"] for e in exercises),
        "max_score": sum(e["max_score"] for e in exercises),
        "sandbox": "docker",
        "isolation": "A container without network, of its own, thrown away afterwards.",
        "notes": [],
        "exercises": exercises,
        "timing": {},
        **more,
    }


def side(way: str | None, visits: str = "", **more: Any) -> dict[str, Any]:
    """One side of a solver's example: moves as letters, visits as "22 12 13"."""
    names = "None" if way is None else "[" + ", ".join(NAMES[letter] for letter in way) + "]"
    return {
        "text": names,
        "moves": None if way is None else [MOVES[letter] for letter in way],
        "visits": [[int(cell[0]), int(cell[1])] for cell in visits.split()] or None,
        **more,
    }


def solver(name: str, maze: str, expected: Any, actual: Any, **more: Any) -> dict[str, Any]:
    return {
        "label": more.pop("label", A_MAZE),
        "maze": maze,
        "call": f"{name}().solve(maze, Search())",
        "expected": expected,
        "actual": actual,
        "parts_at": None,
        "reproduce": {
            "file": "counterexample.txt",
            "command": f"maze solve counterexample.txt --algorithm {name} --visited",
        },
        **more,
    }


def gallery(break_more: int = 0) -> list[dict[str, Any]]:
    shown = []
    for seed, (rows, columns) in enumerate(((5, 5), (8, 12), (12, 12))):
        rng = Random(seed)
        maze = AldousBroder(rng).generate(Factory(), Dimension(rows, columns))
        for _ in range(break_more):
            maze.break_wall(Vector(rng.randint(1, rows), rng.randint(1, columns - 1)), Vector(0, 1))
        shown.append({"rows": rows, "columns": columns, "seed": seed, "maze": maze.to_text()})
    return shown


def right() -> dict[str, Any]:
    report = results("ada", {})
    report["exercises"][-1]["gallery"] = gallery()
    report["exercises"][1]["output"] = "solving\nsolved in 12 steps\n"
    return report


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
    """Where a solver reverses the moves, with the lines that ran at each step of ``bfs.visit-order``."""
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
        "walk": {"check": "bfs.visit-order", "lines": [*[[11, 12, 14, 15, 10]] * 5, [], [11, 12, 13]]},
    }
    return in_english(told)


def wrong() -> dict[str, Any]:
    """Every exercise has something wrong with it."""
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
    python = 'python -c "from lab import Maze; from perfection_checker import PerfectionChecker; '
    python += "print(PerfectionChecker().is_perfect(Maze.from_file('counterexample.txt')))\""
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
                "reproduce": {"file": "counterexample.txt", "command": python},
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
                "reproduce": {"file": "counterexample.txt", "command": python},
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
    report["exercises"][2]["look_at"] = look_at()
    report["exercises"][-1]["gallery"] = gallery(break_more=4)
    return report


def crashed() -> dict[str, Any]:
    """An exception in a call, one at import, and files that are missing."""
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
    """A check of a solver as the template has it; hidden ones show their outcome only."""
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
    """A solver that walks in circles, one that is slow on a large maze, a flood and a hog."""
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


EVIL = (
    '</script><script>alert(1)</script><img src=x onerror=alert(2)>"><svg onload=alert(3)>'
    "{{ 7 * 7 }}{% raw %} =HYPERLINK(1) "
    "\x1b[31mred\x07 \u202egnp.exe\u2066 \x00\u200b `code` [a](javascript:alert(4))"
)


def hostile() -> dict[str, Any]:
    """Every text of the submission tries to be something else."""
    fault = {
        "kind": EVIL,
        "message": EVIL + "\n" + EVIL,
        "stage": EVIL,
        "trace": [{"file": EVIL, "line": EVIL, "function": EVIL, "code": EVIL}],
    }
    example = solver(EVIL, ROOM, side("NE", "22 12 13"), side("NE", "22 21 11"), label=EVIL, parts_at=[2, 1])
    example["actual"] |= {"text": EVIL, "fault": fault, "mazes": [EVIL]}
    example["reproduce"] = {"file": EVIL, "command": EVIL}
    broken = {
        "maze": EVIL,
        "expected": [EVIL],
        "actual": {"moves": [[1, 2, 3], "x"], "visits": 7, "steps": [3]},
    }
    far = solver(
        "DFS", ROOM, side("NE", "99 22"), {"text": "x", "moves": [[10**9, -5]], "visits": [[10**12, 0]]}
    )
    changes: dict[str, dict[str, Any]] = {
        "search.order": {
            "status": EVIL,
            "message": EVIL,
            "hint": EVIL,
            "title": EVIL,
            "counterexample": example,
            "said": {
                "message": [EVIL, {EVIL: EVIL}],
                "hint": ["said.a_maze", {EVIL: EVIL}],
                "counterexample.label": ["said.a_maze", {"size": [EVIL]}],
                "counterexample.expected.text": ["said.no_way", {}, EVIL],
                EVIL: EVIL,
            },
        },
        "dfs.cycles": {"status": "crashed", "message": EVIL, "counterexample": broken},
        "bfs.cycles": {"status": "failed", "message": 17, "counterexample": far | {"parts_at": [10**9, 1]}},
        "dijkstra.cycles": {"status": "failed", "counterexample": EVIL, "misconception": {"id": EVIL}},
    }
    report = results(EVIL, changes, title=EVIL, notes=[EVIL, 3], sandbox=EVIL, isolation=EVIL, language=EVIL)
    report["exercises"][1]["output"] = EVIL * 50
    report["exercises"][2]["id"] = '"><b>'
    report["exercises"][0]["look_at"] = {
        **dict.fromkeys(("file", "message", "kind", "after"), EVIL),
        "line": 3,
        "checks": ["search.order", EVIL],
        "code": {"first": 2, "lines": [EVIL, EVIL, 3]},
        "walk": {"check": "search.order", "lines": [[EVIL, -1, 2**60, True, 3, [2]], EVIL, [10**9, 2]]},
    }
    report["exercises"][5]["gallery"] = [{"rows": EVIL, "columns": 1, "seed": EVIL, "maze": EVIL}, None]
    report["exercises"] += [
        None,
        {"id": "dfs", "title": None, "checks": None, "score": "x", "max_score": 1e400},
    ]
    return report


SAMPLES = {"right": right, "wrong": wrong, "crashed": crashed, "timed-out": timed_out, "hostile": hostile}

if __name__ == "__main__":
    for name, make in SAMPLES.items():
        text = json.dumps(make(), indent=1, ensure_ascii=True)
        (DATA / f"{name}.json").write_text(text + "\n", encoding="utf-8")
