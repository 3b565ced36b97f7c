from lab import Solver


class Path(list):
    """A way that can say how long it is."""

    @property
    def length(self):
        return len(self)

    def followed_by(self, move):
        return Path([*self, move])


class DFS(Solver):
    def solve(self, maze, search):
        stack, seen = [(maze.entry, Path())], set()
        while stack:
            position, path = stack.pop()
            if position in seen:
                continue
            seen.add(position)
            if maze.is_exit(position):
                return path
            for move in reversed(maze.valid_moves_at(position)):
                stack.append((position + move, path.followed_by(move)))
        return None
