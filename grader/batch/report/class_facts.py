"""What the reports of a class need besides its results, and the plots that are made of it.

Plots lie beside the class page, as SVG and PNG, if matplotlib is installed. Each file's metadata say what it
was drawn from, so it is drawn again only when that changes. No text that a student wrote is in them.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from types import MappingProxyType
from typing import Any, Final

from msgspec import ValidationError

from grader import shipped
from grader.batch.job import Course
from grader.batch.journal import FILE as JOURNAL
from grader.course.late_work import policy_data, read_policy
from grader.course.request_terms import parse_terms, terms_data
from grader.disk import whole, write_whole, writing
from grader.errors import InputError, SandboxError
from grader.exports.grades_csv import FACTS, Row
from grader.exports.grades_csv import SERVED as SERVED_MARK
from grader.exports.plot import SUFFIXES, draw_exercises, draw_scores, shares
from grader.intake.class_listing import ClassListing, HandIn
from grader.intake.names import is_one_name
from grader.platforms.base import PLATFORMS
from grader.sandbox.contents import cache_folder
from grader.text import visible
from lab.optional_packages import MissingPackage
from lab.render.plot import drawing

FILE: Final = FACTS


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """The class and the course as they were at the last grading."""

    title: str
    sandbox: str
    exercises: tuple[tuple[str, str], ...]
    """The ids and titles of the exercises, in the order of the rubric."""
    wall_seconds: float
    found: ClassListing
    asked: dict[str, str | None] = field(default_factory=dict)
    """The options with which the class was graded, by name."""
    digest: str = ""
    """The digest of the rubric."""
    digests: dict[str, str] = field(default_factory=dict)
    """By option, the digest of all that was read by it; that of the rubric does not hang on ``explain``.

    Empty in facts of a grader that did not keep it, nor the late policy.
    """
    late: dict[str, Any] | None = None
    """The late policy as plain data; None if there is none."""
    names: dict[str, str] = field(default_factory=dict)
    """The students' names as a gradebook has them, by submission; empty without one, and under pseudonyms."""
    first_passes: dict[str, dict[str, float | None]] = field(default_factory=dict)
    """By submission and exercise: seconds from the student's first attempt to the first that passed, or None.

    Only a folder of ``grader serve`` has them.
    """
    requests: dict[str, Any] | None = None
    """On what terms students ask for another look, as plain data; None if they may not."""

    @property
    def explain(self) -> bool:
        """Whether the grader searched for the wrong lines."""
        return self.asked.get("explain") is None

    def called(self, name: str) -> str:
        """Return the name of a submission's student on pages, with the number where several are called so."""
        who = self.names.get(name, name)
        if [*self.names.values()].count(who) <= 1:
            return visible(who)
        number = next((each.id for each in self.found.hand_ins if each.name == name), "")
        return visible(f"{who} ({number or name})")


def collect_facts(
    found: ClassListing,
    course: Course,
    asked: dict[str, str | None] | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
    first_passes: Mapping[str, dict[str, float | None]] = MappingProxyType({}),
    digests: Mapping[str, str] = MappingProxyType({}),
) -> ClassFacts:
    """Collect what the reports need of a class and its course."""
    return ClassFacts(
        course.plan.rubric.title,
        course.sandbox,
        tuple((exercise.id, exercise.title) for exercise in course.plan.exercises),
        course.plan.limits.submission_wall_seconds,
        found,
        asked or {},
        course.plan.rubric.digest,
        dict(digests),
        policy_data(course.plan.rubric.late),
        dict(names),
        dict(first_passes),
        terms_data(course.plan.rubric.requests),
    )


SERVED: Final = SERVED_MARK
"""Marks a folder of ``grader serve``, which itself grades and moves deadlines."""


def check_batch(facts: ClassFacts, out: Path) -> None:
    """Raise InputError if the results were made by ``grader serve``, not by ``grader batch``."""
    if facts.asked.get(SERVED):
        raise InputError(
            "expected results of grader batch; these are of grader serve, whose page for staff grades again "
            "and moves deadlines",
            path=out,
        )


def save(out: Path, facts: ClassFacts) -> None:
    """Write the facts beside the results, unless they are there. Raises DiskError."""
    data = asdict(facts)
    if facts.requests is None:
        del data["requests"]
    data["found"]["hand_ins"] = [
        {
            **{name: getattr(hand_in, name) for name in (*_NAMES, *_NEWER)},
            "sources": [str(source) for source in hand_in.sources],
            "submitted": hand_in.submitted and hand_in.submitted.isoformat(),
        }
        for hand_in in facts.found.hand_ins
    ]
    content, path = json.dumps(data).encode(), out / FILE
    if not (path.is_file() and path.read_bytes() == content):
        write_whole(path, content)


def load(out: Path) -> ClassFacts:
    """Read the facts of a folder of results. Raises InputError."""
    if (out / JOURNAL).is_file() and not (out / FILE).exists():
        raise InputError("a batch has begun here and not come to its end: give its command again", path=out)
    try:
        data = json.loads((out / FILE).read_bytes())
        found = data.pop("found")
        hand_ins = tuple(_hand_in(each) for each in found["hand_ins"])
        _check(data, found, hand_ins)
        return ClassFacts(
            **{**data, "exercises": tuple(map(tuple, data["exercises"]))},
            found=ClassListing(found["platform"], hand_ins, tuple(found["passed_over"])),
        )
    except (OSError, ValueError, ValidationError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError(
            f"expected a folder of results that this grader batch wrote: delete {FILE} there, if there is "
            "one, and run grader batch again, with the options that it had",
            path=out,
        ) from None


def _check(data: dict[str, Any], found: dict[str, Any], hand_ins: Sequence[HandIn]) -> None:
    """Raise ValueError if a value has a wrong type, or a name cannot be that of a student's folder."""
    texts = [data["title"], data["sandbox"], data.get("digest", ""), found["platform"], *found["passed_over"]]
    texts += [text for pair in data["exercises"] for text in pair]
    texts += [text for each in hand_ins for text in (each.student, each.id, each.platform, each.unclear)]
    texts += [text for each in hand_ins for text in (each.platform_score, each.author)]
    for pairs in (data.get("names", {}), data.get("digests", {})):
        texts += [text for pair in pairs.items() for text in pair]
    read_policy(data.get("late"))
    parse_terms(data.get("requests"))
    times = [time for passes in data.get("first_passes", {}).values() for time in passes.values()]
    platforms = {"", *PLATFORMS}
    if not (
        all(isinstance(text, str) for text in texts)
        and all(len(pair) == 2 for pair in data["exercises"])
        and isinstance(data["wall_seconds"], (int, float))
        and all(time is None or isinstance(time, (int, float)) for time in times)
        and all(isinstance(each.attempts, int) for each in hand_ins)
        and all(value is None or isinstance(value, str) for value in data["asked"].values())
        and all(
            is_one_name(each.name) and (each.platform in platforms or not each.sources) for each in hand_ins
        )
    ):
        raise ValueError("not as it was written")


def _hand_in(data: dict[str, Any]) -> HandIn:
    submitted = datetime.fromisoformat(data["submitted"]) if data["submitted"] else None
    plain = {name: data[name] for name in _NAMES} | {name: data[name] for name in _NEWER if name in data}
    return HandIn(sources=tuple(map(Path, data["sources"])), submitted=submitted, **plain)


_NAMES: Final = ("name", "student", "id", "platform", "late")
_NEWER: Final = ("attempts", "platform_score", "unclear", "is_open", "author")
"""Missing from facts that an earlier version of the grader wrote."""


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
    with suppress(SandboxError):  # without a folder for its fonts, it warns users who have no home
        os.environ.setdefault("MPLCONFIGDIR", str(cache_folder() / "fonts"))
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
    exempt = {row.name for row in rows if row.status == "exempt"}
    tried = [passes for name, passes in facts.first_passes.items() if name not in exempt]
    passed = {
        title: sorted(seconds for passes in tried if (seconds := passes.get(id_)) is not None)
        for id_, title in facts.exercises
        if any(id_ in passes for passes in tried)
    }
    times = Times(len(tried), passed)
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
