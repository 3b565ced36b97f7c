"""Edits of calls: to functions of the file itself, and with their arguments in another order."""

from __future__ import annotations

from grader.repairs import edits_of, source_of
from tests.grader.repairs.edited import bodies, read


def texts(text: str) -> set[str]:
    source = source_of(text.encode(), "solve")
    assert source is not None
    return {edit.apply(text) for edit in edits_of(source)}


CALLED = """
class BFS:
    def solve(self, maze, search):
        return self.way(maze, search) + [1]

    def way(self, maze, search):
        return self.way(search, maze) or maze
"""


def test_no_function_is_left_to_itself() -> None:
    made = texts(CALLED)
    assert CALLED.replace("self.way(maze, search) + [1]", "[1]") not in made
    assert CALLED.replace("self.way(search, maze) or maze", "maze") in made


def test_arguments_stay_where_they_bear_the_names_of_the_parameters() -> None:
    made = texts(CALLED)
    assert CALLED.replace("self.way(maze, search)", "self.way(search, maze)") not in made
    assert CALLED.replace("self.way(search, maze)", "self.way(maze, search)") in made


def test_what_a_heap_is_ordered_by_stays_in_its_order() -> None:
    source = read("heapq.heappush(heap, (cost, number))\npair = (cost, number)")
    made = bodies(source)
    assert "heapq.heappush(heap, (number, cost))\npair = (cost, number)" not in made
    assert "heapq.heappush(heap, (cost, number))\npair = (number, cost)" in made


def test_what_a_function_of_the_file_gives_is_turned_round_there() -> None:
    text = "class A:\n    def solve(self, maze):\n        return way(maze)\ndef way(x):\n    return x\n"
    made = texts(text)
    assert text.replace("way(maze)", "way(maze)[::-1]") not in made
    assert text.replace("return x", "return x[::-1]") in made
