"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Hanna"

# An empty room
room = """
+-+-+-+-+
|       |
+ + + + +
|       |
+ + + + +
|    E  |
+ + + + +
|       |
+ + + + +
|S      |
+-+-+-+-+"""

dfs_room = [(True, True)]
bfs_room = [(5, 1), (4, 1), (5, 2), (3, 1), (4, 2), (5, 3), (2, 1), (3, 2), (4, 3), (5, 4), (1, 1), (2, 2), (3, 3)]
dijkstra_room = [(5, 1), (4, 1), (5, 2), (3, 1), (4, 2), (5, 3), (2, 1), (3, 2), (4, 3), (5, 4), (1, 1), (2, 2), (3, 3)]
first_room = ["BFS", "Dijkstra"]

# A long corridor
corridor = """
+-+-+-+-+-+
|     |   |
+ +-+ + + +
| |   |E| |
+ + +-+ + +
| |   | | |
+ +-+ +-+ +
|   |    S|
+-+-+-+-+-+"""

dfs_corridor = [(4, 5), (3, 5), (2, 5), (1, 5), (1, 4), (2, 4)]
bfs_corridor = [(4, 5), (3, 5), (4, 4), (2, 5), (4, 3), (1, 5), (3, 3), (1, 4), (3, 2), (2, 4)]
dijkstra_corridor = [(4, 5), (3, 5), (4, 4), (2, 5), (4, 3), (1, 5), (3, 3), (1, 4), (3, 2), (2, 4)]
first_corridor = ["DFS"]

# A regular maze
regular = """
+-+-+-+-+
|       |
+-+ +-+ +
|     | |
+-+ +-+-+
|  E    |
+ +-+-+ +
|   | | |
+ +-+ +-+
| | |S  |
+ + +-+ +
|       |
+-+-+-+-+"""

dfs_regular = [(5, 3), (4, 3), (5, 4), (6, 4), (6, 3), (6, 2), (5, 2), (6, 1), (5, 1), (4, 1), (3, 1), (3, 2)]
bfs_regular = [(5, 3), (4, 3), (5, 4), (6, 4), (6, 3), (6, 2), (5, 2), (6, 1), (5, 1), (4, 1), (3, 1), (4, 2), (3, 2)]
dijkstra_regular = [(5, 3), (4, 3), (5, 4), (6, 4), (6, 3), (6, 2), (5, 2), (6, 1), (5, 1), (4, 1), (3, 1), (4, 2), (3, 2)]
first_regular = ["DFS"]
