from collections import Counter


class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        links = {c: {c + m for m in maze.valid_moves_at(c)} for c in cells}
        leaves = [c for c in cells if len(links[c]) == 1]
        while leaves:
            c = leaves.pop()
            if len(links[c]) != 1:
                continue
            (o,) = links.pop(c)
            links[o].discard(c)
            if len(links[o]) == 1:
                leaves.append(o)
        return len(links) == 1 and not any(links.values())
