from lab import MOVES, Vector


class MazeGraph:
    def adjacency_list(self, maze):
        return {
            cell: [
                cell + move
                for move in sorted(maze.valid_moves_at(cell)[::-1], key=MOVES.index)
            ]
            for cell in maze.dimension.all_positions()
        }

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return [[int(other in reached) for other in neighbors] for reached in neighbors.values()]
