"""Calls go into a box under names, and in an order, that say nothing of what is expected.

Of a perfection checker one could else be right by counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from json import dumps
from random import Random

from grader.model import Call, Claim, Target, plain_arguments
from grader.session.session import MakeAnswers, Session

_SAMPLE = 50
"""The order of all calls follows from the arguments of at most 50 of them: to write down all took 30 ms."""
_KEPT = 64
"""The order of 64 lists of calls is kept: those of a rubric are the same for every submission."""


def run_mingled(
    session: Session,
    target: Target,
    calls: Sequence[Call],
    alone: bool,
    *,
    answers: MakeAnswers | None = None,
) -> Sequence[Claim]:
    """Make the calls, each in a process of its own if ``alone``; return the claims in the order of ``calls``.

    If ``answers`` is given, solvers are handed a Search that it answers.
    """
    tells_version = any(call.version is not None for call in calls)
    numbered, places = _numbered(tuple(calls)) if tells_version else _kept(tuple(calls))
    claims = session.run(target, numbered, isolate=alone, answers=answers)
    return [claims[place].of_call(call.id) for call, place in zip(calls, places, strict=True)]


def _numbered(calls: tuple[Call, ...]) -> tuple[tuple[Call, ...], tuple[int, ...]]:
    """Return the calls as they are made, mingled and renamed, and the place of each given call among them."""
    order = mingled(calls)
    places = {call.id: place for place, call in enumerate(order)}
    numbered = tuple(replace(call, id=f"c{number}") for number, call in enumerate(order))
    return numbered, tuple(places[call.id] for call in calls)


_kept = lru_cache(maxsize=_KEPT)(_numbered)


def mingled(calls: Sequence[Call]) -> list[Call]:
    """Return the calls with their groups mingled, each group in its own order.

    The smallest calls of a group come first, so that a limit shows on the plainest. The order follows from
    the arguments of many calls, so that whoever sees one call cannot tell which comes next.
    """
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.group, []).append(call)
    turns = [group for group, members in groups.items() for _ in members]
    sample = calls[:: len(calls) // _SAMPLE + 1]
    Random(dumps([plain_arguments(call.arguments) for call in sample], sort_keys=True)).shuffle(turns)
    members = {group: iter(found) for group, found in groups.items()}
    return [next(members[group]) for group in turns]
