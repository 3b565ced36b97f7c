def neighbours(maze, position):
    row, column = position
    return {(row + down, column + right) for down, right in maze.valid_moves_at(position)}
