"""What staff have tried of students' work: one call on a maze each, which changes no result.

A try waits until it has its answer; which one is at work, only the dispatcher knows, so that what a dead one
had begun is begun anew.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from grader.serve.store.database import Store

KEPT_SECONDS: Final = 7 * 24 * 3600.0
"""A try is kept for 7 days."""
_COLUMNS: Final = "id, attempt, check_id, maze, asked, answer"


@dataclass(frozen=True, slots=True)
class CheckTry:
    """A check that an attempt's code is asked on a maze."""

    id: int
    attempt: str
    check_id: str
    maze: str
    asked: float
    answer: str | None
    """What came of it; None until that is known."""


def ask(store: Store, attempt: str, check: str, maze: str, now: float) -> None:
    """Have a check of an attempt tried; it takes the place of the one before."""
    with store.transaction():
        store.rows("delete from tries where attempt = ? and check_id = ?", (attempt, check))
        row = {"attempt": attempt, "check_id": check, "maze": maze, "asked": now}
        store.insert("tries", row)


def find(store: Store, attempt: str, check: str) -> CheckTry | None:
    """Return the last try of a check of an attempt; None without one."""
    of_check = f"select {_COLUMNS} from tries where attempt = ? and check_id = ?"
    return next(iter(store.records(CheckTry, of_check, (attempt, check))), None)


def next_waiting(store: Store, courses: Collection[str]) -> tuple[str, CheckTry] | None:
    """Return the first try of these courses that waits, and whose it is; None without one."""
    found = store.row(
        "select tries.id as id, course from tries join attempts on attempts.id = attempt "
        "where answer is null and course in (select value from json_each(?)) order by tries.id limit 1",
        (json.dumps(list(courses)),),
    )
    if found is None:
        return None
    [waiting] = store.records(CheckTry, f"select {_COLUMNS} from tries where id = ?", (found["id"],))
    return found["course"], waiting


def finish(store: Store, number: int, answer: str) -> None:
    """Write down what came of a try, unless another has taken its place."""
    store.rows("update tries set answer = ? where id = ?", (answer, number))


def sweep_old(store: Store, now: float) -> None:
    """Drop what is no longer kept."""
    store.rows("delete from tries where asked < ?", (now - KEPT_SECONDS,))
