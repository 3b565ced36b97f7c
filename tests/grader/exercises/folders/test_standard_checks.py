"""The checks that an exercise has by what it is given: a maze with drawn arguments, or a source of luck."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.commands.course import explanation
from grader.course.plan import Plan, load_plan
from grader.release.kit import kit_of
from grader.release.secrets import collect_secrets, find_leaks
from tests.grader.exercises.folders.made_folders import JUDGE, TEXTS, YAML, course, dead_ends
from tests.grader.exercises.folders.test_answers import graded, statuses

pytestmark = pytest.mark.processes

TOLL = """
    def cost(maze, toll):
        return toll * len(maze.dimension.all_positions()) + len(maze.valid_moves_at(maze.entry))
"""
CELL = """
    def some_cell(maze, rng):
        return rng.choice(maze.dimension.all_positions())
"""


def failed(plan: Plan, code: str, file: str) -> set[str]:
    return {name for name, status in statuses(graded(plan, {file: code})).items() if status != "passed"}


@pytest.mark.usefixtures("_untraced")
def test_a_maze_beside_drawn_arguments_is_left_alone_and_asked_about_again(tmp_path: Path) -> None:
    files = {
        "exercise.yaml": """
            id: tolls
            file: tolls.py
            function: cost
            arguments: [maze, toll]
            returns: number
            checks:
              all: [few]
        """,
        "cases.py": """
            from lab import Dimension, Factory

            def few(rng):
                return [
                    {"maze": Factory().fully_connected(Dimension(2, size)), "toll": rng.randrange(9)}
                    for size in range(2, 12)
                ]
        """,
        "reference.py": TOLL,
    }
    plan = load_plan(course(tmp_path, files, {"all": 80, "unchanged": 10, "repeat": 10}, id_="tolls"))
    assert failed(plan, TOLL, "tolls.py") == set()
    changes = TOLL.replace("return", "was = maze.copy(); maze.build_wall((1, 1), (0, 1)); maze = was; return")
    assert failed(plan, changes, "tolls.py") == {"unchanged"}
    first = TOLL.replace("    def", "    KNOWN = []\n    def")
    remembers = first.replace("return", "KNOWN.append(toll); toll = KNOWN[0]; return")
    assert failed(plan, remembers, "tolls.py") == {"repeat"}


@pytest.mark.usefixtures("_untraced")
def test_the_same_seed_gives_the_same_answer_and_another_seed_another(tmp_path: Path) -> None:
    files = {
        "exercise.yaml": """
            id: lots
            file: lots.py
            function: some_cell
            arguments: [maze, rng]
            checks:
              inside: [way, cycles]
        """,
        "reference.py": CELL,
        "judge.py": """
            def judge(arguments, returned, expected):
                cells = arguments["maze"].dimension.all_positions()
                return None if returned in cells else ("no_cell", {})
        """,
    }
    checks = {"inside": 60, "same-seed": 20, "other-seed": 20}
    plan = load_plan(course(tmp_path, files, checks, id_="lots"))
    assert failed(plan, CELL, "lots.py") == set()
    of_the_module = CELL.replace("rng.choice", "__import__('random').choice")
    assert "same-seed" in failed(plan, of_the_module, "lots.py")
    assert failed(plan, CELL.replace("rng.choice", "max"), "lots.py") == {"other-seed"}
    assert failed(plan, CELL.replace("return", "return None or 1/0 or"), "lots.py") == {*checks}


def test_a_reference_with_an_ordinary_search_gives_no_secret_away(tmp_path: Path) -> None:
    code = """
        from collections import deque

        def count_dead_ends(maze):
            parents, queue = {maze.entry: None}, deque([maze.entry])
            while queue:
                cell = queue.popleft()
                for move in maze.valid_moves_at(cell):
                    if cell + move not in parents:
                        parents[cell + move] = move
                        queue.append(cell + move)
            return len(parents)
    """
    plan = load_plan(dead_ends(tmp_path, {"reference.py": code}))
    assert find_leaks(kit_of(plan).files, collect_secrets(plan)) == []


@pytest.mark.usefixtures("_untraced")
def test_a_judge_is_told_which_cells_a_solver_visits(tmp_path: Path) -> None:
    files = {
        "exercise.yaml": """
            id: looks
            file: looks.py
            class: Looks
            method: solve
            arguments: [maze, search]
            returns: moves
            checks:
              looks: [way]
        """,
        "reference.py": """
            class Looks:
                def solve(self, maze, search):
                    for cell in maze.dimension.all_positions():
                        maze.valid_moves_at(cell)
                    return []
        """,
        "judge.py": """
            def judge(arguments, returned, expected):
                cells = arguments["maze"].dimension.all_positions()
                visits = arguments["visits"]
                return None if returned is not None and visits in (None, [*cells]) else ("does_not_look", {})
        """,
    }
    plan = load_plan(course(tmp_path, files, {"looks": 100}, id_="looks"))
    assert failed(plan, files["reference.py"], "looks.py") == set()
    backwards = files["reference.py"].replace("all_positions()", "all_positions()[::-1]")
    assert failed(plan, backwards, "looks.py") == {"looks"}


@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("judge", [{}, {"judge.py": JUDGE, "texts/en.toml": TEXTS}])
def test_an_answer_that_is_right_in_most_cases_earns_nothing(tmp_path: Path, judge: dict[str, str]) -> None:
    code = """
        def count_dead_ends(maze):
            return 1 if maze.dimension.position_count > 13 else 0
    """
    yaml = YAML.replace("[way, cycles]", "[few]").replace("corridors: [shapes]", "hidden-mazes: [hidden]")
    files = {
        "exercise.yaml": yaml,
        "cases.py": """
            from lab import Dimension, Factory

            def few(rng):
                make = Factory().fully_connected
                return [{"maze": make(Dimension(1, 2 + number // 4))} for number in range(51)]
        """,
        "reference.py": code,
        **judge,
    }
    path = course(tmp_path, {**files}, {"rooms": 100})
    plan = load_plan(path)
    (check,) = plan.exercises[0].checks
    assert (len(check.cases), len(check.rare)) == (51, 3)
    assert "  one answer is right in 48" in explanation(plan)
    assert graded(plan, {"dead_ends.py": "def count_dead_ends(maze): return 0"})["score"] == 0
    nearly = code.replace("> 13", "> 12")
    assert 50 <= graded(plan, {"dead_ends.py": nearly})["score"] < 100
