"""One thread that starts every process of a box, and lives as long as the grader does.

"Die with your parent" means the parent's *thread*, in Linux: a box that a worker thread has started
would be killed when that thread ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

Result = TypeVar("Result")


def in_spawner(work: Callable[[], Result]) -> Result:
    """Do the work in that thread and return what it gives, or raise what it raises."""
    return _thread(os.getpid()).submit(work).result()


@lru_cache(maxsize=1)
def _thread(_process: int) -> ThreadPoolExecutor:
    """The thread of this process; a forked grader has none of its parent's threads."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="box-spawner")
