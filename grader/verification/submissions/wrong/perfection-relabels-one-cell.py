from lab import EAST, SOUTH


class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        group = {cell: number for number, cell in enumerate(cells)}
        passages = 0
        for cell in cells:
            for move in (EAST, SOUTH):
                if move in maze.valid_moves_at(cell):
                    end = cell + move
                    passages += 1
                    if group[cell] != group[end]:
                        group[end] = group[cell]
                    else:
                        return False
        return passages == len(cells) - 1
