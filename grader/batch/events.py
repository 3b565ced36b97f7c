"""The events of a batch, and the log file that records them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from grader.disk import writing

LOG: Final = "batch.log.jsonl"

Tell = Callable[..., None]
"""A function ``tell(event, **facts)`` that reports an event; its facts are plain data."""


class Log:
    """The log file: one JSON object in ASCII per line and event.

    When the disk is full, lines are lost, but the batch goes on.
    """

    def __init__(self, out: Path) -> None:
        path = out / LOG
        with writing(path):
            torn = path.is_file() and path.read_bytes()[-1:] not in (b"", b"\n")
            self._file = path.open("a", encoding="ascii", buffering=1)
        self.lost = 0
        if torn:  # a grader was killed while it wrote
            self._write("\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError:
            self.lost += 1

    def tell(self, event: str, **facts: Any) -> None:
        """Write an event with a timestamp."""
        moment = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
        self._write(json.dumps({"time": moment, "event": event, **facts}) + "\n")

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
        except OSError:
            self.lost += 1
