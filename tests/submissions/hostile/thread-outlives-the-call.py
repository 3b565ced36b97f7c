import threading


class DFS:
    def solve(self, maze, search):
        threading.Thread(target=threading.Event().wait, args=(10_000,)).start()
        return []
