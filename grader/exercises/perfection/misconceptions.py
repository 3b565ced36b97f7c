"""Wrong models of perfection checkers: what they take for perfect, and how they fail to say so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from grader.exercises.kit.code_patterns import (
    asks_of_entry_or_exit,
    asks_of_the_exit,
    drops_its_own_answer,
    looks_at_each_cell_alone,
    prints,
    searches,
    without,
)
from grader.exercises.kit.maze_features import Features, part_count, right_in_squares_only
from grader.exercises.kit.misconception import Explains, Model
from grader.exercises.kit.union_find_patterns import (
    finds_one_step_up,
    joins_cells_for_roots,
    relabels_one_cell,
)
from grader.exercises.perfection.answers import Answer, Rule, by_each, by_features, is_right
from lab import EAST, SOUTH, Vector

DEEP = 400
"""Where recursion goes too deep in a maze of fewer cells, its size is not the reason."""

_ANSWERS = {"True", "False", "none", "int", "other", "vectors"}
"""What a call can give back; errors and endless loops are no answers."""


def _is_right(answer: Answer) -> bool:
    return is_right("perfection", answer)


def _right_but_too_deep(answer: Answer) -> bool:
    too_deep = answer.answer == "deep" and len(answer.features.cells) >= DEEP
    return too_deep or _is_right(answer)


def _another_yes_or_no(_exercise: str, answers: Sequence[Answer]) -> bool:
    """Tell whether perfect mazes get other answers than the rest, and not all answers are bools."""
    yes = {(each.answer, each.value) for each in answers if each.features.perfect}
    no = {(each.answer, each.value) for each in answers if not each.features.perfect}
    kinds = {answer for answer, _ in yes | no}
    told_apart = bool(yes and no) and not yes & no
    return told_apart and kinds <= _ANSWERS and not kinds <= {"True", "False"}


# --- cells and passages that are left out, or counted otherwise -----------------------------------

_EDGES = ((1, 0), (0, 1), (1, 1))
"""How many rows and columns are left out at the end."""


def seen_without(rows: int, columns: int) -> Rule:
    """Return the rule of a checker that leaves out so many rows and columns at the end."""
    return lambda maze: is_tree_among(maze, _kept(maze, rows, columns))


def is_tree_among(maze: Features, cells: Collection[Vector]) -> bool:
    """Tell whether these cells alone are a perfect maze."""
    kept = set(cells)
    edges = [edge for edge in maze.edges if kept.issuperset(edge)]
    return part_count(kept, edges) == 1 and len(edges) == len(kept) - 1


def counted_without(rows: int, columns: int) -> Rule:
    """Return the rule of a checker that counts passages, and forgets those of the last rows and columns."""

    def answer(maze: Features) -> bool:
        kept = set(_kept(maze, rows, columns))
        return sum(cell in kept for cell, _ in maze.edges) == len(maze.cells) - 1

    return answer


def _kept(maze: Features, rows: int, columns: int) -> list[Vector]:
    size = maze.maze.dimension
    last_row, last_column = size.row_count - rows, size.column_count - columns
    return [cell for cell in maze.cells if cell.row <= last_row and cell.column <= last_column]


def but_for_lonely_cells(maze: Features) -> bool:
    """Answer like a checker that overlooks cells without any passage."""
    lonely = sum(not maze.maze.valid_moves_at(cell) for cell in maze.cells)
    return maze.acyclic and maze.part_count - lonely <= 1


def _unless_all_are_lonely(maze: Features) -> bool:
    return but_for_lonely_cells(maze) if maze.edges else len(maze.cells) == 1


def _each_passage_twice(maze: Features) -> bool:
    return 2 * len(maze.edges) == len(maze.cells) - 1


def is_narrow(maze: Features) -> bool:
    """Tell whether the maze is a single row or column."""
    return 1 in (maze.maze.dimension.row_count, maze.maze.dimension.column_count)


def _wrong_where(narrow: Rule) -> Explains:
    """Return the model of a checker that is right except for narrow mazes, where it always gives the same
    answer, or always raises."""

    def explains(_exercise: str, answers: Sequence[Answer]) -> bool:
        told = {each.answer for each in answers if narrow(each.features)}
        rest = [each for each in answers if not narrow(each.features)]
        return told in ({"False"}, {"True"}, {"raised"}) and all(map(_is_right, rest))

    return explains


def _squares_only(_exercise: str, answers: Sequence[Answer]) -> bool:
    return right_in_squares_only([(each.features.maze, _is_right(each)) for each in answers])


def stops_at_the_exit(maze: Features) -> bool:
    """Answer like a checker that goes no further than the exit: it reaches all cells of a perfect maze where
    the exit, if any, is in a dead end."""
    exit_ = maze.maze.exit
    return maze.perfect and (exit_ is None or len(maze.maze.valid_moves_at(exit_)) <= 1)


def _has_one_way_out(maze: Features) -> bool:
    """Tell whether there is exactly one way from the entry to the exit.

    That is so where no two cells of the way are joined without it.
    """
    way = maze.facts.shortest_way
    if way is None:
        return False
    cells = [*accumulate(way, lambda cell, move: cell + move, initial=maze.maze.entry)]
    on_it = {frozenset(pair) for pair in pairwise(cells)}
    known: set[Vector] = set()
    for start in cells:
        if start in known:
            return False
        known.add(start)
        pending = [start]
        while pending:
            cell = pending.pop()
            ends = (cell + move for move in maze.maze.valid_moves_at(cell))
            new = [end for end in ends if end not in known and frozenset((cell, end)) not in on_it]
            known.update(new)
            pending += new
    return True


def _has_no_room(maze: Features) -> bool:
    """Answer like a checker that takes a cycle for four cells in a square."""
    edges = {frozenset(edge) for edge in maze.edges}
    return maze.connected and not any(
        edges.issuperset(
            frozenset(pair) for pair in ((a, a + EAST), (a, a + SOUTH), (a + EAST, b), (a + SOUTH, b))
        )
        for a in maze.cells
        for b in [a + SOUTH + EAST]
    )


def _sees_some(has_fault: Callable[[Features], bool], other: Callable[[Features], bool]) -> Explains:
    """Return the model of a checker that finds a fault in some mazes, overlooks it in others, and is right
    about mazes without it."""

    def explains(_exercise: str, answers: Sequence[Answer]) -> bool:
        wrong = [each for each in answers if not _is_right(each)]
        seen = [each for each in answers if has_fault(each.features) and not other(each.features)]
        return (
            all(each.answer == "True" and has_fault(each.features) for each in wrong)
            and any(each.answer == "False" for each in seen)
            and any(each.answer == "True" for each in seen)
        )

    return explains


def _has_cycle(maze: Features) -> bool:
    return not maze.acyclic


def _falls_apart(maze: Features) -> bool:
    return not maze.connected


def _says_yes_or_no(answer: Answer) -> bool:
    return answer.answer in ("True", "False")


def _wrong_by_yes(answer: Answer) -> bool:
    """Tell whether an answer is right, or calls a maze perfect that is not."""
    return _is_right(answer) or (answer.answer == "True" and not answer.changed)


def _yes_or_too_deep(answer: Answer) -> bool:
    return _wrong_by_yes(answer) or _right_but_too_deep(answer)


def _is_none(answer: Answer) -> bool:
    return answer.answer == "none"


def is_out(maze: Features) -> bool:
    """Tell whether the exit, if any, can be reached."""
    return maze.maze.exit is None or maze.maze.exit in maze.reached


def _never_ends(answer: Answer) -> bool:
    return answer.outcome in ("endless", "timeout")


def _right_but_endless_when_large(answer: Answer) -> bool:
    return _is_right(answer) or (_never_ends(answer) and len(answer.features.cells) >= DEEP)


MODELS = (
    # Gives the same answer whatever the maze.
    Model("always-the-same", by_features(lambda _maze: True, lambda _maze: False)),
    # Answers with something else than True and False.
    Model("another-yes-or-no", _another_yes_or_no),
    # Builds or breaks walls in the maze that it checks; but for that everything is right.
    Model(
        "changes-the-checked-maze",
        by_each(lambda answer: _is_right(replace(answer, changed=False))),
    ),
    # Recurses deeper than Python allows, only in large mazes.
    Model("checker-goes-too-deep", by_each(_right_but_too_deep)),
    # Counts passages, and looks at nothing else.
    Model(
        "counts-passages-only",
        by_features(lambda maze: len(maze.edges) == len(maze.cells) - 1),
        code=without(searches),
    ),
    # Counts the ways from the entry to the exit, and asks for one.
    Model("counts-ways-to-the-exit", by_features(_has_one_way_out), code=asks_of_the_exit),
    # Asks only whether there is a cycle.
    Model("cycles-only", by_features(lambda maze: maze.acyclic, lambda maze: maze.acyclic_in_reach)),
    # Calls itself, and does nothing with what the inner call found.
    Model("drops-the-inner-answer", by_each(_yes_or_too_deep), goes_by="code", code=drops_its_own_answer),
    # Never ends on a maze with a cycle, or recurses until Python stops it.
    Model(
        "endless-on-cycles",
        by_features(
            lambda maze: maze.connected if maze.acyclic_in_reach else "endless",
            lambda maze: maze.connected if maze.acyclic_in_reach else "deep",
        ),
    ),
    # Never ends, whatever the maze.
    Model("checker-never-ends", by_each(_never_ends), goes_by="kind"),
    # Takes too long in large mazes only.
    Model("checker-too-slow-when-large", by_each(_right_but_endless_when_large), goes_by="kind"),
    # Takes the way back for a cycle, or counts each passage from both of its sides.
    Model(
        "finds-fault-everywhere",
        by_features(
            lambda maze: len(maze.cells) == 1,
            lambda maze: not maze.maze.valid_moves_at(maze.maze.entry),
            _each_passage_twice,
            lambda maze: _each_passage_twice(maze) and maze.connected,
        ),
    ),
    # Takes no notice of the last row or column.
    Model(
        "forgets-an-edge-of-the-maze",
        by_features(*(rule(*edges) for rule in (seen_without, counted_without) for edges in _EDGES)),
    ),
    # Takes no notice of cells without any passage.
    Model("ignores-lonely-cells", by_features(but_for_lonely_cells, _unless_all_are_lonely)),
    # Joins cells of trees in the place of their roots.
    Model("joins-cells", by_each(_wrong_by_yes), code=joins_cells_for_roots),
    # Looks at the passages of each cell, and never goes from one cell to the next.
    Model(
        "looks-at-cells-one-by-one", by_each(_says_yes_or_no), code=looks_at_each_cell_alone, goes_by="code"
    ),
    # Finds some cycles, and overlooks others.
    Model("overlooks-some-cycles", _sees_some(_has_cycle, _falls_apart), goes_by="kind"),
    # Finds some cells out of reach, and overlooks others.
    Model("overlooks-some-islands", _sees_some(_falls_apart, _has_cycle), goes_by="kind"),
    # Takes what a cell hangs on for the root of its tree.
    Model("finds-one-step-up", by_each(_wrong_by_yes), code=finds_one_step_up, goes_by="code"),
    # Gives the group of one cell to another cell alone.
    Model("relabels-one-cell", by_each(_wrong_by_yes), code=relabels_one_cell, goes_by="code"),
    # Takes four cells in a square for the only kind of cycle.
    Model("rooms-only", by_features(_has_no_room)),
    # Asks also where entry and exit are.
    Model(
        "looks-at-entry-and-exit",
        by_features(
            stops_at_the_exit,
            lambda maze: maze.perfect and maze.maze.has_exit(),
            lambda maze: maze.connected and (maze.acyclic or not maze.maze.has_exit()),
            lambda maze: maze.perfect and maze.maze.entry == maze.cells[0],
            lambda maze: maze.perfect and maze.maze.exit == maze.cells[-1],
            lambda maze: maze.perfect and maze.maze.exit in (None, maze.cells[-1]),
        ),
        code=asks_of_entry_or_exit,
    ),
    # Gives nothing back, whatever the maze.
    Model("no-answer", by_each(_is_none), code=without(prints)),
    # Prints its answer, and gives nothing back.
    Model("prints-for-returning", by_each(_is_none), code=prints),
    # Asks only whether every cell can be reached.
    Model("reach-only", by_features(lambda maze: maze.connected)),
    # Is right about square mazes, and wrong about many others.
    Model("squares-only", _squares_only, goes_by="kind"),
    # Lets one passage too many pass.
    Model(
        "tolerates-one-more",
        by_features(
            lambda maze: maze.connected and len(maze.edges) <= len(maze.cells),
            lambda maze: len(maze.edges) == len(maze.cells),
            lambda maze: maze.connected and len(maze.edges) == len(maze.cells),
        ),
    ),
    # Is wrong in every maze of one cell, one row or one column, and right in all others.
    Model(
        "wrong-in-narrow-mazes",
        lambda exercise, answers: any(
            _wrong_where(narrow)(exercise, answers)
            for narrow in (lambda maze: len(maze.cells) == 1, is_narrow)
        ),
    ),
    # Says True for False and False for True.
    Model("turned-round", by_features(lambda maze: not maze.perfect)),
    # Asks only whether there is a way from the entry to the exit.
    Model(
        "way-to-the-exit",
        by_features(
            lambda maze: maze.maze.exit in maze.reached,
            lambda maze: is_out(maze) and len(maze.edges) == len(maze.cells) - 1,
            lambda maze: maze.maze.exit in maze.reached and len(maze.edges) == len(maze.cells) - 1,
            lambda maze: maze.maze.exit in maze.reached and maze.acyclic_in_reach,
            lambda maze: is_out(maze) and maze.acyclic_in_reach,
        ),
        code=asks_of_the_exit,
    ),
)
