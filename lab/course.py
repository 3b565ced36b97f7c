"""What each course has of its own: its exercises, as declared, and points."""

from typing import Final

COURSE: Final = (
    {
        "id": "search",
        "title": "The search",
        "file": "solvers/search.py",
        "name": "Search",
        "kind": "script",
        "calls": (("record", ("start", "move", "end")),),
    },
    {
        "id": "dfs",
        "title": "Depth-first search",
        "file": "solvers/dfs.py",
        "name": "DFS",
        "kind": "solver",
        "calls": (("solve", ("maze", "search")),),
        "takes": "last found",
    },
    {
        "id": "bfs",
        "title": "Breadth-first search",
        "file": "solvers/bfs.py",
        "name": "BFS",
        "kind": "solver",
        "calls": (("solve", ("maze", "search")),),
        "takes": "first found",
    },
    {
        "id": "dijkstra",
        "title": "Dijkstra's algorithm",
        "file": "solvers/dijkstra.py",
        "name": "Dijkstra",
        "kind": "solver",
        "calls": (("solve", ("maze", "search")),),
        "takes": "closest",
    },
    {
        "id": "perfection",
        "title": "Perfect mazes",
        "file": "perfection_checker.py",
        "name": "PerfectionChecker",
        "kind": "checker",
        "calls": (("is_perfect", ("maze",)),),
    },
    {
        "id": "generator",
        "title": "Your own generator",
        "file": "generators/my_generator.py",
        "name": "MyGenerator",
        "kind": "maker",
        "calls": (("generate", ("factory", "dimension")),),
    },
)

POINTS: Final[dict[str, dict[str, float]]] = {
    "search": {
        "new-cell": 3,
        "known-cell": 3,
        "shorter-way": 3,
        "order": 2,
        "way-back": 2,
        "separate": 2,
    },
    "dfs": {
        "valid-path": 4,
        "no-way": 3,
        "cycles": 3,
        "visit-order": 4,
        "shapes": 1,
        "unchanged": 1,
        "repeat": 2,
    },
    "bfs": {
        "valid-path": 3,
        "shortest": 4,
        "no-way": 2,
        "cycles": 2,
        "visit-order": 3,
        "shapes": 1,
        "unchanged": 1,
        "repeat": 2,
    },
    "dijkstra": {
        "valid-path": 1,
        "shortest": 3,
        "no-way": 2,
        "cycles": 1,
        "visit-order": 2,
        "shapes": 1,
        "unchanged": 1,
        "repeat": 2,
    },
    "perfection": {
        "perfect": 1,
        "extra-passage": 2,
        "missing-passage": 2,
        "cycle-and-island": 2,
        "shapes": 1,
        "entry-and-exit": 1,
        "unchanged": 1,
        "repeat": 2,
        "true-or-false": 1,
    },
    "generator": {
        "perfect": 7,
        "dimension": 1,
        "entry-and-exit": 1,
        "same-seed": 1,
        "other-seed": 1,
        "again": 1,
        "repeat": 1,
        "own-work": 1,
    },
}
"""The points of each check that students see, by exercise, as the rubric gives them."""

HIDDEN_POINTS: Final[dict[str, float]] = {
    "dfs": 2,
    "bfs": 2,
    "dijkstra": 2,
    "perfection": 2,
    "generator": 1,
}
"""The points of the hidden checks of each exercise, together."""

BY_PERSON: Final[dict[str, float]] = {}
"""The points of the checks of each exercise that a person marks, together."""

PARTIAL: Final = 0.5
"""The part of its points that a check gives of which nearly all cases are right."""

PYTHON: Final = (3, 11)
"""The version of Python that grades."""
