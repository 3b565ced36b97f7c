from lab import MOVES, Vector


def read(maze):
    """Only the text of the maze is looked at."""
    lines = maze.to_text().splitlines()

    def open_moves(cell):
        line, column = 2 * cell[0] - 1, 2 * cell[1] - 1
        return [move for move in MOVES if lines[line + move[0]][column + move[1]] == " "]

    def find(mark):
        for number, line in enumerate(lines):
            if mark in line:
                return Vector(number // 2 + 1, line.index(mark) // 2 + 1)
        return None

    return open_moves, find("S"), find("E")
