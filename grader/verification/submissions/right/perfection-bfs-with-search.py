from solvers.search import Search


class PerfectionChecker:
    def is_perfect(self, maze):
        search = Search()
        search.mark_as_pending(maze.entry)
        passages = set()
        while search.has_pending_cells():
            cell = search.first_pending()
            for move in maze.valid_moves_at(cell):
                passages.add(frozenset((cell, cell + move)))
                search.record(cell, move, cell + move)
        everything = maze.dimension.row_count * maze.dimension.column_count
        return len(search.known_cells) == everything and len(passages) == everything - 1
