"""Where a mistake stands in the student's own code, and how its story goes, in a real process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest

from grader.course.plan import Plan, disagreement, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.feedback import render_html
from grader.feedback.markdown import render_markdown
from grader.feedback.text import render_text
from grader.grading import places
from grader.grading.engine import grade
from grader.model import ExerciseResult, GradedSubmission, Limits, Submission
from grader.repairs import Edit, EditSearch, Found, Repair
from grader.results import as_data, as_json, as_staff_data, parse, tells_staff_more
from tests.grader.session.popen_box import PopenBackend, PopenBox, contents
from tests.submissions.loader import FILES, Case

EXAMPLES = 15
POPS, RIGHT = Case("wrong", "bfs-pop-instead-of-popleft"), Case("right", "plain")
SLEEPS = b"import threading\nthreading.Event().wait(60)\n"

pytestmark = pytest.mark.usefixtures("_untraced")


@cache
def plan(exercise: str, *, explain: bool = True) -> Plan:
    """What is shown of one exercise, by few cases."""
    rubric = load_rubric(None, checks=titles(), agrees=disagreement, explain=explain)
    whole = make_plan(replace(rubric, examples=EXAMPLES))
    (found,) = (each for each in whole.exercises if each.id == exercise)
    shown = tuple(check for check in found.checks if whole.points[check.id].visibility == "public")
    return replace(whole, exercises=(replace(found, checks=shown),))


def graded(exercise: str, files: Mapping[str, bytes]) -> ExerciseResult:
    return grade(Submission("ada", files), plan(exercise), PopenBackend(contents())).exercises[0]


@pytest.mark.parametrize("name", ["bfs-best-first", "generator-salt-of-the-process"])
def test_nothing_is_said_where_it_is_not_sure(name: str) -> None:
    assert graded(name.partition("-")[0], Case("wrong", name).files()).look_at is None


@pytest.mark.parametrize(
    ("exercise", "old", "new"),
    [
        ("search", "distance = self._distances[start] + 1", "distance = self._missing[start] + 1"),
        ("generator", "trail = [", "self.rng.shuffle((1, 2))\n        trail = ["),
    ],
)
def test_what_takes_away_what_raised_does_not_speak(exercise: str, old: str, new: str) -> None:
    files, file = Case("right", "plain").files(), FILES[exercise]
    changed = files[file].replace(old.encode(), new.encode())
    assert changed != files[file]
    found = graded(exercise, {**files, file: changed})
    assert [check for check in found.checks if check.verdict.status != "passed"]
    assert found.look_at is None


COUNTS_TWICE = b"""
class PerfectionChecker:
    def is_perfect(self, maze):
        visited, stack, previous = [], [maze.entry], None
        while stack:
            cell = stack.pop()
            visited.append(cell)
            for move in maze.valid_moves_at(cell):
                if cell + move == previous:
                    continue
                if cell + move in visited:
                    return False
                stack.append(cell + move)
            previous = cell
        return len(visited) == maze.dimension.position_count
"""


def test_an_edit_that_makes_checks_wrong_which_are_lost_for_answers_all_alike_does_not_speak(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With ``continue`` in the place of ``return False`` a cycle beside an island makes up for it."""

    def find(search: EditSearch, edits: Sequence[Edit]) -> Found:
        (other,) = (edit for edit in edits if any(new == "continue" for _, _, new in edit.splices))
        return Found((Repair(other, frozenset(search.lost)),), 1, is_whole=True)

    monkeypatch.setattr(EditSearch, "find", find)
    monkeypatch.setattr(places, "_of_all_sizes", lambda *_: [])
    found = graded("perfection", {**RIGHT.files(), FILES["perfection"]: COUNTS_TWICE})
    assert "perfection.cycle-and-island" in {check.id for check in found.checks if not check.score}
    assert found.look_at is None


@pytest.mark.parametrize(("check", "is_told"), [("bfs.shortest", True), ("bfs.visit-order", False)])
def test_an_edit_that_mends_less_than_half_of_what_was_lost_does_not_speak(
    check: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(_: EditSearch, edits: Sequence[Edit]) -> Found:
        right = next(edit for edit in edits if any("popleft" in new for _, _, new in edit.splices))
        return Found((Repair(right, frozenset({check})),), 1, is_whole=True)

    monkeypatch.setattr(EditSearch, "find", find)
    assert (graded("bfs", POPS.files()).look_at is not None) is is_told


@dataclass
class Recording(PopenBackend):
    """Keeps what is sent."""

    sent: list[bytes] = field(default_factory=list)

    def open(self, limits: Limits) -> PopenBox:
        box = super().open(limits)
        write = box.write

        def noted(data: bytes, *, deadline: float) -> None:
            self.sent.extend(data.splitlines())
            write(data, deadline=deadline)

        box.write = noted  # type: ignore[method-assign]
        return box


@cache
def told(case: Case, *, explain: bool) -> tuple[GradedSubmission, Sequence[Mapping[str, Any]]]:
    """What is found of BFS, and the rounds of calls that it takes."""
    backend = Recording(contents())
    report = grade(Submission("ada", case.files()), plan("bfs", explain=explain), backend)
    return report, [json.loads(line) for line in backend.sent if b'"type":"round"' in line]


def test_other_versions_are_tried_of_what_is_wrong_only_and_where_it_is_asked_for() -> None:
    keys = [(case, explain) for case in (RIGHT, POPS) for explain in (True, False)]
    rounds = {key: told(key[0], explain=key[1])[1] for key in keys}
    assert len(rounds[RIGHT, True]) == len(rounds[RIGHT, False])
    tried = {key for key, sent in rounds.items() if any("versions" in each for each in sent)}
    assert tried == {(POPS, True)}


def test_results_tell_the_place_and_only_staff_the_edit() -> None:
    (report, _), (without, _) = told(POPS, explain=True), told(POPS, explain=False)
    results, staff = as_data(report), as_staff_data(report)
    assert parse(as_json(results)) == results
    assert tells_staff_more(as_data(report), as_staff_data(report))
    (exercise,), (for_staff,), (plain,) = (data["exercises"] for data in (results, staff, as_data(without)))
    place, recorded = exercise["look_at"], exercise["recorded"]
    assert exercise == {
        **plain,
        "look_at": place,
        "story": exercise["story"],
        "recorded": exercise["recorded"],
    }
    assert (place["file"], place["line"], place["kind"], place["after"]) == (
        "solvers/bfs.py",
        11,
        "end",
        False,
    )
    assert place["code"]["lines"][11 - place["code"]["first"]].strip() == "position = queue.pop()"
    case: Any = next(check for check in exercise["checks"] if check["id"] == recorded["check"])
    assert len(recorded["walk"]) == len(case["counterexample"]["actual"]["visits"])
    asks = {
        recorded["code"]["lines"][lines[0] - recorded["code"]["first"]].strip() for lines in recorded["walk"]
    }
    assert asks == {"for move in maze.valid_moves_at(position):"}
    assert "edit" not in place
    assert "popleft()" in "".join(for_staff["look_at"]["edit"])
    for render in (render_html, render_text, render_markdown):
        shown, shown_staff = render(results), render(staff)
        assert "queue.pop()" in shown
        assert "queue.popleft()" not in shown
        assert "queue.popleft()" in shown_staff


# --- edits that mend by accident ------------------------------------------------------------------


# --- stories --------------------------------------------------------------------------------------
