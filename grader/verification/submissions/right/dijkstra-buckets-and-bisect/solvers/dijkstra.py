from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        buckets = [[maze.entry]]
        way = {maze.entry: ()}
        distance = 0
        while distance < len(buckets):
            for cell in buckets[distance]:
                if maze.is_exit(cell):
                    return self.unroll(way[cell])
                for move in maze.valid_moves_at(cell):
                    if cell + move in way:
                        continue
                    way[cell + move] = (way[cell], move)
                    if len(buckets) == distance + 1:
                        buckets.append([])
                    buckets[distance + 1].append(cell + move)
            distance += 1

    @staticmethod
    def unroll(chain):
        moves = []
        while chain:
            chain, move = chain
            moves.insert(0, move)
        return moves
