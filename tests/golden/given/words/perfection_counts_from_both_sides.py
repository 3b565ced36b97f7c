from collections import deque


class PerfectionChecker:
    def is_perfect(self, maze):
        edges = 0
        seen = {maze.entry}
        queue = deque([maze.entry])
        while queue:
            cell = queue.popleft()
            for move in maze.valid_moves_at(cell):
                edges += 1
                if cell + move not in seen:
                    seen.add(cell + move)
                    queue.append(cell + move)
        cells = maze.dimension.position_count
        return len(seen) == cells and edges == cells - 1
