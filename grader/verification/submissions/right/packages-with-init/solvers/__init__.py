from .search import Search
from .dfs import DFS
from .bfs import BFS
from .dijkstra import Dijkstra

__all__ = ["Search", "DFS", "BFS", "Dijkstra"]
