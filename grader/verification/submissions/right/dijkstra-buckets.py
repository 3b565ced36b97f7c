from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        buckets, settled = [[(maze.entry, None, None)]], {}
        for d, bucket in enumerate(buckets):
            for cell, parent, move in bucket:
                if cell in settled:
                    continue
                settled[cell] = (parent, move)
                if maze.is_exit(cell):
                    way = []
                    while settled[cell][0] is not None:
                        cell, m = settled[cell]
                        way.append(m)
                    return list(reversed(way))
                for m in maze.valid_moves_at(cell):
                    if len(buckets) == d + 1:
                        buckets.append([])
                    buckets[d + 1].append((cell + m, cell, m))
        return None
