"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Oskar"

# An empty room
room = """
+-+-+-+-+
|       |
+ + + + +
|       |
+ + + + +
|E      |
+ + + + +
|    S  |
+ + + + +
|       |
+ + + + +
|       |
+-+-+-+-+"""

dfs_room = ["north", "east"]
bfs_room = ["north", "east"]
dijkstra_room = ["north", "east"]
first_room = ["DFS"]

# A long corridor
corridor = """
+-+-+-+-+-+
|E        |
+ +-+-+-+ +
|     |   |
+-+-+ +-+-+
|   | |   |
+ + + + + +
| | |   | |
+ +-+-+-+ +
|        S|
+-+-+-+-+-+"""

dfs_corridor = ["north", "east"]
bfs_corridor = ["north", "east"]
dijkstra_corridor = ["north", "east"]
first_corridor = ["DFS"]

# A regular maze
regular = """
+-+-+-+-+
|     | |
+ + + + +
| | |S| |
+ + + + +
| | |   |
+ + +-+-+
| |     |
+-+ + +-+
|   |   |
+-+ + + +
|   | |E|
+-+-+-+-+"""

dfs_regular = ["north", "east"]
bfs_regular = ["north", "east"]
dijkstra_regular = ["north", "east"]
first_regular = ["DFS"]
