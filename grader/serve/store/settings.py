"""What the dispatcher tells the web process: numbers of workers, and whether uploads are taken."""

from __future__ import annotations

from typing import Final

from grader.serve.store.database import Store

WORKERS: Final = "workers"
CLOSING: Final = "closing"
"""There where the service is about to stop: uploads are not taken any more."""


def put(store: Store, name: str, value: str) -> None:
    """Set a value."""
    store.rows(
        "insert into settings values (?, ?) on conflict do update set value = excluded.value", (name, value)
    )


def get(store: Store, name: str, default: str = "") -> str:
    """A value."""
    found = store.value("select value from settings where name = ?", (name,))
    return default if found is None else str(found)
