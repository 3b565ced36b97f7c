from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        stack, marked, ways = [maze.entry], [maze.entry], [[]]
        while stack != []:
            cell = stack.pop(0)
            way = ways.pop(0)
            if maze.is_exit(cell) == True:
                return way
            new = []
            for move in maze.valid_moves_at(cell):
                if cell + move not in marked:
                    marked.append(cell + move)
                    new.append(move)
            stack = [cell + move for move in new] + stack
            ways = [way + [move] for move in new] + ways
        return None
