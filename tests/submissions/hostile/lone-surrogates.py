import sys


class DFS:
    def solve(self, maze, search):
        try:
            print("\ud800 printed \udfff")
        except UnicodeError:
            sys.stdout.buffer.write(b"\xff\xfe\xc3\n")
        if maze.exit is None:
            return "\udc80 returned"
        raise ValueError("\ud800 raised \udfff")
