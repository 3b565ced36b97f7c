"""Wrong models of perfection checkers: what they take for perfect, and how they fail to say so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from grader.exercises.kit.facts import Features
from grader.exercises.kit.misconception import Model
from grader.exercises.perfection.judge import (
    ORDERS,
    Answer,
    by_each,
    by_features,
    marking_found,
    marking_visited,
)

_ANSWERS = {"True", "False", "none", "int", "other", "vectors"}
"""What a call can give back; errors and endless loops are no answers."""


def _another_yes_or_no(_exercise: str, answers: Sequence[Answer]) -> bool:
    """Tell whether perfect mazes get other answers than the rest, and not all answers are bools."""
    yes = {(each.answer, each.value) for each in answers if each.features.perfect}
    no = {(each.answer, each.value) for each in answers if not each.features.perfect}
    kinds = {answer for answer, _ in yes | no}
    told_apart = bool(yes and no) and not yes & no
    return told_apart and kinds <= _ANSWERS and not kinds <= {"True", "False"}


def _each_passage_twice(maze: Features) -> bool:
    return 2 * len(maze.edges) == len(maze.cells) - 1


def stops_at_the_exit(maze: Features) -> bool:
    """Answer like a checker that goes no further than the exit: it reaches all cells of a perfect maze where
    the exit, if any, is in a dead end."""
    exit_ = maze.maze.exit
    return maze.perfect and (exit_ is None or len(maze.maze.valid_moves_at(exit_)) <= 1)


def _is_none(answer: Answer) -> bool:
    return answer.answer == "none"


def is_out(maze: Features) -> bool:
    """Tell whether the exit, if any, can be reached."""
    return maze.maze.exit is None or maze.maze.exit in maze.reached


MODELS = (
    # Gives the same answer whatever the maze.
    Model("always-the-same", by_features(lambda _maze: True, lambda _maze: False)),
    # Answers with something else than True and False.
    Model("another-yes-or-no", _another_yes_or_no),
    # Compares with the cell visited last instead of the one it came from.
    Model(
        "compares-with-the-last-visited",
        by_features(
            *(partial(rule, order=order) for rule in (marking_found, marking_visited) for order in ORDERS)
        ),
    ),
    # Counts passages, and looks at nothing else.
    Model("counts-passages-only", by_features(lambda maze: len(maze.edges) == len(maze.cells) - 1)),
    # Asks only whether there is a cycle.
    Model("cycles-only", by_features(lambda maze: maze.acyclic, lambda maze: maze.acyclic_in_reach)),
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
    ),
    # Gives nothing back, whatever the maze.
    Model("no-answer", by_each(_is_none)),
    # Asks only whether every cell can be reached.
    Model("reach-only", by_features(lambda maze: maze.connected)),
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
    ),
)
