from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        far = maze.dimension.position_count + 1
        distance = {cell: far for cell in maze.dimension.all_positions()}
        distance[maze.entry] = 0
        ways = {maze.entry: []}
        for cell in maze.dimension.all_positions():
            if distance[cell] == far:
                continue
            for move in maze.valid_moves_at(cell):
                if distance[cell] + 1 < distance[cell + move]:
                    distance[cell + move] = distance[cell] + 1
                    ways[cell + move] = [*ways[cell], move]
        return ways.get(maze.exit)
