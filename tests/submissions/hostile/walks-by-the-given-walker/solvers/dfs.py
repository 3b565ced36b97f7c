from lab import Solver
from lab.walker import left_hand


class DFS(Solver):
    def solve(self, maze, search):
        path = left_hand(maze)
        if not path.arrived:
            return None
        way, seen = [], [maze.entry]
        for step in path.steps[1:]:
            if step.position in seen:
                place = seen.index(step.position)
                del way[place:], seen[place + 1 :]
            else:
                way.append(step.facing)
                seen.append(step.position)
        return way
