"""What happens in a batch, told to those who watch: the log file and the terminal."""

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
"""``tell(event, **facts)``: facts are plain data."""


class Log:
    """The log file: one JSON line an event, in ASCII; a disk that is full costs lines, not the batch."""

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
        """Write an event."""
        moment = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
        self._write(json.dumps({"time": moment, "event": event, **facts}) + "\n")

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
        except OSError:
            self.lost += 1
