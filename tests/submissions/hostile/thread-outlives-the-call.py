import threading
import time


class DFS:
    def solve(self, maze, search):
        threading.Thread(target=time.sleep, args=(10_000,)).start()
        return []
