def is_way(maze, moves):
    return leads(maze, maze.entry, list(moves))


def leads(maze, position, moves):
    if not moves:
        return maze.is_exit(position)
    first, *others = moves
    return not maze.is_wall(position, first) and leads(maze, position + first, others)
