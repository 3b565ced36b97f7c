"""Want of memory: how it shows in an exception, and why no submission catches it.

Theory of operation. Where the memory ends is luck: of the version of Python, of what was freed before. What
a submission makes of a MemoryError that it catches is luck as well. So ``turns.py`` puts a call of
``RELEASE`` first in every handler that would catch one, and in every ``finally``: it raises the error again,
until that has left the submission. What is left to luck is a MemoryError that a library catches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from errno import ENOMEM
from typing import Final

RELEASE: Final = "__release__"
"""The name among the builtins of what raises want of memory again."""
_CHAIN: Final = 100
"""An exception is followed to its causes at most 100 times: they may form a circle."""
_WITHOUT_EXCEPTION: Final = ("without exception set", "without setting an exception")
"""How Python complains of its own code, where it got no memory and did not say so."""
_context = vars(BaseException)["__context__"].__get__


def is_want_of_memory(error: BaseException | None) -> bool:
    """Tell whether memory ran out, for an object or a mapping, or the error was caused by that."""
    return any(map(_is_direct, _chain(error)))


def release() -> None:
    """Raise the exception that is being handled again, where it shows want of memory."""
    if _is_direct(sys.exc_info()[1]):
        raise


def _is_direct(error: BaseException | None) -> bool:
    kind = type(error)
    if kind is OSError:
        return isinstance(error, OSError) and error.errno == ENOMEM
    if kind is SystemError:
        return str(error).endswith(_WITHOUT_EXCEPTION)
    return isinstance(error, MemoryError)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(_CHAIN):
        if error is None:
            return
        yield error
        error = _context(error)
