"""Values that processes share: the number of workers, what a job takes at most, the address, the dispatcher's
last sign of life, what courses are graded with, and whether the service is closing or being backed up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from grader.serve.store.database import Store

WORKERS: Final = "workers"
"""The value of this name is the number of jobs that can run at once."""
PURSE: Final = "purse"
"""The value of this name is how many seconds one job takes at most, as busy as the machine is now."""
CLOSING: Final = "closing"
"""The value of this name is not empty while the service is stopping and accepts no uploads."""
ADDRESS: Final = "address"
"""The value of this name is the URL under which the service was started last."""
BEAT: Final = "beat"
"""The value of this name is when the dispatcher gave its last sign of life."""
STAMP: Final = "stamp "
"""The value of this name, with the id of a course behind it, says what its attempts are graded with now."""
COPYING: Final = "copying"
"""The value of this name is the start time of a running backup, during which no upload is deleted."""
_LONGEST_COPY_SECONDS: Final = 3600.0
"""A backup that started more than 3600 seconds ago is assumed to have been killed."""


def put(store: Store, name: str, value: str) -> None:
    """Set a value."""
    store.put("settings", {"name": name}, {"value": value})


def get(store: Store, name: str, default: str = "") -> str:
    """Return a value, or the default if it is not set."""
    found = store.value("select value from settings where name = ?", (name,))
    return default if found is None else str(found)


@contextmanager
def backup_running(store: Store) -> Iterator[None]:
    """Record that a backup is running, for the duration of the context."""
    begun = repr(time.time())
    put(store, COPYING, begun)
    try:
        yield
    finally:
        store.rows("delete from settings where name = ? and value = ?", (COPYING, begun))


def is_backup_running(store: Store) -> bool:
    """Tell whether a backup is running."""
    return float(get(store, COPYING, "0")) + _LONGEST_COPY_SECONDS > time.time()
