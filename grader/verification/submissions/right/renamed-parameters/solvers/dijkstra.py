from lab import Solver


def dijkstra(self, maze, search):
    search.mark_as_pending(maze.entry)
    while search.has_pending_cells():
        p = search.closest_pending()
        if maze.is_exit(p):
            return search.moves_to(p)
        for m in maze.valid_moves_at(p):
            search.record(p, m, p + m)


class Dijkstra(Solver):
    solve = dijkstra
