from lab import Solver


class DFS(Solver):
    def __init__(self):
        self.visited = set()

    def solve(self, maze, search):
        stack = [maze.entry]
        came_by = {maze.entry: None}
        visited = self.visited
        while stack:
            position = stack.pop()
            if position in visited:
                continue
            visited.add(position)
            if maze.is_exit(position):
                visited.clear()
                return self.way(came_by, position)
            for move in reversed(maze.valid_moves_at(position)):
                neighbour = position + move
                if neighbour not in visited:
                    came_by[neighbour] = move
                    stack.append(neighbour)
        return None

    def way(self, came_by, position):
        moves = []
        while came_by[position] is not None:
            move = came_by[position]
            moves.append(move)
            position = position + move.opposite()
        return moves[::-1]
