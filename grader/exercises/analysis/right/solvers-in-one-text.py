"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Ingrid"

# An empty room
room = """
+-+-+-+-+
|    E  |
+ + + + +
|       |
+ + + + +
|      S|
+ + + + +
|       |
+ + + + +
|       |
+-+-+-+-+"""

dfs_room = [(3, 4), (2, 4), (1, 4), (1, 3)]
bfs_room = [(3, 4), (2, 4), (4, 4), (3, 3), (1, 4), (2, 3), (5, 4), (4, 3), (3, 2), (1, 3)]
dijkstra_room = [(3, 4), (2, 4), (4, 4), (3, 3), (1, 4), (2, 3), (5, 4), (4, 3), (3, 2), (1, 3)]
first_room = "dfs"

# A long corridor
corridor = """
+-+-+-+-+-+
|         |
+ +-+-+-+ +
|       | |
+-+-+-+ + +
|       | |
+ +-+-+-+ +
|S      | |
+-+-+-+ + +
|E      | |
+ +-+-+-+ +
|       | |
+-+-+-+-+-+"""

dfs_corridor = [(4, 1), (3, 1), (3, 2), (3, 3), (3, 4), (2, 4), (2, 3), (2, 2), (2, 1), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (6, 5), (4, 2), (4, 3), (4, 4), (5, 4), (5, 3), (5, 2), (5, 1)]
bfs_corridor = [(4, 1), (3, 1), (4, 2), (3, 2), (4, 3), (3, 3), (4, 4), (3, 4), (5, 4), (2, 4), (5, 3), (2, 3), (5, 2), (2, 2), (5, 1)]
dijkstra_corridor = [(4, 1), (3, 1), (4, 2), (3, 2), (4, 3), (3, 3), (4, 4), (3, 4), (5, 4), (2, 4), (5, 3), (2, 3), (5, 2), (2, 2), (5, 1)]
first_corridor = "bfs, dijkstra"

# A regular maze
regular = """
+-+-+-+-+
|   | | |
+ +-+ + +
|S| |  E|
+ + +-+ +
|   | | |
+ +-+ + +
|       |
+-+-+-+-+"""

dfs_regular = [(2, 1), (1, 1), (1, 2), (3, 1), (3, 2), (2, 2), (4, 1), (4, 2), (4, 3), (3, 3), (4, 4), (3, 4), (2, 4)]
bfs_regular = [(2, 1), (1, 1), (3, 1), (1, 2), (3, 2), (4, 1), (2, 2), (4, 2), (4, 3), (3, 3), (4, 4), (3, 4), (2, 4)]
dijkstra_regular = [(2, 1), (1, 1), (3, 1), (1, 2), (3, 2), (4, 1), (2, 2), (4, 2), (4, 3), (3, 3), (4, 4), (3, 4), (2, 4)]
first_regular = "dfs, bfs, dijkstra"
