class Mine(BaseException):
    pass


turn = 0


class DFS:
    def solve(self, maze, search):
        global turn
        turn += 1
        raise (GeneratorExit, KeyboardInterrupt, Mine, StopIteration, MemoryError)[turn % 5]
