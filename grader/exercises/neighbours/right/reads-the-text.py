from lab import Vector


def neighbours(maze, position):
    lines = maze.to_text().splitlines()
    line, place = 2 * position.row - 1, 2 * position.column - 1
    found = []
    for down, right in (-1, 0), (0, 1), (1, 0), (0, -1):
        if lines[line + down][place + right] not in "-|":
            found.append(Vector(position.row + down, position.column + right))
    return found
