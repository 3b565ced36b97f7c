from lab.solver import Solver


class DFS(Solver):
    def solve(self, maze, search):
        return next(self._ways(maze, maze.entry, {maze.entry}, []), None)

    def _ways(self, maze, position, seen, path):
        if position == maze.exit:
            yield list(path)
            return
        for move in maze.valid_moves_at(position):
            neighbour = position + move
            if neighbour not in seen:
                seen.add(neighbour)
                path.append(move)
                yield from self._ways(maze, neighbour, seen, path)
                path.pop()
