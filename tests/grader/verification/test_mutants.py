"""Mutants: code that is right but for one small change."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from grader.cli import main
from grader.verification.bank import SHIPPED, KnownSubmission, load_bank
from grader.verification.mutants import make_mutants
from lab.exercises import BY_ID, EXERCISES, FILES

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
    before = ast.unparse(ast.parse(SOURCE)).splitlines()
    for text in texts:
        after = text.splitlines()
        assert len(after) == len(before)
        assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
        assert before[1] == after[1]
    operators = {mutant.name.split("-")[-2] for mutant in mutants}
    assert operators == {
        "compare", "junction", "constant", "negation", "deletion", "twin", "unwrapping", "return",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "operator", "mutant"),
    [
        ("for m in moves:\n    go(m)", "turned", "for m in reversed(list(moves)):\n    go(m)"),
        ("record(cell, move, end)", "swapped", "record(move, cell, end)"),
        ("if a:\n    b()\nelse:\n    c()", "else", "if a:\n    b()"),
        ("while True:\n    break\nelse:\n    c()", "else", "while True:\n    break"),
    ],
)
def test_loops_arguments_and_branches_change_too(line: str, operator: str, mutant: str) -> None:
    found = {one.name.split("-")[-2]: one.files[FILE].decode() for one in make_mutants([known(line)], 100)}
    assert found[operator] == mutant


def test_the_bank_that_ships_gives_more_than_a_thousand() -> None:
    bank = [one for one in load_bank(SHIPPED) if one.name.startswith(("reference", "right--d"))]
    mutants = make_mutants(bank, 1000)
    assert len({one.name for one in mutants}) == 1000
    assert {next(iter(one.loses)) for one in mutants} == {each.id for each in EXERCISES}


def test_the_same_ones_are_drawn_each_time_and_no_file_is_changed_twice() -> None:
    twice = [known(SOURCE), KnownSubmission("right--two", known(SOURCE).files)]
    assert make_mutants(twice, 5) == make_mutants(twice, 5)
    assert len(make_mutants(twice, 100)) == len(make_mutants(twice[:1], 100))
    assert make_mutants([KnownSubmission("wrong", known(SOURCE).files, frozenset({"bfs"}))], 9) == []
    assert make_mutants([known("this is no Python")], 9) == []


def test_the_command_names_what_no_test_catches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mazes").mkdir()
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text("title: Lab\nexamples: 5\nexercises: {bfs: {checks: {bfs.no-way: 100}}}\n")
    asked = ["--rubric", str(rubric), "--only", "reference", "--sandbox", "process", "--quiet", "--jobs", "1"]
    asked += ["--out", str(tmp_path / "out"), "--json", str(tmp_path / "found.json")]
    assert main(["verify", "--mutants", "40", *asked]) == 1
    told = capsys.readouterr().out
    assert "Survived, and wrong on something small: holes in the tests: " in told
    found = json.loads((tmp_path / "found.json").read_text())
    caught, equivalent, count = found["by_exercise"]["bfs"]
    assert count == caught + equivalent + len(found["survivors"])
    assert (len(found["equivalent"]), found["sound"]) == (equivalent, False)
    assert min(caught, equivalent, len(found["survivors"])) > 0
