"""Where a mistake stands in the student's own code, in a real process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest

from grader import repairs
from grader.course.plan import Plan, load_plan
from grader.feedback import render_html
from grader.feedback.markdown import render_markdown
from grader.feedback.text import render_text
from grader.grading.engine import grade
from grader.grading.explain.places import cost, left_out
from grader.model import Call, Claim, ExerciseResult, Generate, Limits, LookAt, Submission
from grader.repairs import Edit, Found, ProbeCase, Repair
from grader.results import as_data, as_json, as_staff_data, parse, tells_staff_more
from tests.grader.session.popen_box import PopenBackend, PopenBox, contents
from tests.submissions.loader import Case, base

SLEEPS = b"import threading\nthreading.Event().wait(60)\n"

pytestmark = pytest.mark.usefixtures("_untraced")


@cache
def plan(exercise: str, *, explain: bool = True) -> Plan:
    """What is shown of one exercise."""
    whole = load_plan(explain=explain)
    (found,) = (each for each in whole.exercises if each.id == exercise)
    shown = tuple(check for check in found.checks if whole.points[check.id].visibility == "public")
    return replace(whole, exercises=(replace(found, checks=shown),))


def graded(
    exercise: str,
    files: Mapping[str, bytes],
) -> ExerciseResult:
    return grade(Submission("ada", files), plan(exercise), PopenBackend(contents())).exercises[0]


@cache
def looked(exercise: str, name: str) -> LookAt | None:
    return graded(exercise, Case("wrong", name).files()).look_at


@pytest.mark.parametrize(
    ("name", "line", "kind"),
    [
        ("bfs-pop-instead-of-popleft", "position = queue.pop()", "end"),
        ("bfs-empty-list-for-no-way", "return []", "nothing"),
        ("search-shared-through-a-default", "def __init__(self, pending=[]):", "lives_on"),
        ("dfs-sorted-moves", "for move in sorted(maze.valid_moves_at(position)):", "order"),
        ("dfs-compares-with-is", "if position is maze.exit:", "same"),
        ("bfs-state-in-the-class", "seen = set()", "lives_on"),
        ("perfection-state-in-the-instance", "self.seen = set()", "lives_on"),
        ("bfs-appends-at-the-left", "position = queue.popleft()", "end"),
        ("dfs-clockwise-from-east", "for move in (EAST, SOUTH, WEST, NORTH):", "order"),
        ("dfs-way-with-backtracking", "steps.append(move.opposite())", "taken_back"),
        ("dijkstra-way-backwards", "return moves", "way_order"),
    ],
)
def test_the_line_and_the_question(name: str, line: str, kind: str) -> None:
    found = looked(name.partition("-")[0], name)
    assert found is not None
    assert (found.code[found.line - found.first_line].strip(), found.kind) == (line, kind)
    assert any(part.startswith("-") for part in found.edit) or found.kind == "lives_on"


def test_an_answer_that_is_dropped_is_asked_about() -> None:
    text = base()["solvers/bfs.py"].decode()
    old, new = "return search.moves_to(position)", "search.moves_to(position)"
    assert old in text
    found = graded("bfs", {**base(), "solvers/bfs.py": text.replace(old, new).encode()}).look_at
    assert found is not None
    assert (found.code[found.line - found.first_line].strip(), found.kind) == (new, "answer")
    assert found.edit


@pytest.mark.parametrize(
    "name",
    ["bfs-from-both-ends", "bfs-best-first", "perfection-yes-and-no", "generator-salt-of-the-process"],
)
def test_nothing_is_said_where_it_is_not_sure(name: str) -> None:
    assert looked(name.partition("-")[0], name) is None


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: "\ufeff\ufeff" + text,
        lambda text: text.replace("        return", "\treturn"),
        lambda text: text + "\nreturn None\n",
    ],
)
def test_no_place_is_looked_for_in_a_file_that_python_refuses(spoilt: Callable[[str], str]) -> None:
    """The line that the compiler names is the answer."""
    files = base()
    text = spoilt(files["solvers/bfs.py"].decode())
    found = graded("bfs", {**files, "solvers/bfs.py": text.encode()})
    assert {check.verdict.status for check in found.checks} == {"crashed"}
    assert found.look_at is None


@pytest.mark.parametrize("checks", [{"bfs.shortest", "bfs.visit-order"}, {"bfs.shortest"}])
def test_a_place_explains_all_that_a_misconception_does(
    checks: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(_: str, edits: Sequence[Edit], *__: object, **___: object) -> Found:
        right = next(edit for edit in edits if any("popleft" in new for _, _, new in edit.splices))
        return Found((Repair(right, frozenset(checks)),), 1, is_whole=True)

    monkeypatch.setattr(repairs, "search", search)
    found = graded("bfs", Case("wrong", "bfs-pop-instead-of-popleft").files())
    named = {check.id for check in found.checks if check.verdict.misconception}
    assert named == {"bfs.shortest", "bfs.visit-order"}
    assert (found.look_at is not None) is (checks == named)


def test_a_search_that_a_clock_ends_is_done_again_when_the_machine_is_less_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def search(_: str, __: object, failing: Sequence[ProbeCase], *___: object, **more: Any) -> Found:
        more["make_calls"]([replace(failing[0].case.call, group="", anew=False, version=SLEEPS)])
        return Found((), 1, is_whole=False)

    name, quick = "bfs-pop-instead-of-popleft", plan("bfs")
    rubric = replace(quick.rubric, limits=replace(quick.limits, call_cpu_seconds=0.5, call_wall_seconds=0.5))
    whole = grade(Submission("ada", Case("wrong", name).files()), quick, PopenBackend(contents()))
    monkeypatch.setattr(repairs, "search", search)
    quick = replace(quick, rubric=rubric)
    cut = grade(Submission("ada", Case("wrong", name).files()), quick, PopenBackend(contents()))
    assert [report.by_clock for report in (whole, cut)] == [False, True]


@pytest.mark.parametrize(
    ("splice", "part"),
    [
        ((4, 13, "g + 1"), "+ h"),
        ((4, 13, "1 + h"), "g +"),
        ((0, 13, "pass"), ""),
        ((4, 5, "h"), ""),
    ],
)
def test_the_part_that_an_edit_leaves_out_is_named(splice: tuple[int, int, str], part: str) -> None:
    assert left_out(Edit((splice,), "needed", 1), "f = g + 1 + h") == part


def test_large_calls_and_calls_without_an_end_cost_more() -> None:
    small, large = (Call("1", Generate(side, side, 1, 1)) for side in (3, 20))
    returned, endless = Claim("1", "returned"), Claim("1", "endless")
    assert cost(small, returned) == 1
    assert cost(small, returned) < cost(large, returned) < cost(small, endless) < cost(large, endless)
    assert cost(small, returned, asks=True) == 5 * cost(small, returned)


def sent(files: Mapping[str, bytes], *, explain: bool) -> tuple[int, list[str]]:
    """How many messages a submission takes, and the kinds of calls on other versions of its file."""
    backend = Recording(contents())
    grade(Submission("ada", files), plan("bfs", explain=explain), backend)
    rounds = [json.loads(line) for line in backend.sent if b'"type":"round"' in line]
    return len(rounds), [sent["id"] for sent in rounds if "versions" in sent]


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


def test_a_right_submission_is_asked_nothing_more() -> None:
    assert sent(base(), explain=True) == sent(base(), explain=False)


def test_without_explaining_nothing_is_tried() -> None:
    files = Case("wrong", "bfs-pop-instead-of-popleft").files()
    assert sent(files, explain=False)[1] == []
    assert sent(files, explain=True)[1] != []


def test_results_tell_the_place_and_only_staff_the_edit() -> None:
    files = Case("wrong", "bfs-pop-instead-of-popleft").files()
    report = grade(Submission("ada", files), plan("bfs"), PopenBackend(contents()))
    without = grade(Submission("ada", files), plan("bfs", explain=False), PopenBackend(contents()))
    results, staff = as_data(report), as_staff_data(report)
    assert parse(as_json(results)) == results
    assert tells_staff_more(report)
    (exercise,), (for_staff,), (plain,) = (data["exercises"] for data in (results, staff, as_data(without)))
    told, recorded = exercise["look_at"], exercise["recorded"]
    assert exercise == {
        **plain,
        "look_at": told,
        "story": exercise["story"],
        "recorded": exercise["recorded"],
    }
    assert (told["file"], told["line"], told["kind"], told["after"]) == ("solvers/bfs.py", 11, "end", False)
    assert told["message"] == (
        "Look at line 11 of solvers/bfs.py: which end of the list is taken, and which should be?"
    )
    assert told["code"]["lines"][11 - told["code"]["first"]].strip() == "position = queue.pop()"
    case: Any = next(check for check in exercise["checks"] if check["id"] == recorded["check"])
    assert len(recorded["walk"]) == len(case["counterexample"]["actual"]["visits"])
    asks = {
        recorded["code"]["lines"][lines[0] - recorded["code"]["first"]].strip() for lines in recorded["walk"]
    }
    assert asks == {"for move in maze.valid_moves_at(position):"}
    assert "edit" not in told
    assert "popleft()" in "".join(for_staff["look_at"]["edit"])
    for render in (render_html, render_text, render_markdown):
        shown, shown_staff = render(results), render(staff)
        assert "queue.pop()" in shown
        assert "queue.popleft()" not in shown
        assert "queue.popleft()" in shown_staff
    assert "Welches Ende der Liste" in render_html(results, language="de")
    assert "hvilken ende av listen" in render_text(results, language="nb")
    assert '<mark class="line" data-line="11">' in render_html(results)
    assert "> 11  " in render_text(results)
