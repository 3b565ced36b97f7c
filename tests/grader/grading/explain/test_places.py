"""Where a mistake stands in the student's own code, and how its story goes, in a real process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest

from grader import repairs
from grader.course.plan import Plan, disagreement, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.feedback import render_html
from grader.feedback.markdown import render_markdown
from grader.feedback.text import render_text
from grader.grading.engine import grade
from grader.grading.places import cost, left_out
from grader.model import Call, Claim, ExerciseResult, Generate, Limits, Report, Submission
from grader.repairs import Edit, Found, ProbeCase, Repair
from grader.results import as_data, as_json, as_staff_data, parse, tells_staff_more
from lab.exercises import BY_ID
from tests.grader.session.popen_box import PopenBackend, PopenBox, contents
from tests.submissions.loader import Case, base

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


@pytest.mark.parametrize(
    ("name", "line", "kind"),
    [
        ("search-shared-through-a-default", "def __init__(self, pending=[]):", "lives_on"),
        ("dfs-compares-with-is", "if position is maze.exit:", "same"),
        ("dfs-way-with-backtracking", "steps.append(move.opposite())", "taken_back"),
        ("dijkstra-way-backwards", "return moves", "way_order"),
    ],
)
def test_the_line_and_the_question(name: str, line: str, kind: str) -> None:
    """Those of other mistakes stand in golden files."""
    found = graded(name.partition("-")[0], Case("wrong", name).files()).look_at
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


@pytest.mark.parametrize("name", ["bfs-best-first", "generator-salt-of-the-process"])
def test_nothing_is_said_where_it_is_not_sure(name: str) -> None:
    assert graded(name.partition("-")[0], Case("wrong", name).files()).look_at is None


def test_no_place_is_looked_for_in_a_file_that_python_refuses() -> None:
    """The line that the compiler names is the answer."""
    files = base()
    found = graded("bfs", {**files, "solvers/bfs.py": files["solvers/bfs.py"] + b"\nreturn None\n"})
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
    found = graded("bfs", POPS.files())
    named = {check.id for check in found.checks if check.verdict.misconception}
    assert named == {"bfs.shortest", "bfs.visit-order"}
    assert (found.look_at is not None) is (checks == named)


def test_a_search_that_a_clock_ends_is_done_again_when_the_machine_is_less_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def search(_: str, __: object, failing: Sequence[ProbeCase], *___: object, **more: Any) -> Found:
        more["make_calls"]([replace(failing[0].case.call, group="", anew=False, version=SLEEPS)])
        return Found((), 1, is_whole=False)

    quick = plan("bfs")
    rubric = replace(quick.rubric, limits=replace(quick.limits, call_cpu_seconds=0.5, call_wall_seconds=0.5))
    whole, _ = told(POPS, explain=True)
    monkeypatch.setattr(repairs, "search", search)
    quick = replace(quick, rubric=rubric)
    cut = grade(Submission("ada", POPS.files()), quick, PopenBackend(contents()))
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
def told(case: Case, *, explain: bool) -> tuple[Report, Sequence[Mapping[str, Any]]]:
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
    assert tells_staff_more(report)
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

JOINS_CELLS = """from lab import EAST, MOVES, SOUTH, Generator


class MyGenerator(Generator):
    def __init__(self, rng):
        self.rng = rng

    def below(self, n):
        while (k := self.rng.getrandbits(n.bit_length())) >= n:
            pass
        return k

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        edges = [(c, m) for c in dimension.all_positions() for m in MOVES[1:3] if dimension.includes(c + m)]
        for i in range(len(edges) - 1, 0, -1):
            j = self.below(i + 1)
            edges[i], edges[j] = edges[j], edges[i]
        root = list(range(dimension.position_count))

        def find(i):
            while root[i] != i:
                root[i] = root[root[i]]
                i = root[i]
            return i

        for cell, move in edges:
            a = (cell.row - 1) * dimension.column_count + cell.column - 1
            b = a + move.row * dimension.column_count + move.column
            if find(a) != find(b):
                root[a] = b
                maze.break_wall(cell, move)
        return maze
"""
AS_PRINTED = """class PerfectionChecker:
    def is_perfect(self, maze):
        visited = []
        pending = [maze.entry]
        while pending:
            last = visited[-1] if visited else None
            current = pending.pop()
            visited.append(current)
            for move in maze.valid_moves_at(current):
                destination = current + move
                if last is not None and destination == last:
                    continue
                if destination not in visited:
                    pending.append(destination)
                else:
                    return False
        return len(visited) == len(maze.dimension.all_positions())
"""


@pytest.mark.parametrize(
    ("exercise", "text", "line"),
    [
        ("generator", JOINS_CELLS, "root[a] = b"),
        ("perfection", AS_PRINTED, None),
    ],
)
def test_no_edit_that_mends_by_accident_is_a_place(exercise: str, text: str, line: str | None) -> None:
    """A binary tree in the place of Kruskal's and a checker that says nothing of a cycle pass the cases that
    led to them."""
    found = graded(exercise, {**base(), BY_ID[exercise].file: text.encode()}).look_at
    assert (found and found.code[found.line - found.first_line].strip()) == line


# --- stories --------------------------------------------------------------------------------------

HELPED = b"""from helpers.walk import walked


class BFS:
    def solve(self, maze, search):
        return walked(maze)
"""
HELPER = b"""

def walked(maze):
    queue, seen = [(maze.entry, [])], {maze.entry}
    while queue:
        cell, way = queue.pop(0)
        if maze.is_exit(cell):
            return way
        for move in reversed(maze.valid_moves_at(cell)):
            if cell + move not in seen:
                seen.add(cell + move)
                queue.append((cell + move, way + [move]))
    return None
"""


def test_the_lines_of_a_helper_are_told_with_their_file() -> None:
    found = graded("bfs", {**base(), "solvers/bfs.py": HELPED, "helpers/walk.py": HELPER}).story
    assert found is not None
    assert found.steps[0].file == "helpers/walk.py"
    text = HELPER.decode().split("\n")
    assert found.code == tuple(text[found.first_line - 1 : found.first_line - 1 + len(found.code)])
    told = [text[step.line - 1].strip() for step in found.steps if step.line and "helpers" in step.file]
    assert "queue.append((cell + move, way + [move]))" in told
