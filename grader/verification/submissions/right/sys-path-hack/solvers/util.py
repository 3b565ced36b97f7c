def explore(maze, position):
    return [(move, position + move) for move in maze.valid_moves_at(position)]
