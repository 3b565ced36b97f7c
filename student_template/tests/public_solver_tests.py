"""The tests that the three solvers share: the same situations for each of them."""

from __future__ import annotations

import public_mazes as mazes
from conftest import FOLDER
from public_checks import complain, returned_text, solve, stands_for, your
from public_solver_checks import (
    changes,
    check_order,
    check_way,
    does_its_work,
    finds_a_way,
    finds_something,
    keeps_an_order,
    maze_with_a_closed_cell,
)

from lab import Maze
from lab.commands import student
from lab.way import flaw

WAY = stands_for("valid-path", "shortest")
SHAPES = stands_for("shapes")
CYCLES = stands_for("cycles")
SHORTEST = stands_for("shortest")
NO_WAY = stands_for("no-way")
LARGE = stands_for("large")
ORDER = stands_for("visit-order")
ORDERED = (mazes.MAZE_A, mazes.MAZE_B, mazes.MAZE_C, mazes.MAZE_D, mazes.MAZE_E)


class SolverTests:
    """Mazes that have a way to an exit; a class for each solver adds its name."""

    name: str
    shortest = False
    """Whether its ways have to be shortest ones."""

    def solves(self, situation: mazes.Situation) -> None:
        check_way(self.name, situation, shortest=False)

    @SHAPES
    def test_next_door(self) -> None:
        """finds an exit next to the entry"""
        self.solves(mazes.NEXT_DOOR)

    @SHAPES
    def test_corridor(self) -> None:
        """finds the end of a corridor"""
        self.solves(mazes.CORRIDOR)

    @SHAPES
    def test_shaft(self) -> None:
        """climbs a shaft to the north"""
        self.solves(mazes.SHAFT)

    @WAY
    def test_turns(self) -> None:
        """follows a corridor with turns"""
        self.solves(mazes.TURNS)

    @WAY
    def test_dead_end(self) -> None:
        """turns back at a dead end"""
        self.solves(mazes.DEAD_END)

    @WAY
    def test_dead_ends(self) -> None:
        """finds its way among many dead ends"""
        self.solves(mazes.DEAD_ENDS)

    @WAY
    def test_branches(self) -> None:
        """finds its way where corridors meet"""
        self.solves(mazes.MAZE_C)

    @CYCLES
    def test_cycle(self) -> None:
        """does not go round and round in a cycle"""
        self.solves(mazes.CYCLE)

    @CYCLES
    def test_room(self) -> None:
        """crosses an empty room, where many ways lead to each cell"""
        self.solves(mazes.ROOM)

    @CYCLES
    def test_several_ways(self) -> None:
        """finds one of several ways"""
        self.solves(mazes.MAZE_E)

    @LARGE
    def test_large(self) -> None:
        """solves a large maze"""
        check_way(self.name, mazes.LARGE, shortest=self.shortest)

    @LARGE
    def test_large_with_cycles(self) -> None:
        """solves a large maze with many cycles"""
        check_way(self.name, mazes.LARGE_WITH_CYCLES, shortest=self.shortest)

    @LARGE
    def test_snake(self) -> None:
        """follows one long corridor through 3540 cells"""
        check_way(self.name, mazes.SNAKE, shortest=self.shortest)

    @ORDER
    def test_order_in_maze_a(self) -> None:
        """visits the cells of maze A, an empty room, in the right order"""
        check_order(self.name, mazes.MAZE_A)

    @ORDER
    def test_order_in_maze_b(self) -> None:
        """visits the cells of maze B, a long corridor, in the right order"""
        check_order(self.name, mazes.MAZE_B)

    @ORDER
    def test_order_in_maze_c(self) -> None:
        """visits the cells of maze C, a regular maze, in the right order"""
        check_order(self.name, mazes.MAZE_C)

    @ORDER
    def test_order_in_maze_d(self) -> None:
        """visits the cells of a maze with many branches in the right order"""
        check_order(self.name, mazes.MAZE_D)

    @ORDER
    def test_order_in_maze_e(self) -> None:
        """visits the cells of a maze with several ways in the right order"""
        check_order(self.name, mazes.MAZE_E)


class ShortestWayTests(SolverTests):
    """The same for solvers whose ways have to be shortest ones."""

    shortest = True

    @SHORTEST
    def test_shortest_round_a_cycle(self) -> None:
        """takes the shorter way round a cycle"""
        check_way(self.name, mazes.CYCLE, shortest=True)

    @SHORTEST
    def test_shortest_through_a_room(self) -> None:
        """crosses an empty room by a shortest way"""
        check_way(self.name, mazes.ROOM, shortest=True)

    @SHORTEST
    def test_shortest_of_several_ways(self) -> None:
        """takes no detour where there are several ways"""
        for situation in (mazes.MAZE_A, mazes.MAZE_B, mazes.MAZE_D, mazes.MAZE_E):
            check_way(self.name, situation, shortest=True)


class NoWayTests(SolverTests):
    """Mazes without a way, last: what never comes to an end on them holds up no other."""

    def gives_none(self, situation: mazes.Situation) -> None:
        check_way(self.name, situation, shortest=False)
        does_its_work(self.name, finds_something, "finds something where there is a way")

    @NO_WAY
    def test_unreachable_exit(self) -> None:
        """returns None where the exit cannot be reached"""
        self.gives_none(mazes.UNREACHABLE_EXIT)

    @NO_WAY
    def test_walled_in(self) -> None:
        """returns None where the entry is walled in"""
        self.gives_none(mazes.WALLED_IN)

    @NO_WAY
    def test_no_exit(self) -> None:
        """returns None where there is no exit"""
        self.gives_none(mazes.NO_EXIT)

    @stands_for("unchanged")
    def test_unchanged(self) -> None:
        """leaves the maze as it was"""
        for situation in (mazes.DEAD_ENDS, mazes.CYCLE, mazes.UNREACHABLE_EXIT):
            if (after := changes(self.name, situation)) is not None:
                before = "the maze above, as it was"
                complain(f"{self.name} changed the maze.", situation.maze, before, f"\n{after}")
        if not keeps_an_order(self.name, ORDERED):
            does_its_work(self.name, finds_a_way, "finds ways")

    @stands_for("repeat")
    def test_two_mazes(self) -> None:
        """solves one maze after another, and the first again"""
        self.solves_all([mazes.CORRIDOR.maze, mazes.DEAD_ENDS.maze, mazes.CORRIDOR.maze])
        alike = [maze_with_a_closed_cell(seed) for seed in (3, 6)]
        self.solves_all([*alike, alike[0]])
        closed = alike[0].copy()
        for move in closed.valid_moves_at(closed.exit):
            closed.build_wall(closed.exit, move)
        self.solves_all([alike[0], closed, alike[0]])
        does_its_work(self.name, finds_a_way, "finds ways")

    def solves_all(self, series: list[Maze]) -> None:
        """Check that one solver solves each of the mazes that it solves alone."""
        solver = your(self.name)()
        for maze in series:
            returned, _ = solve(self.name, maze, solver=solver)
            if returned is None:
                wrong = "it returned None" if maze.valid_moves_at(maze.exit) else ""
            else:
                wrong = flaw(maze, returned) or ""
            if wrong and self.is_right_alone(maze):
                message = (
                    f"{self.name} is right on its own, and wrong after another maze: {wrong}. "
                    "What does your solver remember?"
                )
                complain(message, maze, "the moves of a way from S to E", returned_text(returned))

    def is_right_alone(self, maze: Maze) -> bool:
        """Tell whether a solver that has seen no other maze finds a way."""
        student.forget(FOLDER)
        returned, _ = solve(self.name, maze)
        return finds_a_way(maze, returned)
