"""What the checks that were lost tell by themselves: some are about one mistake only."""

from __future__ import annotations

from collections.abc import Collection

ONLY = {
    "search.separate": "shared",
    **{f"{solver}.repeat": "remembers-the-maze-before" for solver in ("dfs", "bfs", "dijkstra")},
    "perfection.repeat": "checker-remembers",
    "generator.repeat": "generator-remembers",
}
"""Where this check is lost, and no other, the submission is right but for what one call leaves to the next.

What came in company is no evidence then: by that, it looks wrong in ways of which it is innocent."""

HANDED_OVER = "work-of-another"


def told_by_checks(exercise: str, lost: Collection[str], *, decides: bool) -> str | None:
    """The misconception that follows from which checks were lost, ``decides`` telling that one of them
    found the work to be another's; None where nothing follows."""
    if decides:
        return f"{exercise}.{HANDED_OVER}"
    only = next(iter(lost)) if len(lost) == 1 else ""
    return f"{exercise}.{ONLY[only]}" if only in ONLY else None
