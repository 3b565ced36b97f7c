"""The tables of a bank. What is said of mistakes in one: tests/golden/refusals/banks."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.verification.bank import SHIPPED, load_bank
from lab.exercises import EXERCISES, SOLVER_IDS
from tests.submissions.loader import cases


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    (tmp_path / "base" / "solvers").mkdir(parents=True)
    (tmp_path / "base" / "solvers" / "dfs.py").write_text("class DFS: ...\n")
    (tmp_path / "right.yaml").write_text("plain: the base itself\n")
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "dfs-x.py").write_text("class DFS: pass\n")
    (tmp_path / "wrong" / "x.py").write_text("class DFS: pass\n")
    return tmp_path


def test_an_entry_says_what_is_handed_in_and_where_it_loses(bank: Path) -> None:
    more = "files: {a.txt: '1 ', b: {base64: YQ==}, c: {start: x, fill: ab, bytes: 4}}"
    (bank / "wrong.yaml").write_text(
        f"dfs-x: {{dfs: {{status: failed, zero: true}}, mistake: west-first, may_lose: [bfs], {more}}}\n"
    )
    *_, right, wrong = load_bank(bank)
    assert right.files == {"solvers/dfs.py": b"class DFS: ...\n"}
    assert wrong.name == "wrong--dfs-x"
    assert (wrong.loses, wrong.may_lose) == (frozenset({"dfs"}), frozenset({"bfs"}))
    assert wrong.mistakes == {"dfs.west-first"}
    assert wrong.files == {"solvers/dfs.py": b"class DFS: pass\n", "a.txt": b"1 ", "b": b"a", "c": b"xaba"}


def test_only_what_differs_from_the_base_is_graded() -> None:
    bank = {known.name: known for known in load_bank(SHIPPED)}
    assert bank["wrong--dfs-west-first-search"].exercises == {"dfs"}
    assert bank["wrong--search-one-less"].exercises == {"search", *SOLVER_IDS}
    assert bank["right--plain"].exercises == bank["reference"].exercises == {each.id for each in EXERCISES}
    assert bank["right--other-layout"].exercises == bank["reference"].exercises
    assert bank["wrong--dfs-west-first-search"].mistakes == {"dfs.west-first"}
    assert all(known.loses | known.may_lose <= known.exercises for known in bank.values())


def test_the_bank_is_the_corpus() -> None:
    names = {known.name for known in load_bank(SHIPPED)}
    corpus = {f"{case.kind}--{case.name}" for case in cases() if case.kind in ("right", "wrong")}
    assert names == {"reference", "template", *corpus}
    assert all(known.loses for known in load_bank(SHIPPED) if known.name.startswith("wrong--"))
