from hypothesis import given

from lab import EAST, NORTH, SOUTH, WEST, Maze, Vector
from lab.walker import WalkerStep, left_hand
from tests.lab.drawn import mazes, perfect_mazes

LOOP = Maze.from_text(
    """\
+-+-+-+-+
|S      |
+ +-+-+ +
| |   | |
+ + + + +
| |E|   |
+ +-+-+ +
|       |
+-+-+-+-+"""
)
"""The walls around the exit hang together with no wall of the border."""


def test_the_left_side_comes_first_then_straight_on_then_right_then_back() -> None:
    maze = Maze.from_text("+-+-+-+\n|  S| |\n+ +-+ +\n|    E|\n+-+-+-+")
    walk = left_hand(maze)
    assert walk.arrived
    assert walk.steps == (
        WalkerStep(Vector(1, 2), NORTH),
        WalkerStep(Vector(1, 1), WEST),
        WalkerStep(Vector(2, 1), SOUTH),
        WalkerStep(Vector(2, 2), EAST),
        WalkerStep(Vector(2, 3), EAST),
    )


@given(perfect_mazes())
def test_it_comes_through_every_perfect_maze(maze: Maze) -> None:
    walk = left_hand(maze)
    assert walk.arrived
    assert maze.is_exit(walk.steps[-1].position)


@given(mazes())
def test_it_walks_through_no_wall_and_comes_to_an_end_in_every_maze(maze: Maze) -> None:
    walk = left_hand(maze)
    assert walk.steps[0].position == maze.entry
    for before, step in zip(walk.steps, walk.steps[1:], strict=False):
        assert maze.is_valid_at(before.position, step.facing)
        assert before.position + step.facing == step.position
    assert len(walk.steps) <= 4 * maze.dimension.position_count
    assert walk.arrived == (maze.exit is not None and maze.is_exit(walk.steps[-1].position))


def test_an_exit_inside_a_loop_defeats_it() -> None:
    walk = left_hand(LOOP, facing=EAST)
    assert not walk.arrived
    assert LOOP.exit not in {step.position for step in walk.steps}


def test_who_is_walled_in_stays() -> None:
    maze = Maze.from_text("+-+-+\n|S|E|\n+-+-+")
    assert left_hand(maze).steps == (WalkerStep(Vector(1, 1), NORTH),)
    assert not left_hand(maze).arrived
