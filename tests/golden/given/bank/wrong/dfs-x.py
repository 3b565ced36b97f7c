class DFS:
    pass
