from collections import deque


def random_tree(root, moves_at, rng, pop=deque.pop):
    edges, frontier, nodes = [], deque([root]), {root}
    while frontier:
        node = pop(frontier)
        fresh = [move for move in moves_at(node) if node + move not in nodes]
        if fresh:
            move = rng.choice(fresh)
            edges.append((node, move))
            nodes.add(node + move)
            frontier.extend([node, node + move])
    return edges
