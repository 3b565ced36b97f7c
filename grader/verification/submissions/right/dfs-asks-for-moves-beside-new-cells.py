from lab import MOVES, Solver


class DFS(Solver):
    def solve(self, maze, search):
        way = []
        position = maze.entry
        visited = {position}
        while position != maze.exit:
            for move in MOVES:
                if position + move not in visited and move in maze.valid_moves_at(position):
                    way.append(move)
                    position = position + move
                    visited.add(position)
                    break
            else:
                if not way:
                    return None
                position = position + way.pop().opposite()
        return way
