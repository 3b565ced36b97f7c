"""Mutants: code that is right but for one small change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.cli import main
from grader.course.plan import Plan
from grader.verification.bank import Graded, Grading, KnownSubmission
from grader.verification.survivors import make_mutants
from lab.exercises import BY_ID, FILES

SOURCE = '''
class BFS:
    """A docstring stays as it is."""

    def solve(self, maze, search):
        cell = maze.entry
        if cell == 1 and True:
            return list(search.first_pending())
        return None
'''
FILE = BY_ID["bfs"].file


def known(source: str) -> KnownSubmission:
    return KnownSubmission("right--one", {**dict.fromkeys(FILES, b""), FILE: source.encode()})


def test_each_mutant_differs_in_one_place() -> None:
    mutants = make_mutants([known(SOURCE)], 100)
    texts = [mutant.files[FILE].decode() for mutant in mutants]
    assert len(set(texts)) == len(texts) == len({mutant.name for mutant in mutants})
    assert all(mutant.loses == {"bfs"} for mutant in mutants)
    assert SOURCE.replace("first_pending", "last_pending") in texts
    assert SOURCE.replace("and", "or") in texts
    assert SOURCE.replace("return None", "return []") in texts


def test_the_same_ones_are_drawn_each_time_and_no_file_is_changed_twice() -> None:
    twice = [known(SOURCE), KnownSubmission("right--two", known(SOURCE).files)]
    assert make_mutants(twice, 5) == make_mutants(twice, 5)
    assert len(make_mutants(twice, 100)) == len(make_mutants(twice[:1], 100))
    assert make_mutants([KnownSubmission("wrong", known(SOURCE).files, frozenset({"bfs"}))], 9) == []
    assert make_mutants([known("this is no Python")], 9) == []


def test_the_command_names_what_no_test_catches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of three mutants the first is caught, the second only on something small, and the third never."""

    def grade(_: Grading, some: Sequence[KnownSubmission], plan: Plan, name: str) -> list[Graded]:
        (exercise,) = plan.exercises
        assert {"mutants": 1, "small": len(exercise.checks)}[name] == len(exercise.checks)
        assert name == "mutants" or sum(len(check.cases) for check in exercise.checks) > 1000
        return [graded(known, int(known.name.rpartition("-")[2]) % 3, name) for known in some]

    def graded(known: KnownSubmission, kind: int, name: str) -> Graded:
        is_caught = kind == {"mutants": 0, "small": 1}[name]
        lost: dict[str, tuple[str, ...]] = {"bfs": ("bfs.shortest",) if is_caught else ()}
        return Graded(known, {"bfs": (0.0, 1.0)}, lost, {"bfs.shortest": "it went wrong"}, {}, {})

    monkeypatch.setattr(Grading, "grade", grade)
    (tmp_path / "mazes").mkdir()
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text("title: Lab\nexamples: 2\nexercises: {bfs: {checks: {bfs.unchanged: 100}}}\n")
    asked = ["--rubric", str(rubric), "--only", "reference", "--sandbox", "process", "--quiet"]
    assert main(["verify", "--mutants", "9", *asked, "--json", str(tmp_path / "found.json")]) == 1
    told = capsys.readouterr().out
    assert "Survived, and wrong on something small: holes in the tests: 3" in told
    assert told.count("bfs.shortest: it went wrong") == 3
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["by_exercise"]["bfs"] == [3, 3, 9]
    assert (len(found["equivalent"]), len(found["survivors"]), found["sound"]) == (3, 3, False)
