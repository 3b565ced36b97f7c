"""Makes a call of a public test once more, recorded line by line, and tells its story as the grade does.

The test has its result by then. The call may end otherwise than it did there, since code can see that it is
recorded: then nothing is told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from lab import worker
from lab.commands import student
from lab.commands.mazes import EndlessError
from lab.exercises import Exercise
from lab.maze import Maze
from lab.recorded import Told
from lab.steps import StepRecorder
from lab.story import Recorded
from lab.story_sentences import SENTENCES
from lab.telling import TELLING, excerpt, in_full

Watching = Callable[[Mapping[str, Sequence[Any]]], None]
"""Is given the lists that grow while the code runs."""
Tell = Callable[[Recorded, Any], list[Told]]
"""Tells of a call that gave a value; nothing of one that gave a right one."""
Ending = Literal["returned", "raised", "endless", "waits", "unwritten"]


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A call of the student's code."""

    exercise: Exercise
    make: Callable[[Watching], Any]
    """Makes it, with new objects."""
    tell: Tell
    follow: str = ""
    """A command that shows the call line by line."""
    luck: tuple[Any, ...] = field(default_factory=random.getstate)
    """The state of ``random`` when the test made the call."""
    maze: Maze | None = None
    """The one that a solver is in."""


def ending(error: BaseException) -> Ending:
    """Return how a call ended that raised this."""
    if isinstance(error, worker.WaitsForEver):
        return "waits"
    if isinstance(error, (worker.TookTooLong, EndlessError, RecursionError, MemoryError)):
        return "endless"
    return "unwritten" if isinstance(error, NotImplementedError) else "raised"


@contextmanager
def _harmless() -> Iterator[None]:
    """Let nothing be raised, and leave the luck of the tests as it is: a story is a help, and no more."""
    luck = random.getstate()
    try:
        with suppress(Exception):
            yield
    finally:
        random.setstate(luck)


@_harmless()
def retold(
    folder: Path,
    call: FailedCall,
    ended: Ending,
    *,
    run: Callable[[Callable[[], Any]], Any],
    visits: Sequence[str],
) -> dict[str, Any] | None:
    """Return the story of a call that ended like this in a test; None where there is nothing to tell.

    With ``is_telling``, it says where the call parts from a right one; ``step`` is the number of that line
    among all that ran, as maze trace counts them, 0 where that opens at the right place by itself.
    ``run`` runs the student's code with limits; ``visits`` are the cells that the page shows step by step.
    """
    path = folder / call.exercise.file
    own = cache(lambda file: student.is_own_file(folder, Path(file)))
    recorder, came = StepRecorder(str(path).__eq__, counts=own), "returned"

    def record() -> Any:
        student.imported(folder, call.exercise)
        random.setstate(call.luck)
        with recorder:
            return call.make(recorder.watch)

    gave = None
    try:
        with student.recorded_by(folder, recorder):
            gave = run(record)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a student's code may raise anything, and so do tests
        came = ending(error)
    if came != ended or ended == "unwritten" or (came == "returned" and recorder.is_full):
        return None
    source = path.read_text(encoding="utf-8-sig")
    lines = Recorded(source, recorder.events)
    others: dict[str, Callable[[], list[Told]]] = {
        "raised": lines.of_exception,
        "endless": partial(lines.of_rounds, call.maze),
        "waits": lines.of_wait,
    }
    told = run(others.get(came, partial(call.tell, lines, gave)))
    at = next((each.at for each in told if each.at >= 0), None)
    told = in_full(lines, told)
    first, shown = excerpt([each.line for each in told if each.line], source.split("\n"))
    steps = [
        {
            "file": call.exercise.file,
            "line": each.line,
            "text": SENTENCES[each.key].format(**each.values),
            "values": dict(each.shown),
        }
        for each in told
    ]
    if not told or (came == "raised" and len(told) == 1 and not told[0].shown):  # a traceback says as much
        return None
    is_telling = any(each.key in TELLING for each in told) and came == "returned"
    return {
        "steps": steps,
        "first": first,
        "source": shown,
        "walk": lines.of_walk(visits),
        "is_telling": is_telling,
        "step": recorder.steps[at] if at is not None and came == "returned" else 0,
    }
