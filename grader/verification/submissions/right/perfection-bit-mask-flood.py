class PerfectionChecker:
    def is_perfect(self, maze):
        d = maze.dimension
        w = d.column_count
        index = {c: i for i, c in enumerate(d.all_positions())}
        row = [sum(1 << index[c + m] for m in maze.valid_moves_at(c)) for c in index]
        if sum(bin(r).count("1") for r in row) != 2 * (len(row) - 1):
            return False
        seen, new = 1, 1
        while new:
            nxt = 0
            while new:
                low = new & -new
                nxt |= row[low.bit_length() - 1]
                new ^= low
            new = nxt & ~seen
            seen |= new
        return seen == (1 << len(row)) - 1
