from collections import deque
from lab import MOVES, NORTH, EAST, SOUTH, WEST, Solver, Vector

class BFS(Solver):
    def solve(self, maze, search):
        rows, cols = maze.dimension.row_count, maze.dimension.column_count
        prev = [[None] * (cols + 1) for _ in range(rows + 1)]
        q = deque([maze.entry]); prev[maze.entry.row][maze.entry.column] = "start"
        while q:
            r, c = q.popleft()
            if (r, c) == maze.exit:
                way = []
                while prev[r][c] != "start":
                    m = prev[r][c]; way.append(m); r, c = r - m.row, c - m.column
                return way[::-1]
            for m in MOVES:
                y, x = r + m.row, c + m.column
                if not maze.dimension.includes((y, x)) or prev[y][x] or maze.is_wall((r, c), m):
                    continue
                prev[y][x] = m; q.append((y, x))
