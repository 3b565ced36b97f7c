def dead_ends(maze):
    cells = maze.dimension.all_positions()
    return [c for c in cells if len(maze.valid_moves_at(c)) == 1 and len(maze.moves_at(c)) > 1]


def braid(maze, rng):
    made = maze.copy()
    while left := dead_ends(made):
        cell = rng.choice(left)
        walls = set(made.moves_at(cell)) - set(made.valid_moves_at(cell))
        made.break_wall(cell, rng.choice(sorted(walls)))
    return made
