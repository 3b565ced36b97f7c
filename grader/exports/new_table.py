"""Make a new table of scores from the results alone, in the format that a platform imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.errors import InputError
from grader.exports.csv_cells import encode_csv
from grader.exports.gradebook import FilledGradebook, explain_missing_score
from grader.exports.grades_csv import RESULTS, check_platform
from grader.exports.sheet import join_some
from grader.platforms.base import Grade
from grader.platforms.registry import PLATFORMS
from grader.results import read


def make_table(
    name: str, results: Path, grades: Sequence[Grade], assignment: str | None = None
) -> FilledGradebook:
    """Make the table. Raises InputError if the results came from another platform, or contain no score.

    Submissions of which the platform could not tell whose they are, since they have one name, are left out.
    """
    check_platform(name, grades, results)
    foreign = next((grade for grade in grades if grade.platform not in ("", name)), None)
    if foreign:
        raise InputError(
            f"expected the gradebook of {name.title()}, in which the ids of {foreign.platform.title()} are "
            "looked up: name it by --gradebook",
            path=results,
        )
    is_download = any(grade.platform for grade in grades)
    problems: list[str] = []
    taken: dict[str, list[Grade]] = {}
    for grade in grades:
        if grade.score is None:
            problems.append(f"{explain_missing_score(grade)}; left out")
        elif is_download and not grade.platform:
            problems.append(f"{grade.name}: not from {name.title()}; left out")
        else:
            taken.setdefault(grade.user, []).append(grade)
    if not taken:
        raise InputError("expected results with a score, found none", path=results)
    sure = [theirs[0] for theirs in taken.values() if len(theirs) == 1]
    problems += [
        f"{join_some([each.name for each in theirs])}: of one name, {user}; left out"
        for user, theirs in taken.items()
        if len(theirs) > 1
    ]
    if not is_download:
        problems.append(
            f"students are called as their folders are: each has to be a user name in {name.title()}"
        )
    lines = PLATFORMS[name].table(sure, assignment or _title(results, next(iter(taken.values()))[0]))
    return FilledGradebook(encode_csv(lines), len(sure), tuple(problems))


def _title(results: Path, grade: Grade) -> str:
    return str(read(results / grade.submission / RESULTS).get("title") or "Lab")
