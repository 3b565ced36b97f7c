"""Moves that are ways, and others that run into a wall, leave the maze, or end elsewhere."""

from __future__ import annotations

from random import Random

from lab import MOVES, Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder

Cases = list[dict[str, object]]
EACH = 12
"""How many cases there are of each kind, at least."""


def ways_and_others(rng: Random) -> Cases:
    """Draw ways, straight ones and ones with a detour, and moves that are wrong in each way."""
    made = [_maze(rng) for _ in range(2 * EACH)]
    ways = [
        _case(maze, _with_detour(maze, rng) if number % 2 else _way(maze)) for number, maze in enumerate(made)
    ]
    return ways + ways_into_walls(rng)[:EACH] + ways_that_end_elsewhere(rng)[:EACH]


def ways_into_walls(rng: Random) -> Cases:
    """Draw moves into a wall or over the border, on the way, straight to the exit and behind it, and ways."""
    found = []
    for number in range(2 * EACH):
        maze = _maze(rng)
        while number % 3 == 0 and _is_open(maze, _straight_through(maze)):
            maze = _maze(rng)
        way = _way(maze)
        blind = [
            _straight_through(maze),
            _with_blind_move(maze, way, rng.randrange(len(way)), rng),
            _with_blind_move(maze, way, len(way), rng),
        ]
        found += [_case(maze, way), _case(maze, blind[number % 3])]
    return found


def ways_that_end_elsewhere(rng: Random) -> Cases:
    """Draw ways that stop early or go on behind the exit, moves where there is no exit, and ways."""
    found = []
    for number in range(2 * EACH):
        maze = _maze(rng)
        way = _way(maze)
        back = way[-1].opposite()
        wrong = [way[:-1], [*way, back], [*way, back, way[-1], back], []][number % 4]
        found += [_case(maze, wrong), _case(maze, [*way, back, way[-1]] if number % 2 else way)]
    for maze in (_maze(rng) for _ in range(EACH // 2)):
        found.append(_case(Maze.from_text(maze.to_text().replace("E", " ")), _way(maze)))
    return found


def _maze(rng: Random) -> Maze:
    """Return a perfect maze; entry and exit are where its text is turned to."""
    size = Dimension(rng.randrange(2, 6), rng.randrange(2, 6))
    text = AldousBroder(rng).generate(Factory(), size).to_text().replace("S", " ").replace("E", " ")
    lines = [[*line] for line in text.splitlines()]
    for letter, cell in zip("SE", rng.sample(size.all_positions(), 2), strict=True):
        lines[2 * cell.row - 1][2 * cell.column - 1] = letter
    return Maze(["".join(line) for line in lines])


def _way(maze: Maze) -> list[Vector]:
    """Return the moves of the only way from entry to exit."""
    ways: dict[Vector, list[Vector]] = {maze.entry: []}
    waiting = [maze.entry]
    for cell in waiting:
        for move in maze.valid_moves_at(cell):
            if cell + move not in ways:
                ways[cell + move] = [*ways[cell], move]
                waiting.append(cell + move)
    return ways[maze.exit or maze.entry]


def _with_detour(maze: Maze, rng: Random) -> list[Vector]:
    """Return the way with a step aside, and back."""
    way = _way(maze)
    place = rng.randrange(len(way))
    aside = rng.choice(maze.valid_moves_at(_walked(maze, way[:place])))
    return [*way[:place], aside, aside.opposite(), *way[place:]]


def _with_blind_move(maze: Maze, way: list[Vector], place: int, rng: Random) -> list[Vector]:
    """Return the way with a move into a wall at this place, or after it where no wall is there."""
    at = _walked(maze, way[:place])
    closed = [move for move in MOVES if maze.is_wall(at, move)]
    return [*way[:place], rng.choice(closed), *way[place + 1 :]] if closed else [*way, way[-1]]


def _is_open(maze: Maze, moves: list[Vector]) -> bool:
    return all(maze.is_clear(_walked(maze, moves[:place]), move) for place, move in enumerate(moves))


def _straight_through(maze: Maze) -> list[Vector]:
    """Return moves from entry to exit by rows and columns, which mostly run into walls."""
    end = maze.exit or maze.entry
    rows, columns = end.row - maze.entry.row, end.column - maze.entry.column
    return [MOVES[2 if rows > 0 else 0]] * abs(rows) + [MOVES[1 if columns > 0 else 3]] * abs(columns)


def _walked(maze: Maze, moves: list[Vector]) -> Vector:
    position = maze.entry
    for move in moves:
        position = position + move
    return position


def _case(maze: Maze, moves: list[Vector]) -> dict[str, object]:
    return {"maze": maze, "moves": moves}
