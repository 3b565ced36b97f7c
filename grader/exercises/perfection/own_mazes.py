"""The test mazes that students hand in with their checkers, and the typical mistakes that these catch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from grader.exercises.perfection.typical_mistakes import MISTAKES, caught_by
from grader.languages import said
from grader.model import OwnMaze, OwnMazes
from lab import MazeFormatError
from lab.own_mazes import MOST, MOST_SIDE, MazeSizeError, own_mazes_among, read_own_maze


def examine(files: Mapping[str, bytes], known: Sequence[str]) -> OwnMazes | None:
    """Return what the mazes among these files catch; None if there are none.

    ``known`` are the texts of the test mazes that students know.
    """
    paths = own_mazes_among(files)
    if not paths:
        return None
    caught_already = frozenset().union(*map(_caught_by_known, known))
    first = [_examined(path, files[path], caught_already) for path in paths[:MOST]]
    rest = [OwnMaze(path, message=said("own_maze_too_many", most=MOST)) for path in paths[MOST:]]
    return OwnMazes((*first, *rest), len(MISTAKES))


def _examined(path: str, content: bytes, caught_already: frozenset[str]) -> OwnMaze:
    try:
        text = read_own_maze(content).to_text()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return OwnMaze(path, message=said("own_maze_encoding", line=line))
    except MazeFormatError as error:
        place = {"line": error.line, "column": error.column}
        return OwnMaze(
            path, message=said("own_maze_malformed", **place, expected=error.expected, found=error.found)
        )
    except MazeSizeError as error:
        return OwnMaze(path, message=said("own_maze_large", size=str(error.dimension), most=MOST_SIDE))
    caught = caught_by(text)
    in_order = [name for name in MISTAKES if name in caught]
    return OwnMaze(
        path, text, tuple(in_order), tuple(name for name in in_order if name not in caught_already)
    )


@lru_cache(maxsize=500)
def _caught_by_known(text: str) -> frozenset[str]:
    """Return the mistakes that a test maze of the course catches, cached for the next submission."""
    return caught_by(text)
