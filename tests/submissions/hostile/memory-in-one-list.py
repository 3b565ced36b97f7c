class DFS:
    def solve(self, maze, search):
        hoard = []
        while True:
            hoard.append(bytearray(16 << 20))
