"""A recording as plain data for a page; of a long one, the last part.

Everything is stored as changes, each at its moment: a moment is a line that begins. What changed before the
part that is kept has moment 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lab.tracing.cells import Cell
from lab.tracing.recorder import CallEvent, Recorder
from lab.tracing.variable_history import ContainerHistory, ParentsHistory
from lab.watch import STREAMS, Watch

MOST_STEPS = 60_000
"""As many lines are kept, the last ones; a right solver runs some 12,000 on 20 x 20 cells."""


def recording(recorder: Recorder, watch: Watch, *, end: int | None = None) -> dict[str, Any]:
    """Return what happened up to a moment, by default everything."""
    last = recorder.moment if end is None else min(end, recorder.moment)
    first = max(0, last - MOST_STEPS)
    pending = _pending(recorder, watch)
    used = sorted(set(recorder.steps[first:last]))
    places = {number: place for place, number in enumerate(used)}
    return {
        "first": first,
        "total": last,
        "lines": [list(recorder.lines[number]) for number in used],
        "steps": [places[number] for number in recorder.steps[first:last]],
        "visits": _moved(_visits(recorder, watch), first, last),
        "pending": None if pending is None else _told(pending, recorder, first, last),
        "parents": _moved(_parents(recorder.parents), first, last),
        "values": recorder.values.told(first, last),
        "calls": _calls(recorder.calls, first, last) if _recurses(recorder) else [],
    }


def _visits(recorder: Recorder, watch: Watch) -> list[tuple[int, Cell]]:
    """Return the visited cells, as the most informative observation shows them."""
    name = next((name for name in STREAMS if getattr(watch, name)), STREAMS[0])
    seen = zip(recorder.seen[name], getattr(watch, name), strict=False)
    return [(moment, cell) for moment, one in seen if (cell := recorder.cells.plain(one)) is not None]


def _pending(recorder: Recorder, watch: Watch) -> ContainerHistory | None:
    """Return the variable that cells leave most often; one of the search's, if the search returns the
    cells."""
    found = [kept for kept in recorder.kept if kept.leavings and not kept.is_lost]
    if watch.taken:
        found = [kept for kept in found if "." in kept.name]
    return max(found, key=lambda kept: kept.leavings, default=None)


def _parents(found: Iterable[ParentsHistory]) -> list[tuple[int, int, int]]:
    """Return the largest tree that a variable holds."""
    trees = [parents.changes for parents in found if not parents.is_lost]
    return max(trees, key=len, default=[])


def _recurses(recorder: Recorder) -> bool:
    return max(recorder.deepest.values(), default=0) > 1


def discipline(kept: ContainerHistory, methods: Iterable[str], *, uses_heap: bool) -> str:
    """Name the discipline by which cells came and left: queue, stack, priority, or the kind of container."""
    asked = set(methods)
    if "closest_pending" in asked and "." in kept.name:
        return "priority"
    if kept.kind in (set, dict):
        return kept.kind.__name__
    if uses_heap and kept.kind is list and not kept.backs:
        return "priority"
    if not kept.others and not kept.came_other:
        if kept.fronts and not kept.backs:
            return "top first" if kept.came_front else "queue"
        if kept.backs and not kept.fronts and not kept.came_front:
            return "stack"
        if not kept.fronts and not kept.backs:
            by_method = {"first_pending": "queue", "last_pending": "stack"}
            return next((kind for method, kind in by_method.items() if method in asked), "list")
    return "list"


def _told(kept: ContainerHistory, recorder: Recorder, first: int, last: int) -> dict[str, Any]:
    changes: list[list[Any]] = []
    held: list[Cell] = []
    for moment, start, left, came in kept.changes:
        if moment <= first:
            held[start : start + left] = came
        elif moment <= last:
            changes.append([moment - first, start, left, list(came)])
    methods = {call.name for call in recorder.calls}
    return {
        "name": kept.name,
        "kind": discipline(kept, methods, uses_heap=recorder.uses_heap),
        "changes": [[0, 0, 0, held], *changes],
        "until": None if kept.until is None or kept.until > last else max(0, kept.until - first),
    }


def _moved(changes: Iterable[tuple[Any, ...]], first: int, last: int) -> list[list[Any]]:
    return [[max(0, moment - first), *rest] for moment, *rest in changes if moment <= last]


def _calls(calls: Iterable[CallEvent], first: int, last: int) -> list[list[Any]]:
    """Return calls that begin, with name and cells, and calls that end, but for those that ended before
    the part."""
    stack: list[list[Any]] = []
    told: list[list[Any]] = []
    for moment, name, cells in calls:
        if moment > last:
            break
        change = [max(0, moment - first), name, list(cells)] if name else [max(0, moment - first)]
        if moment > first:
            told.append(change)
        elif name:
            stack.append(change)
        else:
            stack.pop()
    return [*stack, *told]
