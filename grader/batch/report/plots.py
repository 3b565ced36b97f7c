"""Plots of the class beside its page, as SVG and PNG, if matplotlib is installed.

Each file's metadata say what it was drawn from, so it is drawn again only when that changes. No text that a
student wrote is in them.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from grader import shipped
from grader.batch.report.class_facts import ClassFacts
from grader.disk import whole, writing
from grader.exports.grades_csv import Row
from grader.exports.plot import SUFFIXES, draw_exercises, draw_scores, shares
from lab.optional_packages import MissingPackage
from lab.render.plot import drawing

NAMES: Final = tuple(
    f"{plot}{suffix}" for plot in ("scores", "exercises", "first_pass") for suffix in SUFFIXES
)
"""The files of all plots."""
_INCHES: Final = (6.0, 3.8)
_CURVE: Final = 200
"""The number of points of a curve, however large the class is."""
_HOUR: Final = 3600.0
_UNITS: Final = {"minutes": 60.0, "hours": _HOUR, "days": 24 * _HOUR}
_WITHIN: Final = {"1 hour": _HOUR, "1 day": 24 * _HOUR, "1 week": 7 * 24 * _HOUR}
_LINE_STYLES: Final = ("-", "--", "-.", ":")
"""Make curves differ in more than their colour."""


@dataclass(frozen=True, slots=True)
class Times:
    """How long students took to pass each exercise."""

    students: int
    """All students who tried."""
    passed: Mapping[str, Sequence[float]]
    """Seconds until students passed, by the title of the exercise."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot, and its data as a table for those who cannot see it."""

    name: str
    """The name of its files, without the suffix."""
    title: str
    explanation: str
    draw: Callable[[Any, Any], None]
    """Draws the data on axes of matplotlib."""
    data: object
    columns: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    source: str = ""
    """The SVG as a data URL: the service shows the page in a sandbox, where it may load no files."""

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """The kind and the name of each file."""
        return tuple((suffix[1:].upper(), self.name + suffix) for suffix in SUFFIXES)


def can_plot() -> bool:
    """Tell whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def write_plots(out: Path, rows: Sequence[Row], facts: ClassFacts) -> list[Plot]:
    """Draw plots whose data have changed, delete outdated ones, and return all.

    There are none without matplotlib, or if nothing was graded. Raises DiskError.
    """
    plots: list[Plot] = []
    with suppress(MissingPackage):  # it may be installed and still fail to import
        plots = [_drawn(out, plot) for plot in _plots(rows, facts)] if can_plot() else []
    kept = {name for plot in plots for _, name in plot.files}
    for path in (out / name for name in NAMES if name not in kept):
        with writing(path):
            path.unlink(missing_ok=True)
    return plots


def _plots(rows: Sequence[Row], facts: ClassFacts) -> list[Plot]:
    """Return the plots of points and, for a folder of the service, that of times."""
    scores, exercises = shares(
        (row.score, row.max_score, [(each.title, each.score, each.max_score) for each in row.exercises])
        for row in rows
        if row.status == "graded" and row.score is not None
    )
    times = _times(rows, facts)
    points = [Plot("scores", "Scores", "", draw_scores, scores, (), ()), _exercise_plot(exercises)]
    return [*(points if scores else ()), *([_first_pass_plot(times)] if times.passed else ())]


def _drawn(out: Path, plot: Plot) -> Plot:
    """Draw those files of a plot that do not exist yet. Raises MissingPackage or DiskError."""
    key = hashlib.sha256(repr((plot.data, shipped.digest("lab", "grader"))).encode()).hexdigest()
    for suffix in SUFFIXES:
        path = out / f"{plot.name}{suffix}"
        if not path.is_file() or key.encode() not in path.read_bytes():
            kind, about = suffix.removeprefix("."), {"Description": key}
            with (
                whole(path) as partial,
                drawing(partial, salt=plot.name, size=_INCHES, kind=kind, metadata=about) as axes,
            ):
                plot.draw(axes, plot.data)
    svg = (out / f"{plot.name}.svg").read_bytes()
    return replace(plot, source=f"data:image/svg+xml;base64,{b64encode(svg).decode()}")


def _exercise_plot(exercises: Mapping[str, Sequence[float]]) -> Plot:
    lines = tuple(
        (title, f"{median(shares):.0f} %", f"{mean(shares):.0f} %", f"{sum(each >= 100 for each in shares)}")
        for title, shares in exercises.items()
    )
    explanation = "A box holds the middle half of the class; the line is the median, the triangle the mean."
    columns = ("Exercise", "Median", "Mean", "With all points")
    return Plot("exercises", "Points by exercise", explanation, draw_exercises, exercises, columns, lines)


def _times(rows: Sequence[Row], facts: ClassFacts) -> Times:
    """Return the times of students who tried and are not exempt, by exercises whose points students see."""
    exempt = {row.name for row in rows if row.status == "exempt"}
    tried = [passes for name, passes in facts.first_passes.items() if name not in exempt]
    passed = {
        title: sorted(seconds for passes in tried if (seconds := passes.get(id_)) is not None)
        for id_, title in facts.exercises
        if any(id_ in passes for passes in tried)
    }
    return Times(len(tried), passed)


def _first_pass_plot(times: Times) -> Plot:
    lines = tuple(
        (
            *(title, f"{bisect_right(seconds, 0.0)}"),
            *(f"{bisect_right(seconds, most)}" for most in _WITHIN.values()),
            *(f"{len(seconds)}", f"{times.students - len(seconds)}"),
        )
        for title, seconds in times.passed.items()
    )
    explanation = (
        "The time from a student's first attempt to the first with all points of an exercise that students "
        f"see at once. All {times.students} students with a graded attempt count, passed or not."
    )
    within = (f"Within {words}" for words in _WITHIN)
    columns = ("Exercise", "At the first attempt", *within, "In all", "Not yet")
    return Plot("first_pass", "Time to the first pass", explanation, _draw_times, times, columns, lines)


def _draw_times(axes: Any, times: Times) -> None:
    """Draw a curve for each exercise: the share of students who have passed it by then."""
    longest = max((seconds[-1] for seconds in times.passed.values() if seconds), default=0.0) or _HOUR
    unit = next((unit for unit, length in _UNITS.items() if longest <= 72 * length), "days")
    moments = [longest * (number / (_CURVE - 1)) for number in range(_CURVE)]
    curves = [
        axes.plot(
            [moment / _UNITS[unit] for moment in moments],
            [100 * bisect_right(seconds, moment) / times.students for moment in moments],
            drawstyle="steps-post",
            linestyle=_LINE_STYLES[number % len(_LINE_STYLES)],
        )[0]
        for number, seconds in enumerate(times.passed.values())
    ]
    labels = [f"{title}: {len(seconds)} of {times.students}" for title, seconds in times.passed.items()]
    axes.figure.legend(curves, labels, loc="outside lower center", ncols=2)
    axes.set(ylim=(-3, 103), ylabel="Students who passed, in percent")
    axes.set(xlabel=f"Time since the first attempt, in {unit}", title=f"{times.students} students")
