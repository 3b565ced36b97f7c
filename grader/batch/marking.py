"""The lowest layer over the grader's marks: what persons give for the checks that they mark.

A mark keeps the texts of the criteria that were met, and is worth what these are worth now: where the rubric
changes their points, all that was marked changes with it. It holds for one state of the file, and so through
a new attempt in which that is the same. Where a check has two markers, it is marked once both are there, by
the mean of their points where these are near each other, and else by a third person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import cast

from grader.batch.ledger import Decision, decisions
from grader.grading.engine import RESULTS
from grader.languages import Message, said
from grader.model import CheckJson, ExerciseJson, MarkedJson, MarkJson, ResultsJson
from grader.points import round_points
from grader.results import in_english, read
from grader.text import visible

_DIRECT = 1e-9
"""Points within this are the same."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the marking of one check of one work is."""

    points: float | None = None
    """What counts; None as long as somebody has to mark it."""
    counting: tuple[Decision, ...] = ()
    """The marks that made it."""
    apart: tuple[float, ...] = ()
    """The points of two markers that are too far apart, so that a third person decides."""
    gone: tuple[str, ...] = field(default=())
    """Criteria that were met, and that the rubric has no more."""


def points_of(check: CheckJson, mark: Decision) -> float:
    """Return what a mark is worth now, from 0 to the points of its check."""
    worth = {each["text"]: each["points"] for each in check["criteria"]}
    total = sum(worth.get(text, 0.0) for text, _ in mark.criteria) + mark.points
    return round_points(min(check["max_score"], max(0.0, total)))


def standing(check: CheckJson, digest: str, marks: Iterable[Decision]) -> Standing:
    """Return how far the marking of a check is, for this state of its file."""
    theirs = [each for each in marks if each.check == check["id"] and each.work == digest]
    if not theirs:
        return Standing()
    texts = {each["text"] for each in check["criteria"]}
    if "differ" not in check:
        counting = theirs[-1:]
    elif len(theirs) < 2:
        return Standing()
    elif abs(points_of(check, theirs[0]) - points_of(check, theirs[1])) <= check["differ"] + _DIRECT:
        counting = theirs[:2]
    elif len(theirs) == 2:
        return Standing(apart=tuple(points_of(check, each) for each in theirs))
    else:
        counting = theirs[-1:]
    gone = dict.fromkeys(text for each in counting for text, _ in each.criteria if text not in texts)
    points = round_points(fmean(points_of(check, each) for each in counting))
    return Standing(points, tuple(counting), gone=tuple(gone))


def for_persons(results: ResultsJson) -> Iterator[tuple[ExerciseJson, CheckJson]]:
    """Yield the checks that persons mark, each with its exercise."""
    for exercise in results["exercises"]:
        yield from ((exercise, check) for check in exercise["checks"] if "criteria" in check)


def digest_of(exercise: ExerciseJson) -> str:
    """Return the digest of the file that persons mark; empty if there is none."""
    return exercise["handed_in"]["digest"] if "handed_in" in exercise else ""


def with_marks(results: ResultsJson, marks: Sequence[Decision]) -> ResultsJson:
    """Apply exactly these marks; ``results`` must not have a higher layer."""
    if not any(for_persons(results)):
        return results
    made = _without_marks(results)
    points, said_before = 0.0, {}
    for exercise, check in for_persons(made):
        if check["status"] != "unmarked":
            continue
        found = standing(check, digest_of(exercise), marks)
        if found.apart:
            check["apart"] = [*found.apart]
        if found.points is None:
            continue
        kept = {key: value for key, value in check.items() if key in ("message", "said")}
        said_before[check["id"]] = kept
        points = round_points(points + found.points)
        exercise["score"] = round_points(exercise["score"] + found.points)
        _mark(check, found)
    if not said_before:
        return made
    layer: MarkedJson = {"score": made["score"], "points": points, "checks": said_before}
    made["score"] = round_points(min(made["max_score"], made["score"] + points))
    return {**made, "marked": layer}


def _mark(check: CheckJson, found: Standing) -> None:
    """Write a mark into a check."""
    points = found.points or 0.0
    check["score"] = points
    check["status"] = "passed" if points == check["max_score"] else "failed"
    check["marks"] = [_as_data(check, each) for each in found.counting]
    if found.gone:
        check["gone"] = [*found.gone]
    check.pop("said", None)
    who = " & ".join(dict.fromkeys(each.who for each in found.counting))
    message: Message = said("marked_by", who=who, points=f"{points:g}", most=f"{check['max_score']:g}")
    check.update(cast(CheckJson, in_english({"message": message})))


def _as_data(check: CheckJson, mark: Decision) -> MarkJson:
    return {
        "who": mark.who,
        "when": mark.when,
        "criteria": [text for text, _ in mark.criteria],
        "more": mark.points,
        "reason": mark.reason,
        "points": points_of(check, mark),
    }


def _without_marks(results: ResultsJson) -> ResultsJson:
    """Return a copy of results without this layer."""
    plain = deepcopy(results)
    layer = plain.pop("marked", None)
    for exercise, check in for_persons(plain):
        check.pop("apart", None)
        if layer is None or check["id"] not in layer["checks"]:
            continue
        exercise["score"] = round_points(exercise["score"] - check["score"])
        check["score"], check["status"] = 0.0, "unmarked"
        check.pop("marks", None)
        check.pop("gone", None)
        check.pop("said", None)
        check.update(cast(CheckJson, layer["checks"][check["id"]]))
    if layer is not None:
        plain["score"] = layer["score"]
    return plain


def of_grader(results: ResultsJson) -> float:
    """Return what the score is without what persons gave for the checks that they mark."""
    given = results["marked"]["points"] if "marked" in results else 0.0
    return round_points(results["score"] - given)


# --- how far two persons agree who marked the same checks --------------------------------------------

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
