class WallFollower:
    def solve(self, maze, search):
        return None
