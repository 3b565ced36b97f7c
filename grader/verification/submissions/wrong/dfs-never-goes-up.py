from lab import EAST, SOUTH, WEST, Solver


class DFS(Solver):
    def solve(self, maze, search):
        stack = [(maze.entry, [])]
        visited = set()
        while stack:
            position, way = stack.pop()
            if position in visited:
                continue
            visited.add(position)
            if maze.is_exit(position):
                return way
            for direction in (WEST, SOUTH, EAST):
                if maze.is_valid_at(position, direction) and position + direction not in visited:
                    stack.append((position + direction, [*way, direction]))
        return None
