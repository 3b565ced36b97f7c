"""Whether a long text can be parsed at little cost.

Python's parser takes memory that grows with the square of a name's parts (``import a.a.a.…``), and before
Python 3.12 time that grows with the square of an f-string's: some ten thousand characters are enough to end
a grader. So a long text is parsed first in a process of its own, with little memory and little time.
"""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from typing import Final

_SHORT: Final = 8_000
"""What so few characters can cost is known: 20 MB, 10 ms."""
_MEMORY: Final = 256 * 1024**2
_SECONDS: Final = 4
_PROGRAM: Final = f"""
import ast, resource, sys, warnings
warnings.simplefilter("ignore")
text = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
limits = {{"AS": {_MEMORY}, "CPU": {_SECONDS}, "CORE": 0}}
for name, most in limits.items():
    try:
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (most, most))
    except (ValueError, OSError):
        pass  # macOS knows no limit of memory
try:
    ast.parse(text)
except (SyntaxError, ValueError, RecursionError):
    pass
"""


def is_bearable(text: str) -> bool:
    """Tell whether a text may be parsed here, be it Python or not."""
    return len(text) <= _SHORT or _is_bearable(text)


@lru_cache(maxsize=32)
def _is_bearable(text: str) -> bool:
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM]
    given = text.encode("utf-8", "surrogatepass")
    done = subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603 - it is only parsed
    return done.returncode == 0
