"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Ella"

# An empty room
room = """
+-+-+-+-+-+
|         |
+ + + + + +
|         |
+ + + + + +
|         |
+ + + + + +
|         |
+ + + + + +
|      S  |
+ + + + + +
|E        |
+-+-+-+-+-+"""

dfs_room = []
bfs_room = []
dijkstra_room = []
first_room = []

# A long corridor
corridor = """
+-+-+-+-+
|       |
+ +-+-+ +
| |   |S|
+ + +-+ +
| | |   |
+ + + +-+
|   |   |
+-+-+-+ +
|       |
+ +-+-+-+
|    E  |
+-+-+-+-+"""

dfs_corridor = []
bfs_corridor = []
dijkstra_corridor = []
first_corridor = []

# A regular maze
regular = """
+-+-+-+-+-+
|  S  | | |
+-+ +-+ + +
|         |
+-+-+ +-+ +
|     |   |
+-+-+ +-+-+
|        E|
+-+-+-+-+-+"""

dfs_regular = []
bfs_regular = []
dijkstra_regular = []
first_regular = []
