"""The judges of the generator, on generators with one mistake each."""

from __future__ import annotations

import random
from collections.abc import Sequence
from random import Random

import pytest

from grader.exercises import registry
from grader.exercises.generator.judge import GIVEN_AWAY, judge_again, judge_perfect
from grader.exercises.kit.draw import marked
from grader.grading.case_runs import CaseRuns, MakeCalls
from grader.model import Call, Claim, Generate
from grader.model.claims import GeneratedMazes, MazeValue
from lab import EAST, Dimension, Factory, Maze
from lab.generators import AldousBroder
from reference.generators.my_generator import MyGenerator
from tests.direct import run_with
from tests.grader.exercises.all_exercises import exercise
from tests.grader.words import english


class WithALoop(MyGenerator):
    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        return self.looped(super().generate(factory, dimension))

    @staticmethod
    def looped(maze: Maze) -> Maze:
        cells, last = maze.dimension.all_positions(), maze.dimension.column_count
        walls = [c for c in cells if c.column < last and maze.is_wall(c, EAST)]
        if walls:
            maze.break_wall(walls[0], EAST)
        return maze


class GlobalLuck(MyGenerator):
    def __init__(self, rng: Random) -> None:
        super().__init__(Random(random.random()))


class FullSecondTime(MyGenerator):
    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.calls = 0

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        self.calls += 1
        return (
            super().generate(factory, dimension) if self.calls == 1 else factory.fully_disconnected(dimension)
        )


class Copied(AldousBroder):
    pass


class RandomWalls(MyGenerator):
    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            maze.break_wall(cell, self.rng.choice(maze.moves_at(cell)))
        return maze


class OnlyTheEndsDiffer(MyGenerator):
    """Always the same walls; the exit is drawn by lot."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        maze = MyGenerator(Random(5)).generate(factory, dimension)
        exit_ = self.rng.choice(dimension.all_positions()[1:])
        return marked(maze, maze.entry, exit_)


class FlawedByLuck(MyGenerator):
    """Opens a wall too many in some mazes, whichever call it is."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        maze = super().generate(factory, dimension)
        return WithALoop.looped(maze) if self.rng.random() < 0.3 else maze


def trial_of(make_calls: MakeCalls) -> CaseRuns:
    trial = CaseRuns(exercise("generator").checks, make_calls)
    trial.run()
    return trial


def lost(target: type) -> set[str]:
    trial = trial_of(run_with(target))
    return {check.id.removeprefix("generator.") for check in trial.checks if trial.wrong(check)}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (MyGenerator, set()),
        (GlobalLuck, {"same-seed"}),
        (FullSecondTime, {"again"}),
        (OnlyTheEndsDiffer, {"same-seed", "other-seed", "again"}),
        (FlawedByLuck, {"perfect"}),
        (RandomWalls, {name.removeprefix("generator.") for name in registry.titles()["generator"]}),
        (Copied, {"own-work"}),
    ],
)
def test_each_mistake_costs_its_own_check(target: type, expected: set[str]) -> None:
    assert lost(target) == expected


def test_luck_that_is_drawn_once_a_process_is_seen() -> None:
    def run(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
        salt = random.SystemRandom().getrandbits(64)

        class Salted(MyGenerator):
            def __init__(self, rng: Random) -> None:
                super().__init__(Random(rng.getrandbits(64) ^ salt))

        return run_with(Salted)(calls, alone)

    trial = trial_of(run)
    found = [wrong for check in exercise("generator").checks if (wrong := trial.wrong(check))]
    assert [english(wrong.finding.message) for wrong in found] == [
        "made another maze from the same seed when the program was started again"
    ]


@pytest.mark.parametrize(("spoilt", "remembers"), [(0, False), (4, False), (5, True), (10, True)])
def test_a_second_maze_that_is_spoilt_now_and_then_is_bad_luck(spoilt: int, remembers: bool) -> None:
    mazes = [MyGenerator(Random(seed)).generate(Factory(), Dimension(4, 4)) for seed in range(20)]
    seconds = [WithALoop.looped(maze) if n < spoilt else maze for n, maze in enumerate(mazes[10:])]
    pairs = zip(mazes[:10], seconds, strict=True)
    values = [GeneratedMazes(tuple(MazeValue(maze.to_text()) for maze in pair)) for pair in pairs]
    claims = [Claim("again", "returned", value) for value in values]
    assert (judge_again(Generate(4, 4, 1, times=2), claims) is not None) is remembers


def test_the_stand_in_of_the_sandbox_is_recognised() -> None:
    error = type(GIVEN_AWAY, (RuntimeError,), {})

    class HandsOver(MyGenerator):
        def generate(self, factory: Factory, dimension: Dimension) -> Maze:
            raise error("not here")

    own_work = next(check for check in exercise("generator").checks if check.id == "generator.own-work")
    wrong = trial_of(run_with(HandsOver)).wrong(own_work)
    assert wrong is not None
    assert wrong.finding.decides


ROW = Factory().fully_connected(Dimension(1, 9000)).to_text()


@pytest.mark.parametrize("text", ["", "no maze", "+-+\n|S|\n+-", "\n" * 9, "\n" + ROW, ROW + "\n" * 9])
def test_a_text_that_no_maze_gives_is_a_violation(text: str) -> None:
    claim = Claim("c", "returned", GeneratedMazes((MazeValue(text),)))
    finding = judge_perfect(Generate(rows=2, columns=2, seed=1), claim)
    assert finding is not None
    assert finding.status == "violation"
