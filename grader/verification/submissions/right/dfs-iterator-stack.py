from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        if maze.entry == maze.exit:
            return []
        seen = {maze.entry}
        path = []
        stack = [(maze.entry, iter(maze.valid_moves_at(maze.entry)))]
        while stack:
            position, moves = stack[-1]
            for move in moves:
                neighbour = position + move
                if neighbour in seen:
                    continue
                seen.add(neighbour)
                path.append(move)
                if neighbour == maze.exit:
                    return path
                stack.append((neighbour, iter(maze.valid_moves_at(neighbour))))
                break
            else:
                stack.pop()
                if path:
                    path.pop()
        return None
