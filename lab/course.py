"""The exercises of this course, as their folders declare them; each kit has its own."""

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
