"""Compare two gradings: whose results changed, and because of which checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import InputError
from grader.exports.grades_csv import RESULTS, find_results_file, format_points, list_class_results
from grader.model import CheckJson, ResultsJson
from grader.results import checks_of, mark_of, read
from grader.text import visible

Checks = Mapping[str, CheckJson]


@dataclass(frozen=True, slots=True)
class Moved:
    """One submission whose results have changed, with the reasons."""

    name: str
    before: float | None
    after: float | None
    why: tuple[str, ...]


def compare(old: Path, new: Path) -> str:
    """Report the changes between two folders of results. Raises InputError if one has no results."""
    before, after = _results(old), _results(new)
    if ("" in before) != ("" in after):
        single, many = (old, new) if "" in before else (new, old)
        raise InputError(f"this is one submission's result, and {many} holds those of a class", path=single)
    moved = [
        found
        for name in sorted({*before, *after})
        if (found := _compare_results(name, before.get(name), after.get(name)))
    ]
    lines = [f"{len(moved)} of {len({*before, *after})} results moved"]
    for one in moved:
        lines.append(f"{one.name}: {_format_score(one.before)} -> {_format_score(one.after)}")
        lines.extend(f"  {reason}" for reason in one.why)
    return "\n".join(lines)


def _results(folder: Path) -> dict[str, Path]:
    """Return the path of each submission's results by name; the name of a single submission is empty."""
    found = list_class_results(folder)
    if not found and (folder.is_file() or (folder / RESULTS).is_file()):
        found = {"": find_results_file(folder)}
    if not found:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    return found


def _compare_results(name: str, old: Path | None, new: Path | None) -> Moved | None:
    """Return what changed in a submission's results, or None."""
    before, after = read(old) if old else None, read(new) if new else None
    if before is None or after is None:
        what = "was not there before" if before is None else "is not there any more"
        return Moved(name or "the submission", _score(before), _score(after), (what,))
    why = tuple(_reasons(before, after))
    is_same = not why and _score(before) == _score(after)
    return None if is_same else Moved(name or after["submission"], _score(before), _score(after), why)


def _reasons(before: ResultsJson, after: ResultsJson) -> Iterator[str]:
    """Yield a line for each difference that explains why results changed."""
    if before.get("fault") != after.get("fault"):
        fault = after.get("fault")
        yield f"could not be graded: {fault}" if fault else "could not be graded before"
    old, new = _checks(before), _checks(after)
    for id_ in [*old, *(id_ for id_ in new if id_ not in old)]:
        yield from _compare_check(id_, old.get(id_), new.get(id_))
    if before.get("late") != after.get("late"):
        yield f"late: {_days(before)} -> {_days(after)}"
    if _withdrawn(before) != _withdrawn(after) and _score(before) != _score(after):
        yield f"withdrawn: {_withdrawn(before)} -> {_withdrawn(after)}"
    if before.get("adjusted") != after.get("adjusted"):
        yield f"decided by people: {_decided(before)} -> {_decided(after)}"
    if before["sandbox"] != after["sandbox"]:
        yield f"sandbox: {before['sandbox']} -> {after['sandbox']}"


def _compare_check(id_: str, old: CheckJson | None, new: CheckJson | None) -> Iterator[str]:
    if old is None or new is None:
        for what, known in (("new", new), ("gone", old)):
            if known is not None:
                score, most = format_points(known["score"]), format_points(known["max_score"])
                yield f"{id_}: {what}, {score} of {most} points"
        return
    if old["status"] != new["status"]:
        gained = new["score"] - old["score"]
        message = f": {new['message']}".replace("\n", " ")[:200] if new["message"] else ""
        yield f"{id_}: {old['status']} -> {new['status']} ({gained:+g}){message}"
    elif old["max_score"] != new["max_score"]:
        before, after = format_points(old["max_score"]), format_points(new["max_score"])
        yield f"{id_}: {new['status']}, worth {before} -> {after}"


def _checks(results: ResultsJson) -> Checks:
    return {check["id"]: check for check in checks_of(results)}


def _score(results: ResultsJson | None) -> float | None:
    return results and mark_of(results)


def _days(results: ResultsJson) -> str:
    late = results.get("late")
    if not late or "days" not in late:
        return "unknown" if (late or {}).get("unknown") else "marked" if late else "in time"
    days = late["days"]
    return f"{days} day{'s' * (days != 1)}, {late.get('percent', 0):g} % off"


def _withdrawn(results: ResultsJson) -> str:
    return ", ".join(map(visible, results.get("withdrawn", {}).get("checks", {}))) or "nothing"


def _decided(results: ResultsJson) -> str:
    made = results.get("adjusted", {}).get("decisions", [])
    return ", ".join(visible(decision["what"]) for decision in made) or "nothing"


def _format_score(score: float | None) -> str:
    return "no mark" if score is None else format_points(score)
