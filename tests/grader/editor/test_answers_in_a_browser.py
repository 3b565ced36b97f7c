"""What the page says of a maze is what the reference says, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from grader.course.plan import describe_perfection, describe_way
from grader.editor.server import open_maze, render
from grader.exercises.kit.facts import facts_of
from lab import Dimension, Factory, Maze, MazeFormatError, Vector
from lab.costs import draw_costs, has_costs
from lab.maze_format import lines_of, parse
from reference.generators.wilson import Wilson

ANSWERS = """texts => texts.map(text => {
  const maze = mazes.parse(text);
  const facts = mazes.factsOf(maze);
  const cells = list => list.map(cell => [mazes.row(maze, cell) + 1, mazes.column(maze, cell) + 1]);
  return {
    text: mazes.toText(maze), perfect: mazes.perfection(maze, facts), way: mazes.wayText(maze, facts.way),
    cheapest: mazes.hasCosts(maze) ? mazes.wayText(maze, facts.cheapest) : "",
    islands: cells(facts.islands), cycle: cells(facts.cycle),
    deep: cells(facts.deep), preorder: cells(facts.preorder), broad: cells(facts.broad),
  };
})"""


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Any:
    (tmp_path / "page.html").write_text(render(open_maze(None), saves_to=None), encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    yield page
    context.close()


def drawn_mazes(count: int) -> Iterator[str]:
    """Yield perfect mazes, ones with cycles, islands or both, and single cells; some lack an exit."""
    rng = Random(15)
    yield "+-+\n|S|\n+-+"
    for number in range(count - 1):
        dimension = Dimension(rng.randint(1, 7), rng.randint(2, 7))
        maze = _perfect(dimension, rng) if number % 3 else Factory().fully_disconnected(dimension)
        _change(maze, rng, share=rng.choice((0, 0.1, 0.4)) if number % 3 else rng.random())
        if number % 4 == 0:
            draw_costs(maze, range(1, rng.randint(2, 10)), rng)
        yield _marked(maze, rng)


def _perfect(dimension: Dimension, rng: Random) -> Maze:
    return Wilson(rng).generate(Factory(), dimension)


def _change(maze: Maze, rng: Random, *, share: float) -> None:
    """Flip this share of the inner walls."""
    for cell in maze.dimension.all_positions():
        for move in maze.moves_at(cell)[1:]:
            if rng.random() < share:
                (maze.break_wall if maze.is_wall(cell, move) else maze.build_wall)(cell, move)


def _marked(maze: Maze, rng: Random) -> str:
    """Put entry and exit anywhere, sometimes without an exit; return the text."""
    lines = [list(line) for line in maze.to_text().replace("S", " ").replace("E", " ").split("\n")]
    places = rng.sample(maze.dimension.all_positions(), 2)
    for place, mark in zip(places, "S " if rng.random() < 0.15 else "SE", strict=True):
        lines[2 * place.row - 1][2 * place.column - 1] = mark
    return "\n".join(map("".join, lines))


def pairs(cells: Sequence[Vector]) -> list[list[int]]:
    return [[cell.row, cell.column] for cell in cells]


def by_the_reference(text: str) -> dict[str, object]:
    facts = facts_of(text)
    ways, orders = facts.ways["bfs"], facts.orders
    assert orders["bfs"] == orders["dijkstra"]
    return {
        "text": text,
        "perfect": describe_perfection(facts),
        "way": describe_way(ways[0] if ways else None, facts.maze),
        "cheapest": describe_way(facts.cheapest_way, facts.maze) if has_costs(facts.maze) else "",
        "islands": pairs(facts.islands),
        "cycle": pairs(facts.cycle),
        "deep": pairs(orders["dfs"][0]),
        "preorder": pairs(orders["dfs"][-1]),
        "broad": pairs(orders["bfs"][0]),
    }


def test_a_thousand_mazes_get_the_answers_of_the_reference(page: Page) -> None:
    texts = list(drawn_mazes(1000))
    wanted = [by_the_reference(text) for text in texts]
    kinds = [(each["perfect"] == "yes", bool(each["islands"]), bool(each["cycle"])) for each in wanted]
    assert min(map(kinds.count, set(kinds))) > 30
    assert len(set(kinds)) == 4
    assert page.evaluate(ANSWERS, texts) == wanted


def test_what_is_no_maze_for_the_lab_is_none_for_the_page(page: Page) -> None:
    """Every drawing with one character put in the place of another."""
    good = "+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+"
    texts = [
        good[:at] + character + good[at + 1 :] for at in range(len(good)) for character in "+-| SEx129\n"
    ]
    texts += ["", "+-+", "\n\n" + good + "\r\n", good.replace("\n", "\r\n"), good + "\n+-+-+"]
    script = "texts => texts.map(text => { try { mazes.parse(text); return true; } catch { return false; } })"
    assert page.evaluate(script, texts) == [is_maze(text) for text in texts]


def is_maze(text: str) -> bool:
    try:
        parse(lines_of(text))
    except MazeFormatError:
        return False
    return True
