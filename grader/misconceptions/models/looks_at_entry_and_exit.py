"""Asks also where entry and exit are."""

from __future__ import annotations

from grader.misconceptions.answers import Features, by_features
from grader.misconceptions.model import Model


def _has_exit(maze: Features) -> bool:
    return maze.perfect and maze.maze.has_exit()


def _entry_in_the_first(maze: Features) -> bool:
    return maze.perfect and maze.maze.entry == maze.cells[0]


def _exit_in_the_last(maze: Features) -> bool:
    return maze.perfect and maze.maze.exit == maze.cells[-1]


def _exit_if_any_in_the_last(maze: Features) -> bool:
    return maze.perfect and maze.maze.exit in (None, maze.cells[-1])


MODEL = Model(
    name="looks-at-entry-and-exit",
    exercises=("perfection",),
    explains=by_features(_has_exit, _entry_in_the_first, _exit_in_the_last, _exit_if_any_in_the_last),
    hints={
        "en": (
            "Your checker calls a perfect maze imperfect because of its entry or its exit. Does the "
            "number of ways between two cells change when the exit moves, or is taken away?"
        ),
        "nb": (
            "Sjekkeren din kaller en perfekt labyrint uperfekt på grunn av inngangen eller utgangen. "
            "Endrer antallet veier mellom to celler seg når utgangen flyttes eller fjernes?"
        ),
    },
)
