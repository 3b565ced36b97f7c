from lab import EAST, SOUTH


def braid(maze, rng):
    braided = maze.copy()
    for cell in maze.dimension.all_positions():
        for move in (EAST, SOUTH):
            if move in maze.moves_at(cell):
                braided.break_wall(cell, move)
    return braided
