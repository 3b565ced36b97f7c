"""Makes docs/gallery.md and its pictures, and those of the handout: ``python docs/make_gallery.py [FOLDER]``.

The same commit makes the same page: every maze comes from a fixed seed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from typing import Any

from lab import Dimension, Factory, Maze
from lab.generators import AldousBroder
from lab.render.animation import to_animated_svg
from lab.render.film import Film, film_generator, film_left_hand, film_solver
from lab.render.gallery import LABELS, exhibit, figure_texts, to_sheet
from lab.render.gif import write_gif
from lab.render.graph import to_graph_svg, to_two_graphs_svg
from lab.render.norvig import to_norvig
from lab.render.player import to_html
from lab.render.plot import save_plot
from lab.render.svg import to_svg
from lab.render.text import draw
from lab.texture import MEASURES, solution
from lab.walker import left_hand
from reference import other_grids
from reference.branching import measure, plot, table
from reference.experiments import cover, texture, visited
from reference.generators.moler_walk import MolerWalk
from reference.generators.path_cutter import PathCutter
from reference.generators.random_tree import RandomTree
from reference.generators.recursive_division import RecursiveDivision
from reference.generators.registry import GENERATORS
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from reference.three_dimensions import Cell, make, solve
from reference.three_dimensions import draw as draw_tower

HERE = Path(__file__).parent
HANDOUT = HERE.parent / "student_template"
SAMPLES = 100
SIZES = (5, 10, 15, 20, 25, 30)
MAZES = 100
EXPERIMENTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "cover": (cover, {"sizes": (5, 10, 15, 20, 25, 30), "mazes": 100}),
    "visited": (visited, {"size": 15, "mazes": 100}),
    "texture": (texture, {"size": 15, "mazes": 100}),
}
"""What the commands measure where nothing else is asked for."""

MADE = re.compile(r"(<!-- (\w+) -->).*?(<!-- end -->)", re.DOTALL)
"""What is made in the page: between the name of it and an end."""
LOOP = """\
+-+-+-+-+-+
|S        |
+ +-+-+-+ +
| |     | |
+ + +-+ + +
| | |E|   |
+ + + +-+ +
| |     | |
+ +-+-+-+ +
|         |
+-+-+-+-+-+"""
"""The walls around the exit hang together with no wall of the border."""


def main(folder: Path = HERE) -> None:
    """Write the page and its pictures into the folder."""
    pictures = folder / "gallery"
    pictures.mkdir(parents=True, exist_ok=True)
    for name, drawing in drawings().items():
        _write(pictures / name, drawing)
    maze = sample()
    way = solution(maze)
    save_plot(maze, pictures / "plot.png", solution=way)
    write_gif(films()["making-moler"], pictures / "making-moler.gif")
    averages = measure(SIZES, mazes=MAZES, seed=1)
    plot(averages, pictures / "branching.svg", mazes=MAZES)
    found = {name: experiment.measure(**chosen, seed=1) for name, (experiment, chosen) in EXPERIMENTS.items()}
    for name, (experiment, _) in EXPERIMENTS.items():
        experiment.plot(found[name], pictures / f"{name}.svg")
    exhibits = exhibit(GENERATORS, Dimension(10, 10), seed=1, samples=SAMPLES)
    _write(pictures / "generators.svg", to_sheet(exhibits, samples=SAMPLES))
    head = "| generator | " + " | ".join(label.lower() for label in LABELS.values()) + " |"
    rule = "| --- |" + " ---: |" * len(LABELS)
    rows = [f"| {one.name} | " + " | ".join(figure_texts(one.figures).values()) + " |" for one in exhibits]
    measures = [f"- **{LABELS[name]}**: {text}." for name, text in MEASURES.items()]
    texts = {
        "lab": draw(maze, solution=way),
        "norvig": to_norvig(maze),
        "branching": table(averages),
        "tower": tower(),
        **{name: found[name].to_text() for name in EXPERIMENTS},
    }
    made = {
        "samples": f"{SAMPLES}",
        "figures": "\n".join(["", head, rule, *rows, ""]),
        "measures": "\n".join(["", *measures, ""]),
        "mazes": f"{MAZES}",
        "steps": f"{len(left_hand(Maze.from_text(LOOP)).steps)}",
        **{name: f"\n```\n{text}\n```\n" for name, text in texts.items()},
    }
    page = (HERE / "gallery.md").read_text(encoding="utf-8")
    _write(folder / "gallery.md", re.sub(MADE, lambda found: f"{found[1]}{made[found[2]]}{found[3]}", page))


def sample() -> Maze:
    """Return the maze that the page shows in every form."""
    return AldousBroder(Random(4)).generate(Factory(), Dimension(8, 12))


def drawings() -> dict[str, str]:
    """Return the pictures of the page for which nothing is measured, by the name of their file."""
    maze, shown = sample(), films()
    way = solution(maze)
    return {
        "maze.svg": to_svg(maze, solution=way, title="A maze with its solution"),
        "graph.svg": to_graph_svg(maze, solution=way, title="The same maze as a graph"),
        "two-graphs.svg": to_two_graphs_svg(maze, title="Barriers, and cells"),
        **{f"{name}.svg": to_animated_svg(film) for name, film in shown.items()},
        "making-moler.html": to_html(shown["making-moler"]),
        "rings.svg": _other_grid(other_grids.rings(8), "A maze of rings"),
        "triangles.svg": _other_grid(other_grids.triangles(12), "A maze of triangles"),
    }


def _other_grid(outlines: other_grids.Outlines, title: str) -> str:
    """Draw a maze on a grid of another kind, with the way from its first cell to its last."""
    passages, (first, *_, last) = other_grids.make(outlines, Random(3)), outlines
    return other_grids.draw(outlines, passages, other_grids.way(passages, first, last), title=title)


def handout_pictures() -> dict[str, str]:
    """Return the pictures of the handout, by the name of their file."""
    shown, sample = films(), Maze.from_file(HANDOUT / "sample_maze.txt")
    graphs = {"a": "a_empty_room", "b": "b_long_corridor", "c": "c_regular_maze"}
    return {
        "dfs.svg": to_animated_svg(shown["solving-dfs"]),
        "bfs.svg": to_animated_svg(shown["solving-bfs"]),
        "maze.svg": to_svg(sample),
        "graph.svg": to_graph_svg(sample),
        **{
            f"{letter}.svg": to_graph_svg(Maze.from_file(HANDOUT / f"mazes/{name}.txt"))
            for letter, name in graphs.items()
        },
    }


def films() -> dict[str, Film]:
    """Return the films of the page, by the name of their file."""
    size = Dimension(7, 10)
    maze = MolerWalk(Random(5)).generate(Factory(), size)
    return {
        "making-random-walk": film_generator(AldousBroder(Random(2)), size, title="Aldous-Broder at work"),
        "making-division": film_generator(
            RecursiveDivision(Random(2)), size, title="Recursive division at work"
        ),
        "making-tree": film_generator(RandomTree(Random(2)), size, title="A random tree grows"),
        "making-moler": film_generator(MolerWalk(Random(2)), size, title="Moler's walk at work"),
        "making-cutter": film_generator(PathCutter(Random(2)), size, title="A path cutter at work"),
        "solving-bfs": film_solver(maze, BFS, Search, title="Breadth-first search"),
        "solving-dfs": film_solver(maze, DFS, Search, title="Depth-first search"),
        "left-hand": film_left_hand(maze, title="The left-hand rule"),
        "left-hand-defeated": film_left_hand(Maze.from_text(LOOP), title="The left-hand rule, defeated"),
    }


def tower() -> str:
    """Draw a maze of three levels with its way, level by level."""
    made = make(3, 4, 8, Random(11))
    return draw_tower(made, way=solve(made, Cell(1, 1, 1), made.size) or ())


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
    for name, drawing in handout_pictures().items():
        _write(HANDOUT / "pictures" / name, drawing)
