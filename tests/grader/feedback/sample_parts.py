"""Parts of the samples: checks, exercises, and both sides of a counterexample."""

from __future__ import annotations

from random import Random
from typing import Any

from grader.languages import Message, said
from grader.results import in_english
from lab import Dimension, Factory, Vector
from lab.generators import AldousBroder

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
    """Return results in which every check passes, except for the changes by check id."""
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
    """Return one side of a solver's example: moves as letters, visits as "22 12 13"."""
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
