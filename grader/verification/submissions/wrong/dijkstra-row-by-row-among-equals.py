from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        infinite = float("inf")
        distance = {cell: infinite for cell in maze.dimension.all_positions()}
        distance[maze.entry] = 0
        came_by, left = {}, list(distance)
        while left:
            cell = min(left, key=distance.get)
            if distance[cell] == infinite:
                return None
            left.remove(cell)
            if cell == maze.exit:
                way = []
                while cell in came_by:
                    way.append(came_by[cell])
                    cell += came_by[cell].opposite()
                return way[::-1]
            for move in maze.valid_moves_at(cell):
                if distance[cell] + 1 < distance[cell + move]:
                    distance[cell + move] = distance[cell] + 1
                    came_by[cell + move] = move
        return None
