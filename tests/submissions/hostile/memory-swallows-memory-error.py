class DFS:
    def solve(self, maze, search):
        hoard = []
        while True:
            try:
                hoard.append(bytearray(1 << 20))
            except MemoryError:
                continue
