"""The rubric's bonus for test mazes that students submit with their perfection checkers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from grader.course.yaml.value import Value
from grader.exercises.registry import kind_of
from grader.languages import said
from grader.model import BonusJson, Remark, Report, ResultsJson
from grader.points import round_points
from grader.results import remark_data
from lab.exercises import exercise_of


@dataclass(frozen=True, slots=True)
class MazeBonus:
    """What a rubric gives for such mazes."""

    bonus: Annotated[float, Meta(ge=0.01, le=100, description="points on top of the others")]
    """Points for catching all required mistakes; fewer earn a proportional part."""
    mistakes: Annotated[int, Meta(ge=1, description="how many mistakes have to be caught for all of them")]
    """How many typical mistakes all mazes together have to catch."""


def read_maze_bonus(value: Value, exercises: Value) -> MazeBonus:
    """Read a rubric's bonus; its exercises must accept mazes."""
    checker = exercise_of("checker")
    handed_in = None if checker is None else kind_of(checker.id).own_mazes
    if (
        checker is None
        or handed_in is None
        or not any(key.node.value == checker.id for key, _ in exercises.entries())
    ):
        name = checker.id if checker is not None else "for a checker"
        value.refuse(f"test mazes are handed in with the exercise {name!r}: add it, or take this key out")
    fields = value.fields(required=("bonus", "mistakes"))
    return MazeBonus(
        fields["bonus"].number(least=0.01, most=100),
        fields["mistakes"].whole(least=1, most=len(handed_in.mistakes)),
    )


def apply(results: ResultsJson, report: Report, bonus: MazeBonus | None) -> ResultsJson:
    """Add the bonus to the results, explained under the key "bonus" and in a remark.

    No score is raised above its maximum.
    """
    caught = sum(each.own_mazes.caught_count for each in report.exercises if each.own_mazes is not None)
    if bonus is None or not caught:
        return results
    before = results["score"]
    worth = bonus.bonus * min(1.0, caught / bonus.mistakes)
    after = round_points(min(results["max_score"], before + worth))
    if after <= before:
        return results
    told: BonusJson = {"points": round_points(after - before), "score_before": before}
    points = {"before": f"{before:g}", "after": f"{after:g}"}
    message = said("intake_bonus", count=caught, wanted=bonus.mistakes, **points)
    remarks = [*results.get("intake", ()), remark_data(Remark("bonus", "", "", message))]
    return {**results, "score": after, "bonus": told, "intake": remarks}
