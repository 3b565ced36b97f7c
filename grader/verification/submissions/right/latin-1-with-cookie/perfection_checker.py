# Prüfung: ✓ 迷路 🧭
class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        openings = sum(len(maze.valid_moves_at(cell)) for cell in cells)
        if openings != 2 * (len(cells) - 1):
            return False
        return len(self._reachable_from(maze, maze.entry)) == len(cells)

    def _reachable_from(self, maze, start):
        erreicht_größe = {start}
        todo = [start]
        while todo:
            cell = todo.pop()
            for move in maze.valid_moves_at(cell):
                neighbour = cell + move
                if neighbour not in erreicht_größe:
                    erreicht_größe.add(neighbour)
                    todo.append(neighbour)
        return erreicht_größe
