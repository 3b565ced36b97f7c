before = []


class PerfectionChecker:
    def is_perfect(self, maze):
        text = maze.to_text()
        like = any(len(text) == len(other) for other in before[-3:])
        before.append(text)
        return like
