from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        front, back = {maze.entry: []}, {maze.exit: []}
        one, two = [maze.entry], [maze.exit]
        while one and two:
            for cells, mine, other in ((one, front, back), (two, back, front)):
                following = []
                for cell in cells:
                    for move in maze.valid_moves_at(cell):
                        if cell + move not in mine:
                            mine[cell + move] = mine[cell] + [move]
                            following.append(cell + move)
                cells[:] = following
                meetings = [cell for cell in mine if cell in other]
                if meetings:
                    meet = min(meetings, key=lambda c: len(front[c]) + len(back[c]))
                    return front[meet] + [move.opposite() for move in reversed(back[meet])]
        return None
