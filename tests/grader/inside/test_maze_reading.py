"""Mazes are read once for many calls, and no call can tell."""

from __future__ import annotations

from grader.model import Call, Solve, Target
from grader.model.claims import IntValue, PerfectionAnswer, truth_value
from tests.grader.session.popen_box import CHECKER, ROOM, check, open_session, question

SOLVER = Target("solvers/bfs.py", "BFS")


def test_a_maze_that_was_changed_is_as_it_was_for_those_who_come_later() -> None:
    code = (
        "class {}:\n    def {}(self, maze, *_):\n        maze.build_wall((1, 1), (0, 1))\n        return {}\n"
    )
    files = {
        SOLVER.file: code.format("BFS", "solve", "len(maze.valid_moves_at((1, 1)))"),
        CHECKER.file: code.format("PerfectionChecker", "is_perfect", "len(maze.valid_moves_at((1, 1)))"),
    }
    with open_session(files) as session:
        checked = [session.run(CHECKER, [question("a"), question("b")]) for _ in range(2)]
        solved = session.run(SOLVER, [Call("c", Solve((ROOM, ROOM))), Call("d", Solve((ROOM,)))])
    runs = [run for claim in solved for run in claim.runs]
    assert {claim.answer.returned for claims in checked for claim in claims if claim.answer} == {IntValue(1)}
    assert [run.returned for run in runs] == [IntValue(1)] * 3


def test_a_checker_is_handed_mazes_that_are_made_as_students_make_them() -> None:
    before = """
from lab import Maze
made = Maze.__init__
def make(self, lines):
    made(self, lines)
    self.marks = set()
Maze.__init__ = make
"""
    (claim,) = check("return len(maze.marks) == 0", before=before)
    assert claim.answer == PerfectionAnswer(truth_value(True), None)
