from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        if maze.exit is None and any(self.reaches(maze, cell, None) for cell in search.known_cells):
            return []
        return None

    def reaches(self, maze, start, goal):
        seen, queue = {start}, [start]
        for cell in queue:
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    queue.append(cell + move)
        return goal in seen
