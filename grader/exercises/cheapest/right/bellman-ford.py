class Cheapest:
    def solve(self, maze, search):
        cells = maze.dimension.all_positions()
        steps = [
            (cell, move, cell + move, maze.cost_of(cell, move))
            for cell in cells
            for move in maze.valid_moves_at(cell)
        ]
        least = {cell: float("inf") for cell in cells}
        least[maze.entry] = 0
        last = {}
        for _ in range(len(cells)):
            changed = False
            for cell, move, other, cost in steps:
                if least[cell] + cost < least[other]:
                    least[other] = least[cell] + cost
                    last[other] = (cell, move)
                    changed = True
            if not changed:
                break
        if maze.exit not in last:
            return None
        cell, way = maze.exit, []
        while cell != maze.entry:
            cell, move = last[cell]
            way = [move] + way
        return way
