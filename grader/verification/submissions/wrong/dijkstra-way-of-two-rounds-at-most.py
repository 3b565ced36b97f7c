from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        came_by = {}
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.closest_pending()
            if maze.is_exit(position):
                return self.way_back(maze, position, came_by)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
                if position + move != maze.entry:
                    came_by.setdefault(position + move, move)
        return None

    def way_back(self, maze, position, came_by):
        way = []
        # no way is longer than twice round the maze
        for _ in range(2 * (maze.dimension.row_count + maze.dimension.column_count)):
            if position == maze.entry:
                break
            move = came_by[position]
            way.insert(0, move)
            position = position + move.opposite()
        return way
