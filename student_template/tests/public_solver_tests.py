"""The tests that the three solvers share: the same situations for each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import public_mazes as mazes
from conftest import FOLDER, HUNG, NOW, Looking, begin_anew
from public_cases import drawn
from public_checks import complain, of_drawn_cases, returned_text, solve, stands_for, your
from public_mazes import Situation
from public_solver_checks import (
    answer_of,
    check_order,
    check_unchanged,
    check_way,
    does_its_work,
    finds_a_way,
    finds_something,
    finds_what_is_there,
    searches,
)

from lab.commands import student
from lab.commands.reporter import Failed
from lab.exercises import BY_NAME
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

    def solves(self, situation: Situation) -> None:
        check_way(self.name, situation, shortest=False)

    def look_at(self, check: str, judge: Callable[[Situation], None], **more: Any) -> Looking:
        """Let a judge look at each of the drawn mazes of a check."""
        return Looking(lambda case: judge(case.given[0]), drawn(BY_NAME[self.name].id, check), **more)

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
    def test_several_ways(self) -> None:
        """finds one of several ways"""
        self.solves(mazes.MAZE_E)

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

    @SHAPES
    @of_drawn_cases
    def test_shapes(self) -> Looking:
        """solves drawn rows, columns and other long mazes"""
        return self.look_at("shapes", self.solves)

    @stands_for("valid-path")
    @of_drawn_cases
    def test_ways(self) -> Looking:
        """finds the way in drawn mazes without cycles"""
        return self.look_at("valid-path", self.solves)

    @CYCLES
    @of_drawn_cases
    def test_cycles(self) -> Looking:
        """finds a way in drawn mazes with cycles"""
        return self.look_at("cycles", self.solves, ends_elsewhere=False)

    @ORDER
    @of_drawn_cases
    def test_order(self) -> Looking:
        """visits the cells of drawn mazes in the right order"""
        return self.look_at("visit-order", partial(check_order, self.name))


class ShortestWayTests(SolverTests):
    """The same for solvers whose ways have to be shortest ones."""

    shortest = True

    @SHORTEST
    def test_shortest_round_a_cycle(self) -> None:
        """takes the shorter way round a cycle"""
        check_way(self.name, mazes.CYCLE, shortest=True)

    @SHORTEST
    def test_shortest_of_several_ways(self) -> None:
        """takes no detour where there are several ways"""
        for situation in (mazes.MAZE_A, mazes.MAZE_B, mazes.MAZE_D, mazes.MAZE_E):
            begin_anew()
            check_way(self.name, situation, shortest=True)

    @stands_for("shortest")
    @of_drawn_cases
    def test_shortest(self) -> Looking:
        """finds a shortest way in drawn mazes"""
        return self.look_at("shortest", partial(check_way, self.name, shortest=True))


class NoWayTests(SolverTests):
    """Mazes without a way, and large ones, last: what never comes to an end on them holds up no other."""

    def finds_something(self) -> None:
        does_its_work(self.name, finds_something, "finds something where there is a way")

    @NO_WAY
    def test_unreachable_exit(self) -> None:
        """returns None where the exit cannot be reached"""
        self.solves(mazes.UNREACHABLE_EXIT)

    @NO_WAY
    def test_walled_in(self) -> None:
        """returns None where the entry is walled in"""
        self.solves(mazes.WALLED_IN)

    @NO_WAY
    def test_no_exit(self) -> None:
        """returns None where there is no exit"""
        self.solves(mazes.NO_EXIT)

    @NO_WAY
    @of_drawn_cases
    def test_no_way(self) -> Looking:
        """returns None in drawn mazes without a way"""
        return self.look_at("no-way", self.solves, ends_elsewhere=False, control=self.finds_something)

    @stands_for("unchanged")
    @of_drawn_cases
    def test_unchanged(self) -> Looking:
        """leaves the maze as it was"""
        control = partial(does_its_work, self.name, searches, "finds ways")
        return self.look_at("unchanged", partial(check_unchanged, self.name), control=control)

    @stands_for("repeat")
    def test_two_mazes(self) -> None:
        """solves one maze after another, and the first again"""
        self.solves_all([mazes.CORRIDOR, mazes.DEAD_ENDS, mazes.CORRIDOR])
        for case in drawn(BY_NAME[self.name].id, "repeat"):
            if not any((kind,) in HUNG[NOW.file] for kind in case.kind):
                self.solves_all(case.given)
        does_its_work(self.name, finds_a_way, "finds ways")

    def solves_all(self, series: Sequence[Situation]) -> None:
        """Check that one solver solves each of the mazes that it solves alone."""
        solver = your(self.name)()
        for situation in series:
            maze, failed, returned = situation.maze, None, None
            try:
                returned, _ = solve(self.name, maze, solver=solver)
            except (Failed, Exception) as error:  # noqa: BLE001 - your code may raise anything
                failed = error
            if failed is None and finds_what_is_there(situation, returned):
                continue
            ended, NOW.ended = NOW.ended, "returned"
            if not self.is_right_alone(situation):
                NOW.ended = "returned"
                return
            if failed is not None:
                NOW.ended = ended
                raise failed
            wrong = flaw(maze, returned) or "it returned None"
            message = (
                f"{self.name} is right on its own, and wrong after another maze: {wrong}. "
                "What does your solver remember?"
            )
            complain(message, maze, "the moves of a way from S to E", returned_text(returned))

    def is_right_alone(self, situation: Situation) -> bool:
        """Tell whether a solver that has seen no other maze finds a way."""
        student.forget(FOLDER)
        return finds_what_is_there(situation, answer_of(self.name, situation))

    @LARGE
    def test_room(self) -> None:
        """crosses an empty room, where many ways lead to each cell"""
        check_way(self.name, mazes.ROOM, shortest=self.shortest)

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
