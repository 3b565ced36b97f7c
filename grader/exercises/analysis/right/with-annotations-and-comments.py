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

# by hand, twice
dfs_room: list = [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (6, 5), (6, 4), (6, 3), (5, 3), (4, 3), (3, 3), (3, 2)]
# by hand, twice
bfs_room: list = [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), (1, 4), (2, 3), (3, 2)]
# by hand, twice
dijkstra_room: list = [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), (1, 4), (2, 3), (3, 2)]
# by hand, twice
first_room: list = ["BFS", "Dijkstra"]

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

# by hand, twice
dfs_corridor: list = [(4, 1), (3, 1), (2, 1), (1, 1), (1, 2)]
# by hand, twice
bfs_corridor: list = [(4, 1), (3, 1), (5, 1), (2, 1), (6, 1), (1, 1), (6, 2), (1, 2)]
# by hand, twice
dijkstra_corridor: list = [(4, 1), (3, 1), (5, 1), (2, 1), (6, 1), (1, 1), (6, 2), (1, 2)]
# by hand, twice
first_corridor: list = ["DFS"]

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

# by hand, twice
dfs_regular: list = [(3, 2), (3, 3), (3, 4), (2, 4), (1, 4)]
# by hand, twice
bfs_regular: list = [(3, 2), (3, 3), (3, 1), (3, 4), (4, 1), (2, 4), (4, 4), (4, 2), (1, 4)]
# by hand, twice
dijkstra_regular: list = [(3, 2), (3, 3), (3, 1), (3, 4), (4, 1), (2, 4), (4, 4), (4, 2), (1, 4)]
# by hand, twice
first_regular: list = ["DFS"]
