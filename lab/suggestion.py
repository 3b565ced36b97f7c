"""What Python proposes where an attribute is not there, as it prints it: "Did you mean: '_distances'?".

The text of an exception lacks it, so Python is asked. Names with an underscore, which only some versions
propose outside of the object, are left out there.
"""

from __future__ import annotations

import re
import sys
import traceback
from contextlib import redirect_stderr
from io import StringIO
from typing import Any, Final

_OPENING: Final = ". Did you mean: '"


def suggestion(error: BaseException | None) -> str:
    """Return what Python adds to the message of an exception; "" where it adds nothing."""
    if type(error) is not AttributeError or type(error.name) is not str:
        return ""
    try:
        found = _proposed(error, error.name)
    except Exception:  # noqa: BLE001 - a student's __dir__ may do anything
        return ""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    is_own = bool(frames) and frames[-1].f_locals.get("self") is error.obj
    is_hidden = found[:1] == "_" != error.name[:1] and not is_own
    return f"{_OPENING}{found}'?" if found and not is_hidden else ""


def suggested(message: str) -> str:
    """Return the name that is proposed at the end of a message; "" if none is."""
    _, opening, name = message.rpartition(_OPENING)
    return name.removesuffix("'?") if opening else ""


def _proposed(error: AttributeError, wrong: str) -> str:
    compute: Any = getattr(traceback, "_compute_suggestion_error", None)
    if compute is not None:  # from Python 3.12 on
        return compute(error, error.__traceback__, wrong) or ""
    with redirect_stderr(StringIO()) as said:
        sys.__excepthook__(AttributeError, AttributeError(name=wrong, obj=error.obj), None)
    found = re.search(r"Did you mean: '(\w+)'\?", said.getvalue())
    return found[1] if found else ""
