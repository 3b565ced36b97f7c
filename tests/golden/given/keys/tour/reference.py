def tour(maze, stops, other):
    return sorted(stop for stop in stops if maze.moves_at(stop) or stop in other)
