class PerfectionChecker:
    def is_perfect(self, maze):
        text = maze.to_text()
        walls = text.count("|") + text.count("-")
        return 0.30 < walls / len(text) < 0.40
