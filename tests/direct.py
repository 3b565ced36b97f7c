"""Run without a sandbox, for tests of the judges with code that is known to end."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from grader.grading.case_runs import MakeCalls
from grader.inside.values import plain
from grader.model import Call, Claim, Generate, IsPerfect, RunScript, Solve
from grader.session.replies import claim_of
from lab import Dimension, Factory, Maze, Vector
from lab.watch import STREAMS, Watch, WatchedMaze, watched


def run_with(target: Any, search: Any = None) -> MakeCalls:
    """Return a function that calls the class ``target`` in this process."""

    def run(calls: Sequence[Call], _alone: bool) -> list[Claim]:
        return [claim_of(reply_to(call, target, search), call) for call in calls]

    return run


def reply_to(call: Call, target: Any, search: Any = None) -> dict[str, object]:
    """Return the reply of a runner to a call of the class."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(30_000)
    try:
        value = _KINDS[call.arguments.kind](call.arguments, target, search)
        return {"outcome": "returned", "value": value, "ran": {"functions": [], "chose": False, "unseen": []}}
    except _Stopped as stopped:
        return {"outcome": "raised", "fault": _fault(stopped.reason), "value": stopped.value}
    except Exception as error:  # noqa: BLE001 - a claim, whatever the student's code raises
        return {"outcome": "raised", "fault": _fault(error)}
    finally:
        sys.setrecursionlimit(limit)


class _Stopped(Exception):  # noqa: N818 - no error of this module's
    """A call raised; carries what was seen until then."""

    def __init__(self, reason: Exception, value: Mapping[str, Any]) -> None:
        super().__init__()
        self.reason, self.value = reason, value


def _fault(error: Exception) -> dict[str, object]:
    return {"kind": type(error).__name__, "message": str(error), "stage": "call", "trace": []}


def _solve(arguments: Any, target: Any, search: Any) -> Any:
    solver = target()
    runs: list[Any] = []
    for text in arguments.mazes:
        watch = Watch()
        maze = WatchedMaze.of(Maze.from_text(text), watch)
        try:
            returned = plain(solver.solve(maze, watched(search, watch)() if search else None))
        except Exception as error:  # noqa: BLE001 - as above
            raise _Stopped(error, {"runs": [*runs, _seen(maze, watch, text)]}) from None
        runs.append({"returned": returned, **_seen(maze, watch, text)})
    return {"runs": runs}


def _seen(maze: WatchedMaze, watch: Watch, text: str) -> Any:
    size = maze.dimension
    streams: dict[str, list[list[int]]] = {}
    for name in STREAMS:
        cells = list(dict.fromkeys(getattr(watch, name)))
        if len(cells) > 2 * size.position_count:  # a narrow maze has more positions around it than inside
            cells = [*filter(size.includes, cells)]
        streams[name] = [*map(list, cells)]
    after = Maze.to_text(maze)
    return {
        **streams,
        "used_search": watch.used_search,
        "late_looks": watch.late_looks,
        "changed": None if after == text else after,
    }


def _script(arguments: Any, target: Any, _search: Any) -> Any:
    searches: dict[int, Any] = {}
    steps: list[object] = []
    for instance, method, vectors in arguments.steps:
        one = searches.setdefault(instance, target())
        try:
            value = getattr(one, method)
            value = value if method == "known_cells" else value(*(Vector(*vector) for vector in vectors))
            steps.append({"returned": plain(value)})
        except LookupError as error:
            steps.append({"raised": type(error).__name__, "lookup": True})
        except Exception as error:  # noqa: BLE001 - as above
            raise _Stopped(error, {"steps": steps}) from None
    return {"steps": steps}


def _is_perfect(arguments: Any, target: Any, _search: Any) -> Any:
    maze = Maze.from_text(arguments.maze)
    checker = target()
    for text in arguments.before:
        checker.is_perfect(Maze.from_text(text))
    returned = checker.is_perfect(maze)
    after = maze.to_text()
    return {"returned": plain(returned), "changed": None if after == arguments.maze else after}


def _generate(arguments: Any, target: Any, _search: Any) -> Any:
    random.seed(arguments.noise)
    generator = target(random.Random(arguments.seed))
    dimension = Dimension(arguments.rows, arguments.columns)
    mazes = [generator.generate(Factory(), dimension) for _ in range(arguments.times)]
    return {"returned": [plain(maze) for maze in mazes]}


ARGUMENTS = {arguments.kind: arguments for arguments in (Solve, RunScript, IsPerfect, Generate)}
"""The arguments by the kind of call."""
_KINDS = {"solve": _solve, "script": _script, "is_perfect": _is_perfect, "generate": _generate}
