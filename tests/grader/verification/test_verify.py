"""``grader verify``: what the tests are worth, told by a bank of submissions whose worth is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli import main
from grader.errors import InputError
from grader.verification.bank import Known, known_submissions
from grader.verification.findings import find
from grader.verification.run import Graded
from grader.verification.table import table
from tests.submissions.loader import HERE, cases

CHECKS = ("dfs.valid-path", "dfs.hidden-mazes", "bfs.shortest")


def graded(known: Known, lost: dict[str, tuple[str, ...]], mazes: dict[str, list[str]]) -> Graded:
    scores = {id_: (10.0 if lost.get(id_) else 20.0, 20.0) for id_ in ("dfs", "bfs")}
    if known.earns_nothing:
        scores = {"dfs": (0.0, 20.0), "bfs": (3.0, 20.0)}
    messages = {check: "it went wrong" for checks in lost.values() for check in checks}
    margin = {"dfs": {"case": "a room", "seconds": 0.5, "limit": 5.0}}
    return Graded(known, scores, lost, messages, mazes, margin)


def test_what_each_test_caught_and_whom_it_wronged() -> None:
    found = find(
        [
            graded(Known("right--one", {}), {}, {}),
            graded(Known("right--two", {}), {"bfs": ("bfs.shortest",)}, {"bfs.shortest": ["Spiral"]}),
            graded(
                Known("wrong--one", {}, frozenset({"dfs"})),
                {"dfs": ("dfs.hidden-mazes",)},
                {"dfs.hidden-mazes": ["Comb"]},
            ),
            graded(
                Known("wrong--two", {}, frozenset({"dfs"})),
                {"dfs": ("dfs.valid-path", "dfs.hidden-mazes")},
                {"dfs.hidden-mazes": ["Comb", "Spiral"]},
            ),
            graded(Known("wrong--three", {}, frozenset({"dfs"}), frozenset({"bfs"})), {}, {}),
            graded(Known("template", {}, earns_nothing=True), {}, {}),
        ],
        CHECKS,
        ["Comb", "Spiral"],
    )
    assert (found.right, found.wrong, found.sound) == (2, 3, False)
    assert found.by_exercise == {"bfs": (0, 0), "dfs": (2, 3)}
    assert {name: (each.count, each.alone) for name, each in found.checks.items()} == {
        "dfs.valid-path": (1, 0),
        "dfs.hidden-mazes": (2, 1),
        "bfs.shortest": (0, 0),
    }
    assert {name: (each.count, each.alone) for name, each in found.mazes.items()} == {
        "Comb": (2, 1),
        "Spiral": (1, 0),
    }
    assert found.missed == ["wrong--three lost nothing in dfs", "template earned 3 in bfs"]
    assert found.punished == ["right--two lost bfs.shortest on Spiral: it went wrong"]
    assert found.margin == "right--one took 0.5 of 5 s in dfs, a room: 10%"
    assert table(found).endswith("The tests are not sound.")


def test_the_bank_is_the_corpus() -> None:
    names = {known.name for known in known_submissions(HERE)}
    corpus = {f"{case.kind}--{case.name}" for case in cases() if case.kind in ("right", "wrong")}
    assert names == {"reference", "template", *corpus}
    assert all(known.loses for known in known_submissions(HERE) if known.name.startswith("wrong--"))


def test_a_folder_that_is_no_bank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a bank with right\.yaml"):
        known_submissions(tmp_path)


def test_the_command_says_what_the_tests_are_worth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mazes").mkdir()
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text("title: Lab\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 100}}}\n")
    asked = ["--rubric", str(rubric), "--sandbox", "process", "--quiet", "--jobs", "1"]
    some = [part for name in ("reference", "template", "wrong--dfs-w*") for part in ("--only", name)]
    report = tmp_path / "found.json"
    assert main(["verify", *asked, *some, "--json", str(report)]) == 1
    told = capsys.readouterr().out
    assert "wrong--dfs-west-first-search lost nothing in dfs" in told
    assert "The tests are not sound." in told
    assert json.loads(report.read_text())["sound"] is False


def test_a_new_maze_is_weighed_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maze = tmp_path / "fork.yaml"
    drawing = "maze: |\n  +-+-+-+\n  |  S E|\n  +-+-+-+\n"
    maze.write_text(f"name: Fork\ncatches: a solver that goes West first\nvisibility: hidden\n{drawing}")
    some = ["--only", "reference", "--only", "wrong--dfs-west-first-search"]
    assert main(["verify", "--maze", str(maze), *some, "--sandbox", "process", "--quiet", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "Fork: asked by dfs.hidden-mazes, bfs.hidden-mazes, dijkstra.hidden-mazes" in told
    assert "  dfs             1 of 1" in told
    assert told.endswith("No right work is punished.\n")
