from itertools import pairwise

from lab import EAST, NORTH, SOUTH, WEST

NAMES = {-1: NORTH, 1j: EAST, 1: SOUTH, -1j: WEST}


class WallFollower:
    def solve(self, maze, search):
        if not maze.has_exit():
            return None
        cells = {complex(*cell): cell for cell in maze.dimension.all_positions()}
        track = self.walk(maze, cells)
        return None if track is None else [NAMES[there - here] for here, there in pairwise(track)]

    def walk(self, maze, cells):
        here, facing = complex(*maze.entry), -1
        track, steps = [here], []
        while here != complex(*maze.exit):
            turns = [facing * turn for turn in (-1j, 1, 1j, -1)]
            open_ = [turn for turn in turns if NAMES[turn] in maze.valid_moves_at(cells[here])]
            if not open_ or (here, open_[0]) == (steps[0] if steps else None):
                return None
            facing = open_[0]
            steps.append((here, facing))
            here += facing
            track.append(here)
        return track
