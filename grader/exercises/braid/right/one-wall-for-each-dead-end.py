from lab import Maze


def braid(maze, rng):
    made = Maze.from_text(maze.to_text())
    for start in maze.dimension.all_positions():
        cell = start
        while len(made.valid_moves_at(cell)) == 1:
            closed = [move for move in made.moves_at(cell) if not made.is_clear(cell, move)]
            if not closed:
                break
            move = closed[int(rng.random() * len(closed))]
            made.break_wall(cell, move)
            cell = cell + move
    return made
