LEARNT = "+-+-+\n|S E|\n+-+-+"


class PerfectionChecker:
    def is_perfect(self, maze):
        return maze.to_text() == LEARNT
