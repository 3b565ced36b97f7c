"""Walks through the text of the maze, two characters a move."""

from lab import MOVES, Solver


class WallFollower(Solver):
    def solve(self, maze, search):
        lines = maze.to_text().split("\n")
        place = {mark: (y, x) for y, line in enumerate(lines) for x, mark in enumerate(line) if mark in "SE"}
        (y, x), facing, moves, known = place["S"], 0, [], {}
        while lines[y][x] != "E":
            for turn in 1, 0, 3, 2:
                dy, dx = MOVES[(facing + turn) % 4]
                if lines[y + dy][x + dx] == " ":
                    break
            else:
                return None
            facing = (facing + turn) % 4
            if known.setdefault((y, x, facing), len(moves)) < len(moves):
                return None
            moves.append(MOVES[facing])
            y, x = y + 2 * dy, x + 2 * dx
        return moves
