from lab import EAST, NORTH, SOUTH, WEST


def neighbours(maze, position):
    found = []
    for move in (WEST, SOUTH, EAST, NORTH):
        if not maze.is_wall(position, move):
            found.append(position + move)
    return found
