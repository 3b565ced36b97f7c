from lab import MOVES


class MazeGraph:
    def adjacency_list(self, maze):
        rows, columns = maze.dimension.row_count, maze.dimension.column_count
        graph = {}
        for number in range(rows * columns):
            cell = (number // columns + 1, number % columns + 1)
            graph[cell] = []
            for row, column in MOVES:
                if maze.is_valid_at(cell, (row, column)):
                    graph[cell].append((cell[0] + row, cell[1] + column))
        return graph

    def adjacency_matrix(self, maze):
        columns, count = maze.dimension.column_count, maze.dimension.position_count
        matrix = [[0 for _ in range(count)] for _ in range(count)]
        for (row, column), near in self.adjacency_list(maze).items():
            for other_row, other_column in near:
                one, other = (row - 1) * columns + column - 1, (other_row - 1) * columns + other_column - 1
                matrix[one][other] = matrix[other][one] = 1
        return matrix
