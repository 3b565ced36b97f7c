"""What the reports of a class need besides its results, stored with them in ``.class.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from grader.batch.job import Course
from grader.batch.journal import FILE as JOURNAL
from grader.disk import write_whole
from grader.errors import InputError
from grader.intake.class_listing import ClassListing, HandIn
from grader.intake.names import is_one_name
from grader.platforms.registry import PLATFORMS
from grader.text import visible

FILE: Final = ".class.json"


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
    names: dict[str, str] = field(default_factory=dict)
    """The students' names as a gradebook has them, by submission; empty without one, and under pseudonyms."""
    first_passes: dict[str, dict[str, float | None]] = field(default_factory=dict)
    """By submission and exercise: seconds from the student's first attempt to the first that passed, or None.

    Only a folder of ``grader serve`` has them.
    """

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
        dict(names),
        dict(first_passes),
    )


SERVED: Final = "served"
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
    """Write the facts beside the results. Raises DiskError."""
    data = asdict(facts)
    data["found"]["hand_ins"] = [_plain(hand_in) for hand_in in facts.found.hand_ins]
    write_whole(out / FILE, json.dumps(data).encode())


def load(out: Path) -> ClassFacts:
    """Read the facts of a folder of results. Raises InputError."""
    if (out / JOURNAL).is_file() and not (out / FILE).exists():
        raise InputError(
            "a batch has begun here and not come to its end: give its command again, with --resume", path=out
        )
    try:
        data = json.loads((out / FILE).read_bytes())
        found = data.pop("found")
        hand_ins = tuple(_hand_in(each) for each in found["hand_ins"])
        _check(data, found, hand_ins)
        return ClassFacts(
            **{**data, "exercises": tuple(map(tuple, data["exercises"]))},
            found=ClassListing(found["platform"], hand_ins, tuple(found["passed_over"])),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
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
    texts += [each.platform_score for each in hand_ins]
    texts += [text for pair in data.get("names", {}).items() for text in pair]
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


def _plain(hand_in: HandIn) -> dict[str, Any]:
    sources = [str(source) for source in hand_in.sources]
    submitted = hand_in.submitted and hand_in.submitted.isoformat()
    return {
        **{name: getattr(hand_in, name) for name in (*_NAMES, *_NEWER)},
        "sources": sources,
        "submitted": submitted,
    }


def _hand_in(data: dict[str, Any]) -> HandIn:
    submitted = datetime.fromisoformat(data["submitted"]) if data["submitted"] else None
    plain = {name: data[name] for name in _NAMES} | {name: data[name] for name in _NEWER if name in data}
    return HandIn(sources=tuple(map(Path, data["sources"])), submitted=submitted, **plain)


_NAMES: Final = ("name", "student", "id", "platform", "late")
_NEWER: Final = ("attempts", "platform_score", "unclear", "is_open")
"""Missing from facts that an earlier version of the grader wrote."""
