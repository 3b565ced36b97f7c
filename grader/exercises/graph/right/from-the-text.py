class MazeGraph:
    def adjacency_list(self, maze):
        lines = maze.to_text().splitlines()
        graph = {}
        for row in range(1, len(lines) // 2 + 1):
            for column in range(1, len(lines[0]) // 2 + 1):
                down, right = 2 * row - 1, 2 * column - 1
                near = []
                for a, b in ((-1, 0), (0, 1), (1, 0), (0, -1)):
                    if lines[down + a][right + b] == " ":
                        near.append((row + a, column + b))
                graph[(row, column)] = near
        return graph

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return [[int(other in reached) for other in neighbors] for reached in neighbors.values()]
