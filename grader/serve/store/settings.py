"""What the dispatcher tells the web process: numbers of workers, and whether uploads are taken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from grader.serve.store.database import Store

WORKERS: Final = "workers"
CLOSING: Final = "closing"
"""There where the service is about to stop: uploads are not taken any more."""
COPYING: Final = "copying"
"""When a copy of the folder was begun that is not ended yet: the uploads that it tells of stay meanwhile."""
_LONGEST_COPY_SECONDS: Final = 3600.0
"""One that takes longer was killed."""


def put(store: Store, name: str, value: str) -> None:
    """Set a value."""
    store.rows(
        "insert into settings values (?, ?) on conflict do update set value = excluded.value", (name, value)
    )


def get(store: Store, name: str, default: str = "") -> str:
    """A value."""
    found = store.value("select value from settings where name = ?", (name,))
    return default if found is None else str(found)


@contextmanager
def copying(store: Store) -> Iterator[None]:
    """Have the uploads stay, until the end."""
    begun = repr(time.time())
    put(store, COPYING, begun)
    try:
        yield
    finally:
        store.rows("delete from settings where name = ? and value = ?", (COPYING, begun))


def is_copying(store: Store) -> bool:
    """Whether somebody makes a copy."""
    return float(get(store, COPYING, "0")) + _LONGEST_COPY_SECONDS > time.time()
