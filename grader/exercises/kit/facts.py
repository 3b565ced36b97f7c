"""What the reference says about a maze, and what is true of it as a graph; every judge starts from here."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from heapq import heappop, heappush
from importlib import import_module
from typing import TypeVar

from grader.languages import Message, said
from grader.model import Telling
from lab import MOVES, Dimension, Maze, Solver, Vector
from lab.exercises import BY_ID
from lab.graph import Passage, passages
from lab.order_judge import RightOrders
from lab.visits import tidy
from lab.watch import Watch, WatchedMaze, watched_searches
from reference.solvers.search import Search

Way = tuple[Vector, ...]
Order = tuple[Vector, ...]
Orders = tuple[Order, ...]

T = TypeVar("T")

_WALLS_ALONE = str.maketrans(dict.fromkeys("SE23456789", " "))
_SEARCHES = watched_searches(Search)


class PerSolver(dict[str, T]):
    """Facts for each solver, computed when they are first used."""

    def __init__(self, facts: Facts, work_out: Callable[[Facts, str], T]) -> None:
        super().__init__()
        self._facts, self._work_out = facts, work_out

    def __missing__(self, solver: str) -> T:
        value = self[solver] = self._work_out(self._facts, solver)
        return value


@dataclass(frozen=True)
class Facts:
    """A maze and facts about it, computed when they are first used."""

    text: str

    @cached_property
    def maze(self) -> Maze:
        """The maze; read-only."""
        return Maze.from_text(self.text)

    @cached_property
    def dimension(self) -> Dimension:
        """The maze's dimension."""
        return self.maze.dimension

    @cached_property
    def distances(self) -> dict[Vector, int]:
        """The number of moves from the entry to each cell that can be reached."""
        return distances_from(self.maze, self.maze.entry)

    @property
    def length(self) -> int | None:
        """The length of a shortest way; None if there is no way."""
        return None if self.maze.exit is None else self.distances.get(self.maze.exit)

    @cached_property
    def shortest_way(self) -> Way | None:
        """The shortest way that breadth-first search finds; None if there is no way."""
        if self.length is None or self.maze.exit is None:
            return None
        cell, moves = self.maze.exit, list[Vector]()
        found_at = {each: number for number, each in enumerate(self.distances)}
        while cell != self.maze.entry:
            nearer = (cell + move for move in self.maze.valid_moves_at(cell))
            before = min(
                (each for each in nearer if self.distances[each] < self.distances[cell]),
                key=found_at.__getitem__,
            )
            moves.append(Vector(cell.row - before.row, cell.column - before.column))
            cell = before
        return tuple(reversed(moves))

    @cached_property
    def cheapest_way(self) -> Way | None:
        """A way of least cost and, among these, of the fewest moves; None if there is no way."""
        found: dict[Vector, Vector | None] = {}
        pending: list[tuple[int, int, Vector, Vector]] = [(0, 0, self.maze.entry, Vector(0, 0))]
        while pending:
            cost, moves, cell, came = heappop(pending)
            if cell in found:
                continue
            found[cell] = Vector(cell.row - came.row, cell.column - came.column) if moves else None
            for move in self.maze.valid_moves_at(cell):
                step = self.maze.cost_of(cell, move)
                heappush(pending, (cost + step, moves + 1, cell + move, move))
        exit_ = self.maze.exit
        return _way_back(found, exit_) if exit_ is not None and exit_ in found else None

    @property
    def costs_decide(self) -> bool:
        """Whether every cheapest way has more moves than a shortest one."""
        return self.cheapest_way is not None and len(self.cheapest_way) != self.length

    @cached_property
    def passage_count(self) -> int:
        """The number of open walls."""
        maze = self.maze
        return sum(len(maze.valid_moves_at(cell)) for cell in maze.dimension.all_positions()) // 2

    @property
    def walls(self) -> str:
        """The text without entry, exit and costs."""
        return self.text.translate(_WALLS_ALONE)

    @cached_property
    def part_count(self) -> int:
        """The number of parts with no way between them."""
        left, count = set(self.dimension.all_positions()), 0
        while left:
            left.difference_update(distances_from(self.maze, next(iter(left))))
            count += 1
        return count

    @property
    def fault_count(self) -> int:
        """The number of missing passages (to reach all cells) plus superfluous ones."""
        too_few = self.part_count - 1
        too_many = self.passage_count - self.dimension.position_count + self.part_count
        return too_few + too_many

    @cached_property
    def islands(self) -> tuple[Vector, ...]:
        """The cells that cannot be reached from the entry, row by row."""
        return tuple(cell for cell in self.dimension.all_positions() if cell not in self.distances)

    @cached_property
    def cycle(self) -> tuple[Vector, ...]:
        """The cells of one cycle, in order; empty if there is none."""
        return _cycle(self.maze)

    @property
    def is_perfect(self) -> bool:
        """Whether every cell can be reached in exactly one way."""
        return not self.islands and self.passage_count == self.dimension.position_count - 1

    @cached_property
    def orders(self) -> PerSolver[Orders]:
        """The right visit orders of each solver, including entry and exit, the usual one first."""
        return PerSolver(self, _orders)

    @cached_property
    def right_orders(self) -> PerSolver[RightOrders]:
        """The same, prepared for comparison with a solver's visits."""
        return PerSolver(self, _right_orders)

    @cached_property
    def ways(self) -> PerSolver[tuple[Way, ...]]:
        """The ways that right solvers of each kind return, the reference's first.

        They distinguish a solver with the right order from others if its visits cannot be observed.
        """
        return PerSolver(self, _ways)


@lru_cache(maxsize=8192)
def facts_of(text: str) -> Facts:
    """Return the facts of a maze, cached for the next submission."""
    return Facts(text)


def _orders(facts: Facts, solver: str) -> Orders:
    found = _visits(_reference(solver), facts.maze)
    return tuple(dict.fromkeys((found, _preorder(facts.maze)))) if goes_deep(solver) else (found,)


def _right_orders(facts: Facts, solver: str) -> RightOrders:
    right = RightOrders(facts.maze, facts.orders[solver], facts.distances)
    entered, tried = _trying(facts.maze)
    return replace(right, tried=tried) if entered in right.tidy else right


def _ways(facts: Facts, solver: str) -> tuple[Way, ...]:
    others = _tree_ways(facts.maze) if goes_deep(solver) else _way_by_distance(facts)
    return tuple(dict.fromkeys((*_solve(_reference(solver), facts.maze), *others)))


def goes_deep(solver: str) -> bool:
    """Return whether a solver continues with the cell found last, so that its ways need not be short."""
    return BY_ID[solver].goes_deep


@cache
def _reference(solver: str) -> type[Solver]:
    """Return the solver of the reference."""
    asked = BY_ID[solver]
    found: type[Solver] = getattr(import_module(f"reference.{asked.module}"), asked.name)
    return found


def _solve(solver: type[Solver], maze: Maze) -> tuple[Way, ...]:
    way = solver().solve(maze.copy(), Search())
    return () if way is None else (tuple(way),)


def _visits(solver: type[Solver], maze: Maze) -> tuple[Vector, ...]:
    watch = Watch()
    solver().solve(WatchedMaze.of(maze, watch), _SEARCHES(watch))
    return tuple(Vector(*position) for position in watch.taken)


def distances_from(maze: Maze, start: Vector) -> dict[Vector, int]:
    """Return the number of moves from the start to each cell that can be reached."""
    distances, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for move in maze.valid_moves_at(cell):
            neighbour = cell + move
            if neighbour not in distances:
                distances[neighbour] = distances[cell] + 1
                queue.append(neighbour)
    return distances


def _depth_first(maze: Maze) -> Iterable[tuple[Vector, Vector | None]]:
    """Yield each cell with its predecessor, in the order in which a recursive solver enters them."""
    stack: list[tuple[Vector, Vector | None]] = [(maze.entry, None)]
    entered = set()
    while stack:
        cell, parent = stack.pop()
        if cell in entered:
            continue
        entered.add(cell)
        yield cell, parent
        if cell == maze.exit:
            return
        stack.extend((cell + move, cell) for move in reversed(maze.valid_moves_at(cell)))


def _preorder(maze: Maze) -> tuple[Vector, ...]:
    """Return the order of a DFS that marks cells when it enters them."""
    return tuple(cell for cell, _ in _depth_first(maze))


def _trying(maze: Maze) -> tuple[tuple[Vector, ...], tuple[Vector, ...]]:
    """Return the cells that a depth-first search enters up to the exit, and those of which it asks whether
    they lead back."""
    entered, tried, trail = {maze.entry: None}, {maze.entry: None}, [(maze.entry, iter(MOVES))]
    while trail and maze.exit not in entered:
        cell, moves = trail[-1]
        for move in moves:
            ahead = cell + move
            if ahead not in entered and maze.dimension.includes(ahead):
                tried[ahead] = None
                if move in maze.valid_moves_at(cell):
                    entered[ahead] = None
                    trail.append((ahead, iter(MOVES)))
                    break
        else:
            trail.pop()
    return tuple(tidy(entered, maze)), tuple(tidy(tried, maze))


def _tree_ways(maze: Maze) -> list[Way]:
    """Return the ways of depth-first solvers that store each cell's predecessor.

    That is the cell which entered it, or which first found it; ways of solvers that stop when they see the
    exit are included.
    """
    if maze.exit is None:
        return []
    entered = dict(_depth_first(maze))
    seen: dict[Vector, Vector | None] = {maze.entry: None}
    for cell in entered:
        for move in reversed(maze.valid_moves_at(cell)):
            seen.setdefault(cell + move, cell)
    marked: dict[Vector, Vector | None] = {maze.entry: None}
    stack = [maze.entry]
    while stack and (cell := stack.pop()) != maze.exit:
        for move in reversed(maze.valid_moves_at(cell)):
            if cell + move not in marked:
                marked[cell + move] = cell
                stack.append(cell + move)
    beside = {maze.exit + move for move in maze.valid_moves_at(maze.exit)}
    sees = next((cell for cell in entered if cell in beside), None)
    stopped = {**entered, maze.exit: sees} if sees else {}
    trees = (entered, seen, marked, stopped)
    return [_way_back(parents, maze.exit) for parents in trees if maze.exit in parents]


def _way_back(parents: dict[Vector, Vector | None], cell: Vector) -> Way:
    moves = []
    while (parent := parents[cell]) is not None:
        moves.append(Vector(cell.row - parent.row, cell.column - parent.column))
        cell = parent
    return tuple(reversed(moves))


def _way_by_distance(facts: Facts) -> list[Way]:
    """Return the way of a solver that walks back from the exit by decreasing distance, North first."""
    cell = facts.maze.exit
    if cell is None or cell not in facts.distances:
        return []
    moves: list[Vector] = []
    while (distance := facts.distances[cell]) > 0:
        back = next(m for m in facts.maze.valid_moves_at(cell) if facts.distances[cell + m] == distance - 1)
        moves.append(back.opposite())
        cell = cell + back
    return [tuple(reversed(moves))]


def _cycle(maze: Maze) -> tuple[Vector, ...]:
    """Return the cells of a shortest cycle through the first opening (row by row) that closes one."""
    root: dict[Vector, Vector] = {}

    def find(cell: Vector) -> Vector:
        while (parent := root.get(cell, cell)) != cell:
            grandparent = root.get(parent, parent)
            root[cell] = grandparent  # halves the path: a long corridor stays cheap
            cell = grandparent
        return cell

    for cell in maze.dimension.all_positions():
        for move in (MOVES[1], MOVES[2]):
            if maze.is_wall(cell, move):
                continue
            one, other = find(cell), find(cell + move)
            if one == other:
                return _closing(maze, cell, move)
            root[one] = other
    return ()


def _closing(maze: Maze, cell: Vector, move: Vector) -> tuple[Vector, ...]:
    """Return the cells of a shortest cycle through this opening."""
    around = maze.copy()
    around.build_wall(cell, move)
    distances = distances_from(around, cell)
    cells = [cell + move]
    while cells[-1] != cell:
        here = cells[-1]
        cells.append(
            next(here + m for m in around.valid_moves_at(here) if distances[here + m] == distances[here] - 1)
        )
    return tuple(reversed(cells))


def shape(facts: Facts) -> dict[str, Telling]:
    """Return what makes a maze imperfect, as cells for the picture."""
    return {"cycle": _cells(facts.cycle), "unreachable": _cells(facts.islands)}


def why_imperfect(facts: Facts) -> Message:
    """Say in words what makes a maze imperfect."""
    cycle = said("cycle")
    if not facts.islands:
        return cycle
    count = len(facts.islands)
    islands = said("cell_out_of_reach") if count == 1 else said("cells_out_of_reach", count=count)
    return said("both_flaws", flaw=cycle, other_flaw=islands) if facts.cycle else islands


def _cells(cells: tuple[Vector, ...]) -> list[list[int]]:
    return [list(cell) for cell in cells]


@dataclass(frozen=True)
class Features:
    """A maze and its features, computed when they are first used."""

    facts: Facts

    @property
    def maze(self) -> Maze:
        """The maze."""
        return self.facts.maze

    @property
    def cells(self) -> tuple[Vector, ...]:
        """All cells."""
        return self.facts.dimension.all_positions()

    @cached_property
    def edges(self) -> frozenset[Passage]:
        """All passages."""
        return passages(self.maze)

    @property
    def reached(self) -> Set[Vector]:
        """The cells that can be reached from the entry."""
        return self.facts.distances.keys()

    @property
    def connected(self) -> bool:
        """Whether every cell can be reached."""
        return not self.facts.islands

    @cached_property
    def part_count(self) -> int:
        """The number of parts with no way between them."""
        return part_count(self.cells, self.edges)

    @property
    def acyclic(self) -> bool:
        """Whether there is no cycle at all."""
        return len(self.edges) == len(self.cells) - self.part_count

    @property
    def acyclic_in_reach(self) -> bool:
        """Whether no cycle can be reached from the entry."""
        inside = sum(one in self.reached for one, _ in self.edges)
        return inside == len(self.reached) - 1

    @property
    def perfect(self) -> bool:
        """Whether every cell can be reached in exactly one way."""
        return self.facts.is_perfect


@lru_cache(maxsize=2_000)
def features_of(text: str) -> Features:
    """Return the features of a maze, cached for the next submission. Raises MazeFormatError for an invalid
    one."""
    features = Features(Facts(text))
    _ = features.maze
    return features


def part_count(cells: Collection[Vector], edges: Iterable[Passage]) -> int:
    """Count the parts of these cells if they are joined by these passages only."""
    root = {cell: cell for cell in cells}

    def find(cell: Vector) -> Vector:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for one, other in edges:
        root[find(one)] = find(other)
    return sum(root[cell] == cell for cell in cells)
