"""What other programs read: Gradescope, JUnit, the platforms' zips of feedback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import pytest

from grader.cli import main
from grader.course.plan import load_plan
from grader.errors import InputError
from grader.exports.gradescope import as_gradescope, build_autograder
from grader.exports.junit import junit
from grader.model import CheckJson, ExerciseJson, Report, ResultsJson
from grader.results import as_data
from tests.submissions.loader import Case


def check(id_: str, status: str, **more: Any) -> CheckJson:
    passed = status == "passed"
    made: CheckJson = {
        "id": id_,
        "title": f"About {id_}",
        "status": status,
        "score": 5.0 if passed else 0.0,
        "max_score": 5.0,
        "visibility": "public",
        "message": "" if passed else f"It {status}.",
        "hint": "",
        "misconception": None,
        "counterexample": None,
    }
    return cast(CheckJson, made | more)


def results(*checks: CheckJson, **more: Any) -> ResultsJson:
    exercise: ExerciseJson = {
        "id": "dfs",
        "title": "DFS",
        "score": 5.0,
        "max_score": 5.0,
        "zeroed": False,
        "checks": list(checks),
        "output": "",
        "gallery": [],
    }
    made: ResultsJson = {
        **as_data(Report("ada", "docker", "", "", (), ("A note.",), timing={"total": 1.4})),
        "score": 5.0,
        "max_score": 10.0,
        "exercises": [exercise],
    }
    return cast(ResultsJson, made | more)


def test_gradescope_knows_tests_scores_and_who_may_see_them() -> None:
    hidden = check("b", "failed", visibility="hidden", hint="Look.", counterexample={"maze": "+-+"})
    data = json.loads(as_gradescope(results(check("a", "passed"), hidden)))
    assert data["score"] == 5.0
    assert [(t["name"], t["score"], t["max_score"], t["status"], t["visibility"]) for t in data["tests"]] == [
        ("DFS: About a", 5.0, 5.0, "passed", "visible"),
        ("DFS: About b", 0.0, 5.0, "failed", "after_published"),
    ]
    assert data["tests"][1]["output"] == "It failed.\n\n+-+\n\nLook."


def test_gradescope_gets_no_zero_for_a_fault_of_the_grader() -> None:
    with pytest.raises(InputError, match="ada could not be graded: no Docker"):
        as_gradescope(results(check("a", "skipped"), fault="no Docker"))


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked where Gradescope would, with a submission and a place for the results."""
    root = tmp_path_factory.mktemp("autograder")
    assert build_autograder(root / "autograder.zip", load_plan().rubric) > 100
    with zipfile.ZipFile(root / "autograder.zip") as packed:
        modes = {info.filename: info.external_attr >> 16 for info in packed.infolist()}
        packed.extractall(root / "source")
    assert {modes["setup.sh"], modes["run_autograder"]} == {0o755}
    (root / "results").mkdir()
    Case("wrong", "dfs-west-first-search").materialise(root / "submission")
    return root


def run(autograder: Path) -> bool:
    """Run it as Gradescope does, with the packages that are installed here; say whether it ended well."""
    environment = {**os.environ, "AUTOGRADER_ROOT": str(autograder), "PYTHON": sys.executable}
    command = ["bash", str(autograder / "source" / "run_autograder")]
    return not subprocess.run(command, env=environment, capture_output=True, timeout=120).returncode


def test_the_autograder_is_complete(autograder: Path) -> None:
    """Its own sources alone are used, as no other copy is to be had on Gradescope."""
    assert run(autograder)
    results = autograder / "results" / "results.json"
    data = json.loads(results.read_bytes())
    assert data["score"] < 100
    assert len(data["tests"]) > 50
    results.unlink()
    (autograder / "source" / "project" / "grader" / "results.py").write_text("raise SystemExit(3)\n")
    assert not run(autograder)
    assert not results.exists()


def test_the_autograder_names_the_packages_that_it_needs(autograder: Path) -> None:
    lines = (autograder / "source" / "requirements.txt").read_text().splitlines()
    assert f"hypothesis=={version('hypothesis')}" in lines
    assert f"MarkupSafe=={version('MarkupSafe')}" in lines  # of Jinja
    assert not any(line.startswith(("pytest-cov", "matplotlib", "maze-grader")) for line in lines)


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_its_scripts_are_shell(autograder: Path, script: str) -> None:
    subprocess.run(["bash", "-n", autograder / "source" / script], check=True, timeout=60)


def test_every_maze_is_in_the_autograder(tmp_path: Path) -> None:
    shipped = load_plan().rubric
    (tmp_path / "own").mkdir()
    for number, maze in enumerate(shipped.mazes):
        shutil.copy(maze.path, tmp_path / "own" / f"{number}{('.yaml', '.yml')[number % 2]}")
    (tmp_path / "rubric.yaml").write_text(shipped.source.replace("mazes: mazes", "mazes: own", 1))
    rubric = load_plan(tmp_path / "rubric.yaml").rubric
    build_autograder(tmp_path / "autograder.zip", rubric)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    assert load_plan(tmp_path / "unpacked" / "course" / "rubric.yaml").rubric.digest == rubric.digest


@pytest.mark.parametrize("place", ["../mazes", "none"])
def test_mazes_that_the_autograder_would_lack_are_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "course").mkdir()
    folder = tmp_path / "course" / place
    folder.mkdir()
    if place != "none":
        shutil.copy(load_plan().rubric.mazes[0].path, folder)
    rubric = tmp_path / "course" / "rubric.yaml"
    rubric.write_text(
        f"title: One\nmazes: {place}\nexercises: {{dfs: {{checks: {{dfs.valid-path: 100}}}}}}\n"
    )
    with pytest.raises(InputError, match=r"the mazes below the folder|at least one test maze"):
        build_autograder(tmp_path / "a.zip", load_plan(rubric).rubric)
    assert not (tmp_path / "a.zip").exists()


def test_junit_counts_and_is_xml_whatever_students_print() -> None:
    checks = [check(s, s) for s in ("passed", "failed", "crashed", "timeout", "missing", "skipped")]
    checks[1]["message"] = "bad \x00 \x1b[31m \ud800 <&>"
    suite = ET.fromstring(junit([results(*checks)]))[0]
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "ada",
        "tests": "6",
        "failures": "2",
        "errors": "2",
        "skipped": "1",
    }


GRADES = (
    "submission,student,id,score,max_score,status,platform,source\r\n"
    "a,lovelaceada,101,90,100,graded,{platform},{source}\r\n"
)


@pytest.mark.parametrize(
    ("platform", "source", "name"),
    [
        ("canvas", "lovelaceada_LATE_101_9001_lab.zip", "lovelaceada_LATE_101_9001_feedback.html"),
        ("canvas", "lovelaceada_101_text.html", "lovelaceada_101_feedback.html"),
        (
            "moodle",
            "lovelaceada_101_assignsubmission_file_",
            "lovelaceada_101_assignsubmission_file_feedback.html",
        ),
    ],
)
def test_feedback_under_the_names_that_a_platform_knows(
    tmp_path: Path, platform: str, source: str, name: str
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "feedback.html").write_text("<p>well done")
    (tmp_path / "grades.csv").write_text(GRADES.format(platform=platform, source=source))
    assert main(["export", "feedback", str(tmp_path), "--out", str(tmp_path / "f.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "f.zip") as packed:
        assert packed.namelist() == [name]
        assert packed.read(name) == b"<p>well done"


ALL = ("canvas", "moodle", "blackboard", "junit", "gradescope", "feedback")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What the command says that cannot be done: one line for people."""
    assert main([str(argument) for argument in arguments]) == 1
    said = capsys.readouterr().err
    assert said.startswith("grader: ")
    assert said.count("\n") == 1
    assert "Errno" not in said
    return said


@pytest.mark.parametrize("what", ALL)
def test_an_export_from_nothing_says_so(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for source in (tmp_path, tmp_path / "nowhere"):
        said = refused(capsys, "export", what, source, "--out", tmp_path / "x")
        assert f"{source}: expected a" in said
        assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("what", ALL)
def test_an_export_to_nowhere_says_so(tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "export", what, tmp_path, "--out", tmp_path / "nowhere" / "x")
    assert f"{tmp_path / 'nowhere'}: expected a folder that exists" in said
    assert "got a folder" in refused(capsys, "export", what, tmp_path, "--out", tmp_path)


@pytest.mark.parametrize(
    ("platform", "said"), [("", "came from a plain folder"), ("blackboard", "came from Blackboard")]
)
def test_a_zip_of_feedback_is_for_platforms_that_take_it(
    tmp_path: Path, platform: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "grades.csv").write_text(GRADES.format(platform=platform, source="a"))
    assert said in refused(capsys, "export", "feedback", tmp_path, "--out", tmp_path / "f.zip")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "rubric.yaml"),
        ("a: [", "rubric.yaml:1:"),
        ("nonsense: true", "rubric.yaml:1:1: "),
    ],
)
def test_an_autograder_needs_a_rubric_that_is_right(
    tmp_path: Path, text: str | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rubric = tmp_path / "rubric.yaml"
    if text is not None:
        rubric.write_text(text)
    arguments = ("--out", tmp_path / "a.zip", "--rubric", rubric)
    assert main(["export", "gradescope", *map(str, arguments)]) == 1
    first = capsys.readouterr().err.splitlines()[0]  # the line of the rubric may follow, with a mark
    assert first.startswith("grader: ")
    assert said in first
    assert not (tmp_path / "a.zip").exists()


@pytest.mark.parametrize(
    ("command", "where", "said"),
    [
        (("show",), "nowhere", "nothing is there"),
        (("show",), "", "a class: name one submission, such as"),
        (("show",), "empty", "expected a folder that grader grade or batch wrote"),
        (("show",), "README.md", "found something else"),
        (("show",), "list.json", "with schema 1"),
        (("show",), "half.json", "expected a whole results.json"),
        (("export", "--out", "x", "gradescope"), "", "a class: name one submission, such as"),
        (("show",), "odd.json", "expected a whole results.json"),
        (("export", "--out", "x", "junit"), "odd", "expected a whole results.json"),
        (("diff", "a"), "odd", "expected a whole results.json"),
        (("diff", "a"), "nowhere", "expected a folder of results"),
        (("diff", "a"), "README.md", "found something else"),
        (("diff", "a"), "", "holds those of a class"),
    ],
)
def test_what_is_no_result_is_named_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    where: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "empty"):
        Path(folder).mkdir()
    Path("a/results.json").write_text(json.dumps(results(check("a", "passed"))))
    Path("README.md").write_text("# No JSON")
    Path("list.json").write_text("[]")
    odd = json.dumps(results(check("a", "passed", score="five")))
    Path("odd").mkdir()
    for path in ("odd.json", "odd/results.json"):
        Path(path).write_text(odd)
    Path("half.json").write_text('{"schema": 1, "score": 3}')
    assert said in refused(capsys, *command, where or ".")
