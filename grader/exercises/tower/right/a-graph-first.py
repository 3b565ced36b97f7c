from collections import defaultdict
from heapq import heappop, heappush


def graph_of(floors):
    graph = defaultdict(list)
    for level, floor in enumerate(floors, 1):
        for name, step in (("west_east", (0, 0, 1)), ("north_south", (0, 1, 0)), ("up_down", (1, 0, 0))):
            for row, doors in enumerate(floor[name], 1):
                for column, is_open in enumerate(doors, 1):
                    if is_open:
                        one = (level, row, column)
                        other = tuple(a + b for a, b in zip(one, step))
                        graph[one].append(other)
                        graph[other].append(one)
    return graph


def way(floors, start, end):
    graph = graph_of(floors)
    heap, done = [(0, [start])], set()
    while heap:
        count, cells = heappop(heap)
        if cells[-1] == end:
            return cells
        if cells[-1] not in done:
            done.add(cells[-1])
            for other in graph[cells[-1]]:
                heappush(heap, (count + 1, [*cells, other]))
    return None
