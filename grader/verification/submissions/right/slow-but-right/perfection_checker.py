class PerfectionChecker:
    def is_perfect(self, maze):
        unseen = list(maze.dimension.all_positions())
        edges = 0
        total = len(unseen)
        todo = [unseen.pop(0)]
        while todo:
            cell = todo.pop(0)
            for move in maze.valid_moves_at(cell):
                edges += 1
                if cell + move in unseen:
                    unseen.remove(cell + move)
                    todo.append(cell + move)
        return unseen == [] and edges / 2 == total - 1
