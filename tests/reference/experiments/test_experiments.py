"""What the experiments count, in cases that can be counted otherwise, and what they write."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest

from reference.experiments import cover, texture, visited
from reference.experiments.results import Table
from reference.generators.registry import GENERATORS

SMALL = [
    (cover, {"sizes": [2, 4], "mazes": 5}),
    (visited, {"size": 4, "mazes": 3}),
    (texture, {"size": 4, "mazes": 3}),
]
NAMES = ["cover", "visited", "texture"]


def numbers(table: Table, column: str) -> list[float]:
    return [float(cell) for cell in table.column(column)]


@pytest.mark.parametrize(("experiment", "chosen"), SMALL, ids=NAMES)
def test_the_same_seed_gives_the_same_table_and_plot(
    experiment: ModuleType, chosen: dict[str, object], tmp_path: Path
) -> None:
    table = experiment.measure(**chosen, seed=1)
    assert table == experiment.measure(**chosen, seed=1)
    assert table != experiment.measure(**chosen, seed=2)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        experiment.plot(table, tmp_path / folder / "plot.svg")
    assert (tmp_path / "a/plot.svg").read_bytes() == (tmp_path / "b/plot.svg").read_bytes()


def test_no_walk_covers_a_grid_in_fewer_steps_than_it_has_new_cells() -> None:
    table = cover.measure(sizes=[2, 3, 8], mazes=20, seed=1)
    for name in ("Aldous-Broder", "Wilson"):
        counted = [numbers(table, f"{name}, {what}") for what in ("least", "median", "most")]
        for cells, least, median, most in zip(numbers(table, "cells"), *counted, strict=True):
            assert cells - 1 <= least <= median <= most


def test_breadth_first_and_dijkstra_visit_alike_and_go_shortest_ways() -> None:
    table = visited.measure(size=6, mazes=10, seed=1)
    assert table.column("BFS, visited") == table.column("Dijkstra, visited")
    assert table.column("BFS, moves") == table.column("Dijkstra, moves")
    assert table.column("texture") == [*GENERATORS, "Wilson, with cycles", "An empty room"]
    ways = list(zip(numbers(table, "DFS, moves"), numbers(table, "BFS, moves"), strict=True))
    assert all(deep == short for deep, short in ways[: len(GENERATORS)])  # one way joins any two cells
    assert all(deep > short for deep, short in ways[len(GENERATORS) :])


def test_a_table_is_aligned_and_its_csv_can_be_read() -> None:
    table = Table(("name", "steps"), (("a, b", 1.25), ("c", 12)))
    assert table.to_text() == "name  steps\na, b    1.2\nc        12"
    assert list(csv.reader(StringIO(table.to_csv()))) == [["name", "steps"], ["a, b", "1.25"], ["c", "12"]]
