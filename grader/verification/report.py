"""The findings of a verification, as text for the terminal and as an HTML page for staff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from grader.batch.report.templates import render
from grader.verification.findings import Caught, Claimed, Findings, Loss
from grader.verification.survivors import Survivors

_SHOWN = 20
"""The most lines of each list that are printed."""


def format_findings(found: Findings) -> str:
    """Format all findings; those that need attention come last."""
    return "\n".join(_finding_lines(found))


def _finding_lines(found: Findings) -> Iterator[str]:
    yield f"{found.right} right and {found.wrong} wrong submissions"
    yield "\nMistakes caught, by exercise"
    for exercise, (caught, due) in found.by_exercise.items():
        yield (
            f"  {exercise:<12} {caught:>4} of {due:<4} {caught / due:>6.1%}"
            if due
            else f"  {exercise:<12}    -"
        )
    yield from _caught_lines("Checks", found.checks)
    yield from _caught_lines("Test mazes", found.mazes)
    yield from _claim_lines(found.claims)
    yield from _loss_lines(found.losses)
    yield f"\nClosest to a limit, of the right ones: {found.margin}"
    broken = [f"{loss.name}: {loss.out_of_proportion}" for loss in found.out_of_proportion]
    yield from _list_lines("Losses out of proportion", broken)
    yield from _list_lines("Wrong submissions that lost nothing where they should", found.missed)
    yield from _list_lines("Right work that was punished", found.punished)
    yield f"\nThe tests are {'sound' if found.sound else 'not sound'}."


def format_maze_report(found: Findings, maze: str) -> str:
    """Say what one new maze would add."""
    lines = [f"{maze}: asked by {', '.join(found.checks)}", "\nMistakes that it catches, by exercise"]
    for exercise, (caught, due) in found.by_exercise.items():
        lines.append(f"  {exercise:<12} {caught:>4} of {due}")
    lines += _claim_lines(found.claims)
    lines.append(f"\nClosest to a limit, of the right ones: {found.margin}")
    lines += _list_lines("Right work that would be punished", found.punished)
    lines.append("\nIt punishes right work." if found.punished else "\nNo right work is punished.")
    return "\n".join(lines)


def format_mutants(found: Survivors) -> str:
    """Say how many mutants were caught or are equivalent, and which survived."""
    lines = ["Mutants, by exercise      caught  equivalent  survived   score"]
    for exercise, (caught, equivalent, count) in found.by_exercise.items():
        wrong = count - equivalent
        score = f"{caught / wrong:>7.1%}" if wrong else "      -"
        lines.append(f"  {exercise:<12} {count:>6} {caught:>10} {equivalent:>11} {wrong - caught:>9} {score}")
    lines += _list_lines("Survived, and wrong on something small: holes in the tests", found.survivors)
    return "\n".join(lines)


def _caught_lines(title: str, rows: Mapping[str, Caught]) -> Iterator[str]:
    """Yield a line for each test, marking those that caught nothing alone."""
    if not rows:
        return
    width = max(map(len, rows))
    yield f"\n{title:<{width + 2}} caught  alone"
    for name, caught in rows.items():
        remark = "" if caught.alone else "  nothing of its own"
        yield f"  {name:<{width}} {caught.count:>6} {caught.alone:>6}{remark}"
        others = [each for each in caught.names if each not in caught.names_alone]
        yield from _name_lines("alone", caught.names_alone)
        yield from _name_lines("with others", others)


def _name_lines(title: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the names in lines of at most 110 characters."""
    if names:
        yield from wrap(
            f"{title}: {', '.join(names)}", 110, initial_indent="      ", subsequent_indent="        "
        )


def _loss_lines(losses: Sequence[Loss]) -> Iterator[str]:
    """Yield what each wrong submission lost, the smallest loss first."""
    if not losses:
        return
    yield "\nWhat each wrong submission loses, and on which share of ordinary cases it is wrong"
    width = max(len(loss.name) for loss in losses)
    for loss in sorted(losses, key=lambda loss: (loss.exercise, loss.lost, loss.name)):
        share = "" if loss.wrong_share is None else f"{loss.wrong_share:>7.1%}"
        points = f"{loss.lost:g} of {loss.most:g}"
        yield f"  {loss.exercise:<12} {loss.name:<{width}} {points:>11} {share}".rstrip()


def _claim_lines(claims: Sequence[Claimed]) -> Iterator[str]:
    if claims:
        yield "\nMistakes that mazes claim to catch, and caught of the submissions with that mistake"
        width = max(len(claim.maze) for claim in claims)
        for claim in claims:
            remark = "  not true" if claim.is_untrue else "" if claim.holders else "  no submission has it"
            yield f"  {claim.maze:<{width}}  {claim.misconception}: {claim.caught} of {claim.holders}{remark}"


def _list_lines(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n{title}: {len(lines)}"
        yield from (f"  {line}" for line in lines[:_SHOWN])
        if len(lines) > _SHOWN:
            yield f"  and {len(lines) - _SHOWN} more"


def render_findings(found: Findings, title: str) -> str:
    """Render the HTML page."""
    caught, due = (sum(column) for column in zip(*found.by_exercise.values(), strict=True))
    return render(
        "verification.html.j2",
        title=title,
        found=found,
        score=caught / due if due else None,
        parts=(("checks", "Checks", "check", found.checks), ("mazes", "Test mazes", "maze", found.mazes)),
    )
