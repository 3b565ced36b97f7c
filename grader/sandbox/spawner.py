"""One thread that starts all processes of boxes, and lives as long as the grader.

In Linux, "die with your parent" refers to the parent's *thread*: a box started by a worker thread would be
killed when that thread ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

Result = TypeVar("Result")


def in_spawner(work: Callable[[], Result]) -> Result:
    """Run the work in that thread; return its result, or raise its exception."""
    return _thread(os.getpid()).submit(work).result()


@lru_cache(maxsize=1)
def _thread(_process: int) -> ThreadPoolExecutor:
    """Return this process's thread; a forked grader has none of its parent's threads."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="box-spawner")
