"""Plot the class: how many students have which score, and how each exercise went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from grader.disk import whole
from grader.errors import InputError
from grader.exports.grades_csv import list_class_results, read_grades
from grader.exports.registry import ExportRequest
from grader.results import read
from lab.optional_packages import MissingPackage
from lab.render.plot import drawing

SUFFIXES: Final = (".svg", ".png")
BINS: Final = 20
"""The bars of the score histogram, here and on the class page."""
SIZE: Final = (9.6, 4.2)
"""Size of both plots side by side, in inches."""

Work = tuple[float, float, Iterable[tuple[str, float, float]]]
"""A graded submission: its score and the most there is, and of each exercise title, points and the most."""


def export(request: ExportRequest) -> str:
    """Write the plot; return a message that says what it shows.

    Raises InputError if the file is neither SVG nor PNG, nothing was graded, or matplotlib is missing.
    """
    folder = request.folder()
    scores, exercises = shares(_works(folder))
    if request.out.suffix not in SUFFIXES:
        raise InputError(f"expected a name that ends in {' or '.join(SUFFIXES)}", path=request.out)
    if not scores:
        raise InputError("expected graded work, found none", path=folder)
    try:
        kind = request.out.suffix.removeprefix(".")
        with (
            whole(request.out) as partial,
            drawing(partial, salt="class", size=SIZE, panels=2, kind=kind) as panels,
        ):
            left, right = panels
            draw_scores(left, scores)
            draw_exercises(right, exercises)
    except MissingPackage as error:
        raise InputError(str(error)) from None
    return f"{request.out}: the scores of {len(scores)} submissions, and their {len(exercises)} exercises"


def shares(works: Iterable[Work]) -> tuple[list[float], Mapping[str, list[float]]]:
    """Return the total scores, and those of each exercise by title, in percent of what was graded."""
    scores: list[float] = []
    exercises: dict[str, list[float]] = defaultdict(list)
    for score, most, parts in works:
        if most:
            scores.append(100 * score / most)
            for title, points, most_points in parts:
                if most_points:
                    exercises[title].append(100 * points / most_points)
    return scores, dict(exercises)


def _works(folder: Path) -> Iterator[Work]:
    grades = {grade.submission: grade for grade in read_grades(folder)}
    for submission, path in list_class_results(folder).items():
        grade = grades[submission]
        if grade.status == "graded" and grade.score is not None and grade.max_score:
            parts = [(each["title"], each["score"], each["max_score"]) for each in read(path)["exercises"]]
            yield grade.score, grade.max_score, parts


def draw_scores(axes: Any, scores: Sequence[float]) -> None:
    """Draw the histogram of scores in percent."""
    axes.hist(scores, bins=BINS, range=(0, 100), edgecolor="white")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set(xlabel="Score in percent", ylabel="Submissions", title=f"{len(scores)} submissions")


def draw_exercises(axes: Any, exercises: Mapping[str, Sequence[float]]) -> None:
    """Draw a box for each exercise's points in percent, by title."""
    axes.boxplot([*exercises.values()], orientation="horizontal", showmeans=True)
    axes.set_yticks(range(1, len(exercises) + 1), [*exercises])
    axes.invert_yaxis()
    axes.set(xlim=(-3, 103), xlabel="Points in percent", title="Exercises (triangle: mean)")
