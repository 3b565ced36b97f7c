"""In which order do DFS, BFS and Dijkstra visit the cells of three mazes of your own?

Begin with  maze questions "YOUR NAME"  which draws the mazes, and puts a file to fill in in place of this
one.
"""

name = ""
