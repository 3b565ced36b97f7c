"""How much longer things take than on an idle machine, by how many processes want to run at the moment.

Clocks on the wall are stretched by it, so that what they end does not hang on what else the machine does. It
is looked at where no process of the submission lives, which could make it larger.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

MOST: Final = 10.0
"""A clock is stretched to ten times its seconds at most: nothing waits for ever."""
_LOAD: Final = Path("/proc/loadavg")


def stretch_now() -> float:
    """Return by which factor, from 1 to MOST, work takes longer now than on an idle machine."""
    return round(min(MOST, max(1.0, _wanting() / _cores())), 1)


def _wanting() -> float:
    """Return how many processes run or wait for a processor; their mean in a minute where no /proc tells."""
    try:
        return float(_LOAD.read_text("ascii").split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return os.getloadavg()[0]


def _cores() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS
        return os.cpu_count() or 1
