class BFS:
    pass
