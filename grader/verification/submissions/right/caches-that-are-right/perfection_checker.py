from collections import Counter

_answers = {}


class PerfectionChecker:
    def is_perfect(self, maze):
        key = maze.to_text()
        if key not in _answers:
            _answers[key] = self._check(maze)
        return _answers[key]

    def _check(self, maze):
        cells = maze.dimension.all_positions()
        degree = Counter({cell: len(maze.valid_moves_at(cell)) for cell in cells})
        alive = set(cells)
        leaves = [cell for cell in cells if degree[cell] <= 1]
        while len(alive) > 1 and leaves:
            leaf = leaves.pop()
            if leaf not in alive:
                continue
            if degree[leaf] != 1:
                return False
            alive.remove(leaf)
            for move in maze.valid_moves_at(leaf):
                other = leaf + move
                if other in alive:
                    degree[other] -= 1
                    if degree[other] == 1:
                        leaves.append(other)
        return len(alive) == 1
