"""``grader verify``: what the tests are worth, told by a bank of submissions whose worth is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli import main
from grader.course.plan import Plan, load_plan
from grader.verification.bank import Graded, KnownSubmission
from grader.verification.findings import Claimed, Loss, find, format_findings


def graded(known: KnownSubmission, lost: dict[str, tuple[str, ...]], mazes: dict[str, list[str]]) -> Graded:
    scores = {id_: (10.0 if lost.get(id_) else 20.0, 20.0) for id_ in ("dfs", "bfs")}
    if known.earns_nothing:
        scores = {"dfs": (0.0, 20.0), "bfs": (3.0, 20.0)}
    messages = {check: "it went wrong" for checks in lost.values() for check in checks}
    margin = {"dfs": {"case": "a room", "seconds": 0.5, "limit": 5.0}}
    return Graded(known, scores, lost, messages, mazes, margin)


DRAWN = "maze: |\n  +-+-+\n  |S E|\n  +-+-+\n", "maze: |\n  +-+-+\n  |E S|\n  +-+-+\n"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Three checks, and two hidden mazes: one that names a mistake by id, and one that does not."""
    (tmp_path / "mazes").mkdir()
    names = (("Comb", "[dfs.west-first, dfs.first-found]"), ("Spiral", "a solver without an end"))
    for (name, catches), drawn in zip(names, DRAWN, strict=True):
        head = f"name: {name}\ncatches: {catches}\nvisibility: hidden\n"
        (tmp_path / "mazes" / f"{name}.yaml").write_text(head + drawn)
    checks = "{dfs: {checks: {dfs.valid-path: 50, dfs.hidden-mazes: 10}}, bfs: {checks: {bfs.shortest: 40}}}"
    (tmp_path / "rubric.yaml").write_text(f"title: Lab\nexamples: 2\nexercises: {checks}\n")
    return load_plan(tmp_path / "rubric.yaml")


def wrong(name: str, exercise: str = "dfs", *mistakes: str, may_lose: str = "") -> KnownSubmission:
    return KnownSubmission(
        *(f"wrong--{name}", {}, frozenset({exercise}), frozenset(filter(None, [may_lose]))),
        mistakes=frozenset(mistakes),
    )


def test_what_each_test_caught_and_whom_it_wronged(plan: Plan) -> None:
    found = find(
        [
            graded(KnownSubmission("right--one", {}), {}, {}),
            graded(
                KnownSubmission("right--two", {}), {"bfs": ("bfs.shortest",)}, {"bfs.shortest": ["Spiral"]}
            ),
            graded(wrong("one"), {"dfs": ("dfs.hidden-mazes",)}, {"dfs.hidden-mazes": ["Comb"]}),
            graded(
                wrong("two", "dfs", "dfs.west-first"),
                {"dfs": ("dfs.valid-path", "dfs.hidden-mazes")},
                {"dfs.hidden-mazes": ["Comb", "Spiral"]},
            ),
            graded(wrong("three", may_lose="bfs"), {}, {}),
            graded(KnownSubmission("template", {}, earns_nothing=True), {}, {}),
        ],
        plan,
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
    assert found.claims == [Claimed("Comb", "dfs.west-first", 1, 1), Claimed("Comb", "dfs.first-found", 0, 0)]
    told = format_findings(found)
    assert told.endswith("The tests are not sound.")
    assert "Comb  dfs.west-first: 1 of 1\n" in told
    assert "Comb  dfs.first-found: 0 of 0  no submission has it\n" in told


@pytest.mark.processes
def test_the_command_says_what_the_tests_are_worth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mazes").mkdir()
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text("title: Lab\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 100}}}\n")
    asked = ["--rubric", str(rubric), "--sandbox", "process", "--quiet", "--jobs", "1"]
    asked += ["--out", str(tmp_path / "out")]
    some = [part for name in ("reference", "template", "wrong--dfs-w*") for part in ("--only", name)]
    report, page = tmp_path / "found.json", tmp_path / "found.html"
    assert main(["verify", *asked, *some, "--json", str(report), "--html", str(page)]) == 1
    told = capsys.readouterr().out
    assert "wrong--dfs-west-first-search lost nothing in dfs" in told
    assert "The tests are not sound." in told
    assert json.loads(report.read_text())["sound"] is False
    assert "<h1>The tests are not sound</h1>" in page.read_text()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("results.json")}
    assert before
    assert main(["verify", *asked, *some]) == 1
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("results.json")} == before


@pytest.mark.processes
def test_a_new_maze_is_weighed_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--sandbox", "process", "--quiet", "--jobs", "1", "--out", str(tmp_path / "out")]
    maze = tmp_path / "fork.yaml"
    drawing = "maze: |\n  +-+-+-+\n  |  S E|\n  +-+-+-+\n"
    maze.write_text(f"name: Fork\ncatches: a solver that goes West first\nvisibility: hidden\n{drawing}")
    names = ("reference", "wrong--dfs-west-first-search", "wrong--search-forgets-the-move")
    some = [part for name in names for part in ("--only", name)]
    assert main(["verify", "--maze", str(maze), *some, *asked]) == 0
    told = capsys.readouterr().out
    assert "Fork: asked by dfs.hidden-mazes, bfs.hidden-mazes, dijkstra.hidden-mazes" in told
    assert "  dfs             1 of 1" in told
    assert told.endswith("No right work is punished.\n")
    maze.write_text(
        maze.read_text().replace("S E", "E S").replace("a solver that goes West first", "dfs.west-first")
    )
    assert main(["verify", "--maze", str(maze), *some, *asked]) == 1
    assert "  Fork  dfs.west-first: 0 of 1  not true\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lost", "share", "told"),
    [
        (1.0, 0.8, "wrong on most cases, and loses less than half"),
        (10.0, 0.8, ""),
        (15.0, 0.05, "wrong on few cases, and loses more than a third"),
        (6.0, 0.05, ""),
        (1.0, 0.3, ""),
        (1.0, None, ""),
    ],
)
def test_a_loss_is_in_proportion_to_how_much_is_wrong(lost: float, share: float | None, told: str) -> None:
    assert Loss("wrong--a", "dfs", lost, 20.0, share).out_of_proportion == told
