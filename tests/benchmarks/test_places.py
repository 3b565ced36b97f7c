"""How often a place is right: the counting, on one submission and on one fault."""

from __future__ import annotations

import ast

import pytest

from benchmarks import places
from benchmarks.faults import OPERATORS, faults_of

TEXT = """
class A:
    def solve(self, maze):
        count = 0
        for move in maze.moves:
            count += len(move)
            if move and count > 3:
                self.note(move)
                self.kept[move] = max(count, move)
        return count + 1
"""

pytestmark = pytest.mark.usefixtures("_untraced")


def test_each_operator_puts_a_fault_at_its_line() -> None:
    faults = list(faults_of(TEXT))
    assert {fault.operator for fault in faults} == OPERATORS.keys() - {"cut short"}
    for fault in faults:
        ast.parse(fault.text)
        before, after = (text.split("\n") for text in (TEXT, fault.text))
        assert [n for n, line in enumerate(before, start=1) if line != after[n - 1]] == [fault.line]


def test_the_corpus_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert places.main(["corpus", "bfs-pop-instead-of-popleft"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:5] == ["bfs-pop-instead-of-popleft", "bfs", "bfs.last-found", "11", "end"]
    assert ["all", "1", "1", "1"] in [line.split() for line in lines]


def test_faults_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert places.main(["faults", "--count", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["wrong", "exact", "within", "2", "astray", "silent"]
    assert lines[1].split()[0] == "all"
