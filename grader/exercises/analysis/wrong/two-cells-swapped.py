"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Fill in the lists by hand, as in  dfs_room = [(2, 2), (1, 2), (1, 3)]: the cells as (row, column), in the
order in which they are visited, from S to E. Moves are explored North, East, South, West. Then say who
comes to E after the fewest visits, as in  first_room = ["DFS"], and name all where several do.

This file is read and never run: it holds numbers, texts and lists, and nothing else.
"""

# The mazes are drawn from the name: leave both as they are.
name = "Nora"

# An empty room
room = """
+-+-+-+-+-+-+
|           |
+ + + + + + +
|           |
+ + + + + + +
|        S  |
+ + + + + + +
|    E      |
+-+-+-+-+-+-+"""

dfs_room = [(3, 5), (2, 5), (1, 6), (1, 5), (1, 4), (1, 3), (2, 3), (3, 3), (4, 3)]
bfs_room = [(3, 5), (2, 5), (4, 5), (3, 6), (3, 4), (1, 5), (2, 6), (2, 4), (4, 6), (4, 4), (3, 3), (1, 6), (1, 4), (2, 3), (4, 3)]
dijkstra_room = [(3, 5), (2, 5), (4, 5), (3, 6), (3, 4), (1, 5), (2, 6), (2, 4), (4, 6), (4, 4), (3, 3), (1, 6), (1, 4), (2, 3), (4, 3)]
first_room = ["DFS"]

# A long corridor
corridor = """
+-+-+-+-+
|   |   |
+ + + + +
| | | |E|
+ +-+ + +
| |   | |
+ + +-+-+
| |  S  |
+ +-+-+ +
|       |
+-+-+-+-+"""

dfs_corridor = [(4, 3), (4, 4), (5, 3), (5, 4), (5, 2), (5, 1), (4, 1), (3, 1), (2, 1), (1, 1), (1, 2), (2, 2), (4, 2), (3, 2), (3, 3), (2, 3), (1, 3), (1, 4), (2, 4)]
bfs_corridor = [(4, 3), (4, 4), (5, 4), (4, 2), (3, 2), (5, 3), (3, 3), (5, 2), (2, 3), (5, 1), (1, 3), (4, 1), (1, 4), (3, 1), (2, 4)]
dijkstra_corridor = [(4, 3), (4, 4), (5, 4), (4, 2), (3, 2), (5, 3), (3, 3), (5, 2), (2, 3), (5, 1), (1, 3), (4, 1), (1, 4), (3, 1), (2, 4)]
first_corridor = ["BFS", "Dijkstra"]

# A regular maze
regular = """
+-+-+-+-+-+
| |S| |   |
+ + + + +-+
| |       |
+ + +-+-+-+
|   | |  E|
+ +-+ + +-+
|         |
+-+-+-+-+-+"""

dfs_regular = [(1, 2), (2, 2), (1, 3), (2, 3), (2, 4), (1, 4), (1, 5), (2, 5), (3, 2), (3, 1), (2, 1), (1, 1), (4, 1), (4, 2), (4, 3), (3, 3), (4, 4), (3, 4), (3, 5)]
bfs_regular = [(1, 2), (2, 2), (3, 2), (2, 3), (1, 3), (2, 4), (3, 1), (1, 4), (2, 5), (2, 1), (4, 1), (1, 5), (1, 1), (4, 2), (4, 3), (3, 3), (4, 4), (3, 4), (4, 5), (3, 5)]
dijkstra_regular = [(1, 2), (2, 2), (3, 2), (2, 3), (1, 3), (2, 4), (3, 1), (1, 4), (2, 5), (2, 1), (4, 1), (1, 5), (1, 1), (4, 2), (4, 3), (3, 3), (4, 4), (3, 4), (4, 5), (3, 5)]
first_regular = ["DFS"]
