"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Mia"

# An empty room
room = """
+-+-+-+-+-+
|S        |
+ + + + + +
|         |
+ + + + + +
|  E      |
+ + + + + +
|         |
+ + + + + +
|         |
+ + + + + +
|         |
+-+-+-+-+-+"""

dfs_room = [(0, 1), (0, 1), (0, 1), (0, 1), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (0, -1), (0, -1), (-1, 0), (-1, 0), (-1, 0), (0, -1)]
bfs_room = [(0, 1), (1, -1), (-1, 2), (1, -1), (1, -1), (-2, 3), (1, -1), (1, -1)]
dijkstra_room = [(0, 1), (1, -1), (-1, 2), (1, -1), (1, -1), (-2, 3), (1, -1), (1, -1)]
first_room = ["BFS", "Dijkstra"]

# A long corridor
corridor = """
+-+-+-+-+
|  E    |
+ +-+-+ +
| |   | |
+ +-+ + +
| | |   |
+ + +-+-+
|S|     |
+ +-+-+ +
| |   | |
+ + + + +
|   |   |
+-+-+-+-+"""

dfs_corridor = [(-1, 0), (-1, 0), (-1, 0), (0, 1)]
bfs_corridor = [(-1, 0), (2, 0), (-3, 0), (4, 0), (-5, 0), (5, 1), (-5, 0)]
dijkstra_corridor = [(-1, 0), (2, 0), (-3, 0), (4, 0), (-5, 0), (5, 1), (-5, 0)]
first_corridor = ["DFS"]

# A regular maze
regular = """
+-+-+-+-+
|     |E|
+ +-+ + +
|   |   |
+-+-+-+ +
|  S    |
+ +-+-+ +
|     | |
+-+-+-+-+"""

dfs_regular = [(0, 1), (0, 1), (-1, 0), (-1, 0)]
bfs_regular = [(0, 1), (0, -2), (0, 3), (1, -3), (-2, 3), (2, 0), (0, -2), (-3, 2)]
dijkstra_regular = [(0, 1), (0, -2), (0, 3), (1, -3), (-2, 3), (2, 0), (0, -2), (-3, 2)]
first_regular = ["DFS"]
