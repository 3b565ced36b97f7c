"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Filip"

# An empty room
room = """
+-+-+-+-+
|       |
+ + + + +
|    S  |
+ + + + +
|       |
+ + + + +
|      E|
+-+-+-+-+"""

dfs_room = [(2, 3), (1, 3), (1, 4), (1, 2), (1, 1)]
bfs_room = [(2, 3), (1, 3), (2, 4), (3, 3), (2, 2), (1, 4)]
dijkstra_room = [(2, 3), (1, 3), (2, 4), (3, 3), (2, 2), (1, 4)]
first_room = ["DFS"]

# A long corridor
corridor = """
+-+-+-+-+
|   |   |
+ + + + +
| | |E| |
+ + +-+ +
|S|   | |
+ +-+ + +
|   |   |
+-+ +-+-+
|   |   |
+ +-+-+ +
|       |
+-+-+-+-+"""

dfs_corridor = [(3, 1), (2, 1), (1, 1), (1, 2), (2, 2), (3, 2), (3, 3)]
bfs_corridor = [(3, 1), (2, 1), (4, 1), (1, 1), (4, 2), (1, 2), (5, 2), (2, 2), (5, 1), (3, 2), (6, 1), (3, 3)]
dijkstra_corridor = [(3, 1), (2, 1), (4, 1), (1, 1), (4, 2), (1, 2), (5, 2), (2, 2), (5, 1), (3, 2), (6, 1), (3, 3)]
first_corridor = ["DFS"]

# A regular maze
regular = """
+-+-+-+-+-+
|     |   |
+ + + + + +
| | |S  | |
+ + + + + +
| | | | | |
+-+ +-+ +-+
|   | |   |
+ +-+ + +-+
|E    |   |
+-+-+-+-+-+"""

dfs_regular = [(2, 3), (1, 3), (1, 2), (2, 2)]
bfs_regular = [(2, 3), (1, 3), (2, 4), (3, 3), (1, 2), (1, 4), (3, 4), (2, 2), (1, 1), (1, 5), (4, 4)]
dijkstra_regular = [(2, 3), (1, 3), (2, 4), (3, 3), (1, 2), (1, 4), (3, 4), (2, 2), (1, 1), (1, 5), (4, 4)]
first_regular = ["DFS"]
