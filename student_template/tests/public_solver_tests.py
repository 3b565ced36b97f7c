"""The tests that the three solvers share: the same situations for each of them."""

from __future__ import annotations

import public_mazes as mazes
from conftest import FOLDER
from public_checks import check_order, check_way, complain, returned_text, solve, your

from lab import Maze
from lab.commands import student
from lab.way import flaw


class SolverTests:
    """The situations; a class for each solver adds its name."""

    name: str
    shortest: bool

    def solves(self, situation: mazes.Situation) -> None:
        check_way(self.name, situation, shortest=self.shortest)

    def test_next_door(self) -> None:
        """finds an exit next to the entry"""
        self.solves(mazes.NEXT_DOOR)

    def test_corridor(self) -> None:
        """finds the end of a corridor"""
        self.solves(mazes.CORRIDOR)

    def test_shaft(self) -> None:
        """climbs a shaft to the north"""
        self.solves(mazes.SHAFT)

    def test_turns(self) -> None:
        """follows a corridor with turns"""
        self.solves(mazes.TURNS)

    def test_dead_end(self) -> None:
        """turns back at a dead end"""
        self.solves(mazes.DEAD_END)

    def test_dead_ends(self) -> None:
        """finds its way among many dead ends"""
        self.solves(mazes.DEAD_ENDS)

    def test_cycle(self) -> None:
        """does not go round and round in a cycle"""
        self.solves(mazes.CYCLE)

    def test_unreachable_exit(self) -> None:
        """returns None where the exit cannot be reached"""
        self.solves(mazes.UNREACHABLE_EXIT)

    def test_walled_in(self) -> None:
        """returns None where the entry is walled in"""
        self.solves(mazes.WALLED_IN)

    def test_no_exit(self) -> None:
        """returns None where there is no exit"""
        self.solves(mazes.NO_EXIT)

    def test_room(self) -> None:
        """crosses an empty room, where many ways lead to each cell"""
        self.solves(mazes.ROOM)

    def test_large(self) -> None:
        """solves a large maze"""
        self.solves(mazes.LARGE)

    def test_large_with_cycles(self) -> None:
        """solves a large maze with many cycles"""
        self.solves(mazes.LARGE_WITH_CYCLES)

    def test_snake(self) -> None:
        """follows one long corridor through 3540 cells"""
        self.solves(mazes.SNAKE)

    def test_two_mazes(self) -> None:
        """solves one maze after another, and the first again"""
        solver = your(self.name)()
        for situation in (mazes.CORRIDOR, mazes.DEAD_ENDS, mazes.CORRIDOR):
            maze = situation.maze
            returned, _ = solve(self.name, maze, file=situation.file, solver=solver)
            wrong = "it returned None" if returned is None else flaw(maze, returned)
            if wrong:
                message = f"{self.name} was asked to solve one maze after another. In this one: {wrong}."
                if self.is_right_alone(maze):
                    message = (
                        f"{self.name} is right on its own, and wrong after another maze: {wrong}. "
                        "What does your solver remember?"
                    )
                complain(message, maze, "the moves of a way from S to E", returned_text(returned))

    def is_right_alone(self, maze: Maze) -> bool:
        """Tell whether a solver that has seen no other maze finds a way."""
        student.forget(FOLDER)
        returned, _ = solve(self.name, maze)
        return returned is not None and flaw(maze, returned) is None

    def visits(self, situation: mazes.Situation) -> None:
        order = situation.depth_first if self.name == "DFS" else situation.breadth_first
        check_order(self.name, situation, order)

    def test_order_in_maze_a(self) -> None:
        """visits the cells of maze A, an empty room, in the right order"""
        self.visits(mazes.MAZE_A)

    def test_order_in_maze_b(self) -> None:
        """visits the cells of maze B, a long corridor, in the right order"""
        self.visits(mazes.MAZE_B)

    def test_order_in_maze_c(self) -> None:
        """visits the cells of maze C, a regular maze, in the right order"""
        self.visits(mazes.MAZE_C)
