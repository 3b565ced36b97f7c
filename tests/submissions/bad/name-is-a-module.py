import lab as Dijkstra
