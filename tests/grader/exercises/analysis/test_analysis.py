"""The analysis is read and never run: parts count, conventions are fair, and what is refused is told why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from grader.batch.code_text import code_with, files_in
from grader.batch.report.similarity import without_given_files
from grader.course.exercise_folder import SHIPPED
from grader.course.plan import Plan, load_plan
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.folders.code import know
from grader.grading.engine import grade
from grader.model import CheckJson, ResultsJson, Submission
from grader.reader import Reader
from grader.results import as_data
from grader.verification.bank import submissions_in
from lab.questions import MAZES, SOLVERS, answer_name, draw, first_name, page
from tests.fake_backends import AnsweringBackend

pytestmark = pytest.mark.processes

ANALYSIS: Final = SHIPPED / "analysis"
RIGHT, WRONG = (
    {name: files["analysis.py"] for name, files in submissions_in(ANALYSIS / kind, "analysis.py").items()}
    for kind in ("right", "wrong")
)
ORDERS: Final = [f"{solver.lower()}-{maze}" for maze in MAZES for solver in SOLVERS]
FIRST: Final = [f"first-{maze}" for maze in MAZES]
POINTS: Final = dict.fromkeys(ORDERS, 10) | dict(zip(FIRST, (4, 3, 3), strict=True))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A course of this exercise alone."""
    folder = tmp_path_factory.mktemp("course")
    lines = [f"      analysis.{name}: {points}\n" for name, points in POINTS.items()]
    (folder / "rubric.yaml").write_text(
        "title: Paper\nexercises:\n  analysis:\n    checks:\n" + "".join(lines)
    )
    (folder / "mazes").symlink_to(SHIPPED.parent / "mazes")
    yield load_plan(folder / "rubric.yaml")
    know(())


def results(content: str | bytes | None, plan: Plan) -> ResultsJson:
    data = content.encode() if isinstance(content, str) else content
    files = {} if data is None else {"analysis.py": data}
    backend = AnsweringBackend()
    graded = as_data(grade(Submission("ada", files), plan, backend))
    assert backend.boxes == []
    return graded


def test_an_analysis_that_is_too_costly_to_read_is_a_persons(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reader, "decide", lambda *_: None)
    found = results(next(iter(RIGHT.values())), plan)
    assert found["score"] == 0.0
    assert {each["status"] for each in checks(found).values()} == {"unmarked"}


def checks(results: ResultsJson) -> dict[str, CheckJson]:
    return {each["id"].partition(".")[2]: each for each in results["exercises"][0]["checks"]}


def right_answers(name: str) -> dict[str, list[Any]]:
    """What the reference visits; who comes first is as many visits say."""
    found: dict[str, list[Any]] = {}
    for kind, maze in draw(name).items():
        orders = {solver: facts_of(maze.to_text()).orders[solver.lower()][0] for solver in SOLVERS}
        found |= {
            answer_name(solver, kind): [tuple(cell) for cell in order] for solver, order in orders.items()
        }
        least = min(map(len, orders.values()))
        found[first_name(kind)] = [solver for solver, order in orders.items() if len(order) == least]
    return found


def filled(name: str, **answers: Any) -> str:
    """The file of a name, filled in right but for some answers."""
    text = page(name)
    for key, value in {**right_answers(name), **answers}.items():
        assert f"\n{key} = []\n" in text
        text = text.replace(f"\n{key} = []\n", f"\n{key} = {value!r}\n")
    return text


def lost(results: ResultsJson) -> Mapping[str, CheckJson]:
    return {id_: each for id_, each in checks(results).items() if each["status"] != "passed"}


@pytest.mark.parametrize("name", ["reference", *RIGHT])
def test_right_answers_get_everything_without_a_box(name: str, plan: Plan) -> None:
    graded = results(RIGHT.get(name) or (ANALYSIS / "reference.py").read_bytes(), plan)
    assert {id_: each["message"] for id_, each in lost(graded).items()} == {}
    assert graded["score"] == 100


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_lose_points_and_are_told_why(name: str, plan: Plan) -> None:
    graded = results(WRONG[name], plan)
    assert graded["score"] < 100
    assert {each["status"] for each in lost(graded).values()} == {"failed"}
    assert all(each["message"] and len(each["message"]) < 500 for each in lost(graded).values())
    assert len(json.dumps(graded)) < 100_000


def test_nothing_of_a_file_is_run(plan: Plan, tmp_path: Path) -> None:
    trace = tmp_path / "was-run"
    line = f"open({str(trace)!r}, 'w').close()"
    for text in (
        f"{filled('Ada')}\n{line}\n",
        filled("Ada").replace("dfs_room = ", f"dfs_room = {line} or "),
    ):
        assert results(text, plan)["score"] < 100
        assert not trace.exists()


def test_each_right_visit_counts(plan: Plan) -> None:
    right = right_answers("Ada")["bfs_corridor"]
    scores = []
    for count in range(1, len(right)):
        check = checks(results(filled("Ada", bfs_corridor=right[:count]), plan))["bfs-corridor"]
        scores.append(check["score"])
        if check["status"] == "passed":  # it has seen the exit
            break
        assert check["score"] == round(10 * (count - 1) / (len(right) - 1), 2)
        assert f"is right for {count - 1} of {len(right) - 1} visits" in check["message"]
    assert scores == sorted(scores)
    assert scores[-1] == 10


def test_who_comes_to_the_exit_too_early_is_told_so(plan: Plan) -> None:
    right = right_answers("Ada")["bfs_corridor"]
    turned = [right[0], right[-1], *right[1:-1]]
    check = checks(results(filled("Ada", bfs_corridor=turned), plan))["bfs-corridor"]
    assert f"Then it goes to {right[-1]}, where {right[1]} was expected." in check["message"]


def test_who_comes_first_in_part(plan: Plan) -> None:
    tied = next(
        n for n in (f"Student {i}" for i in range(99)) if right_answers(n)["first_corridor"] == [*SOLVERS[1:]]
    )
    scores = {
        tuple(named): checks(results(filled(tied, first_corridor=[*named]), plan))["first-corridor"]["score"]
        for named in (("BFS", "Dijkstra"), ("dijkstra", "bfs"), ("BFS",), ("DFS",), SOLVERS)
    }
    assert [*scores.values()] == [3, 3, 1.5, 0, 0]


def test_the_mazes_follow_from_the_name_and_not_from_the_file(plan: Plan) -> None:
    text = filled("Ada")
    easy = "+-+-+\n|S E|\n+-+-+"
    changed = text.replace(draw("Ada")["room"].to_text(), easy)
    assert changed != text
    graded = results(changed, plan)
    assert {*lost(graded)} == {"dfs-room", "bfs-room", "dijkstra-room", "first-room"}
    assert all(
        "room is not the maze that is drawn from the name “Ada”" in c["message"]
        for c in lost(graded).values()
    )
    assert results(text.replace('name = "Ada"', 'name = "Bob"'), plan)["score"] == 0


def test_files_of_literals_are_no_code_that_may_be_alike(plan: Plan) -> None:
    assert plan.rubric.own_exercises[0].literals
    code = code_with({"analysis.py": filled("Ada").encode(), "solvers/dfs.py": b"x = 1\n"})
    assert [*files_in(without_given_files(code))] == ["solvers/dfs.py"]


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\xfa name = 1\x00", b"name = '\xff'\n", b"\0" * 9_000, b"(" * 10**6]
)
def test_what_is_no_text_or_nested_far_too_deeply_is_refused(content: bytes, plan: Plan) -> None:
    graded = results(content, plan)
    assert graded["score"] == 0
    assert all("analysis.py" in each["message"] for each in checks(graded).values())
