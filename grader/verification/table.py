"""The findings of a verification as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.verification.findings import Caught, Findings
from grader.verification.run import Graded

_SHOWN = 20


def table(found: Findings) -> str:
    """All findings; what is worth a look comes last."""
    return "\n".join(_lines(found))


def _lines(found: Findings) -> Iterator[str]:
    yield f"{found.right} right and {found.wrong} wrong submissions"
    yield "\nMistakes caught, by exercise"
    for exercise, (caught, due) in found.by_exercise.items():
        yield (
            f"  {exercise:<12} {caught:>4} of {due:<4} {caught / due:>6.1%}"
            if due
            else f"  {exercise:<12}    -"
        )
    yield from _caught("Checks", found.checks)
    yield from _caught("Test mazes", found.mazes)
    yield f"\nClosest to a limit, of the right ones: {found.margin}"
    yield from _listed("Wrong ones that lost nothing where they had to", found.missed)
    yield from _listed("Right work that was punished", found.punished)
    yield f"\nThe tests are {'sound' if found.sound else 'not sound'}."


def table_of_maze(found: Findings, maze: str) -> str:
    """What one new maze would add."""
    lines = [f"{maze}: asked by {', '.join(found.checks)}", "\nMistakes that it catches, by exercise"]
    for exercise, (caught, due) in found.by_exercise.items():
        lines.append(f"  {exercise:<12} {caught:>4} of {due}")
    lines.append(f"\nClosest to a limit, of the right ones: {found.margin}")
    lines += _listed("Right work that would be punished", found.punished)
    lines.append("\nIt punishes right work." if found.punished else "\nNo right work is punished.")
    return "\n".join(lines)


def table_of_mutants(graded: Sequence[Graded]) -> str:
    """How many mutants were caught, and which were not: holes in the tests, or right after all."""
    survivors = {one.known.name for one in graded if not any(one.lost.values())}
    lines = ["Mutants caught, by exercise"]
    for exercise in dict.fromkeys(id_ for one in graded for id_ in one.scores):
        names = [one.known.name for one in graded if exercise in one.scores]
        caught = len(names) - len(survivors & set(names))
        lines.append(f"  {exercise:<12} {caught:>4} of {len(names):<4} {caught / len(names):>6.1%}")
    lines += _listed("Not caught: a hole in the tests, or right after all", sorted(survivors))
    return "\n".join(lines)


def _caught(title: str, rows: Mapping[str, Caught]) -> Iterator[str]:
    """Each with what it caught; what caught nothing of its own is marked."""
    if not rows:
        return
    width = max(map(len, rows))
    yield f"\n{title:<{width + 2}} caught  alone"
    for name, caught in rows.items():
        remark = "" if caught.alone else "  nothing of its own"
        yield f"  {name:<{width}} {caught.count:>6} {caught.alone:>6}{remark}"


def _listed(title: str, lines: object) -> Iterator[str]:
    found = list(lines) if isinstance(lines, (list, tuple)) else []
    if found:
        yield f"\n{title}: {len(found)}"
        yield from (f"  {line}" for line in found[:_SHOWN])
        if len(found) > _SHOWN:
            yield f"  and {len(found) - _SHOWN} more"
