"""The calls of a round as they are sent to the box."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from grader.model import Call, Limits, plain_arguments
from grader.session.budgets import budget_of
from grader.session.wire import encode

_KEPT: Final = 32
"""The lines of 32 lists of calls are kept, of up to 1 MB each: those of a rubric are the same for every
submission."""


def round_line(
    head: Mapping[str, object], calls: tuple[Call, ...], limits: Limits, *, search_is_asked: bool
) -> bytes:
    """Return the whole message of a round, as a line."""
    tells_version = any(call.version is not None for call in calls)
    told = (_line_of if tells_version else _kept)(calls, limits, search_is_asked)
    return encode({**head})[:-2] + b"," + told[1:]


def _line_of(calls: tuple[Call, ...], limits: Limits, search_is_asked: bool) -> bytes:
    return encode(calls_told(calls, limits, search_is_asked=search_is_asked))


_kept: Final = lru_cache(maxsize=_KEPT)(_line_of)


def calls_told(calls: Sequence[Call], limits: Limits, *, search_is_asked: bool) -> dict[str, object]:
    """Return the part of the message about the calls; each other text of the file is in it once."""
    versions = list(dict.fromkeys(call.version for call in calls if call.version is not None))
    numbers = {version: number for number, version in enumerate(versions)}
    budgets = [budget_of(call, limits, search_is_asked=search_is_asked) for call in calls]
    places = {budget: place for place, budget in enumerate(dict.fromkeys(budgets))}
    message: dict[str, object] = {
        "budgets": [budget._asdict() for budget in places],
        "calls": [_told(call, places[budget], numbers) for call, budget in zip(calls, budgets, strict=True)],
    }
    if versions:
        message["versions"] = [b64encode(version).decode("ascii") for version in versions]
    if any(call.traced for call in calls):
        message["lines"] = True
    if recorded := sorted({file for call in calls for file in call.recorded}):
        message["steps"] = recorded
    return message


def _told(call: Call, budget: int, numbers: dict[bytes, int]) -> dict[str, object]:
    """Return the call as the box sees it, without its group, which may tell what is expected."""
    version = {} if call.version is None else {"version": numbers[call.version]}
    return {
        "id": call.id,
        "kind": call.arguments.kind,
        "arguments": plain_arguments(call.arguments),
        "budget": budget,
        **version,
    }
