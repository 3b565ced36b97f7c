def BFS(maze, search):
    return []
