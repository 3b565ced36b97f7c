"""How far two persons agree who marked the same checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from grader.batch.ledger import decisions
from grader.batch.marking import digest_of, for_persons, points_of
from grader.grading.engine import RESULTS
from grader.results import read
from grader.text import visible

Pair = tuple[float, float]
"""The points of the first marker and those of the second."""


def tell_agreement(out: Path) -> str:
    """Report how far two markers agree, by check and in all; empty where nothing was marked twice.

    Raises InputError.
    """
    pairs = _pairs(out)
    if not pairs:
        return ""
    lines = ["marked by two: check: works, equal points, mean difference (second - first), weighted kappa"]
    everything = [pair for found in pairs.values() for pair in found]
    for name, found in (*pairs.items(), ("all", everything)):
        equal = fmean(abs(one - other) < 0.005 for one, other in found)
        difference, kappa = fmean(other - one for one, other in found), weighted_kappa(found)
        told = "–" if kappa is None else f"{kappa:.2f}"
        lines.append(f"  {visible(name)}: {len(found)}, {equal:.0%}, {difference:+.2f}, {told}")
    return "\n".join(lines)


def _pairs(out: Path) -> Mapping[str, Sequence[Pair]]:
    """Return what the first two persons gave who marked a check of a work, by check."""
    found: dict[str, list[Pair]] = {}
    for name, known in decisions(out).items():
        marks = [each for each in known if each.action == "mark"]
        path = out / name / RESULTS
        if len(marks) < 2 or not path.is_file():
            continue
        for exercise, check in for_persons(read(path)):
            same = (check["id"], digest_of(exercise))
            theirs = [each for each in marks if (each.check, each.work) == same]
            if "differ" in check and len(theirs) > 1:
                one, other = (points_of(check, each) for each in theirs[:2])
                found.setdefault(check["id"], []).append((one, other))
    return found


def weighted_kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa with quadratic weights: 1 is full agreement, 0 that of chance.

    Points are numbers, so a small difference weighs less than a large one, as in an intraclass correlation
    (J. L. Fleiss and J. Cohen, "The equivalence of weighted kappa and the intraclass correlation coefficient
    as measures of reliability", Educational and Psychological Measurement 33, 1973, 613-619). None if all
    points are the same, so that agreement by chance is full.
    """
    by_chance = fmean((one - other) ** 2 for one, _ in pairs for _, other in pairs)
    found = fmean((one - other) ** 2 for one, other in pairs)
    return 1 - found / by_chance if by_chance else None
