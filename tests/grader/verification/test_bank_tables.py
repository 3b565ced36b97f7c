"""The tables of a bank: what is wrong in one is told with its place, and nobody is graded."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from grader.errors import InputError
from grader.verification.bank import load_bank


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


def test_a_submission_may_be_edits_of_a_file(bank: Path) -> None:
    (bank / "wrong.yaml").write_text("dfs-y: {dfs: {}}\n")
    (bank / "wrong" / "edits.yaml").write_text(
        "../base/solvers/dfs.py:\n  dfs-y:\n  - [class, 'import os\n\n    class']\n  - [..., pass]\n"
    )
    assert load_bank(bank)[-1].files == {"solvers/dfs.py": b"import os\nclass DFS: pass\n"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x.py: {dfs-y: [[z, s]]}",
            ":1:16: x.py.dfs-y: expected an old text that stands in the file once, got one",
        ),
        ("x.py: {dfs-y: [[S]]}", ":1:16: x.py.dfs-y: expected an old text and a new one: [old, new]"),
        ("x.py: {dfs-x: []}", ":1:8: x.py: the submission is there already"),
        ("y.py: {dfs-y: []}", ":1:1: expected a text in UTF-8: [Errno 2] No such file"),
        ("x.py: {dfs-z: []}", ": dfs-z: no submission of wrong.yaml has this name"),
    ],
)
def test_edits_that_cannot_be_made_are_told_with_their_place(bank: Path, text: str, message: str) -> None:
    (bank / "wrong.yaml").write_text("dfs-y: {dfs: {}}\n")
    (bank / "wrong" / "edits.yaml").write_text(f"{text}\n")
    with pytest.raises(InputError) as caught:
        load_bank(bank)
    assert str(caught.value).startswith(f"{bank / 'wrong' / 'edits.yaml'}{message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1:1: the file is empty"),
        ("[a]", ":1:1: expected keys with values"),
        ("dfs-x: {dfs: [", ": this is no YAML"),
        ("dfs-x: it goes West", ":1:8: dfs-x: expected keys with values"),
        ("dfs-x: {description: a}", ":1:8: dfs-x: expected an exercise in which it loses points"),
        ("dfs-x: {dfs: {}, mistkae: a}", ":1:18: dfs-x: unknown key 'mistkae'; did you mean 'mistake'?"),
        ("dfs-x: {dfs: {losst: []}}", ":1:15: dfs-x.dfs: unknown key 'losst'; did you mean 'lost'?"),
        ("dfs-x: {dfs: {lost: a}}", ":1:21: dfs-x.dfs.lost: expected a list"),
        ("dfs-x: {dfs: {zero: 3}}", ":1:21: dfs-x.dfs.zero: expected one of true, false, got '3'"),
        ("dfs-x: {dfs: {}, mistake: west-frst}", ":1:27: dfs-x.mistake: unknown misconception 'west-frst'"),
        ("dfs-x: {dfs: {}, may_lose: [bsf]}", "got 'bsf'; did you mean 'bfs'?"),
        ("dfs-x: {dfs: {}, file: ../a.py}", ":1:24: dfs-x.file: expected a path inside of the submission"),
        ("dfs-x: {dfs: {}, files: {/a: b}}", "expected a path inside of the submission"),
        ("dfs-x: {dfs: {}, files: {a: [b]}}", ":1:29: dfs-x.files.a: expected a text, got a list"),
        ("dfs-x: {dfs: {}, files: {a: {base64: b}}}", "files.a.base64: expected base64, got 'b'"),
        ("dfs-x: {dfs: {}, files: {a: {start: b}}}", "the key 'fill' is missing"),
        ("dfs-x: {dfs: {}, files: {a: {start: b, fill: '', bytes: 3}}}", "expected a text to fill the file"),
        ("dfs-x: {dfs: {}, remove: [solvers/bfs.py]}", "did you mean 'solvers/dfs.py'?"),
        ("dfs-x: {dfs: {}, base: some}", ":1:24: dfs-x.base: expected none, got 'some'"),
        ("dfs-y: {dfs: {}}", "expected wrong/dfs-y.py, or a folder wrong/dfs-y, got nothing that differs"),
        ("x: {dfs: {}, bfs: {}}", ":1:4: x: expected the key file"),
        ("../x: {dfs: {}}", ":1:1: expected a name of letters, digits and hyphens, got '../x'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(bank: Path, text: str, message: str) -> None:
    (bank / "wrong.yaml").write_text(f"{text}\n")
    with pytest.raises(InputError) as caught:
        load_bank(bank)
    assert str(caught.value).startswith(f"{bank / 'wrong.yaml'}:")
    assert message in str(caught.value)


def test_a_right_submission_loses_nowhere(bank: Path) -> None:
    (bank / "right.yaml").write_text("plain: {dfs: {}}\n")
    with pytest.raises(InputError, match=r"right\.yaml:1:9: plain: unknown key 'dfs'"):
        load_bank(bank)


def test_the_command_tells_it_and_ends(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bank / "wrong.yaml").write_text("")
    assert main(["verify", "--bank", str(bank)]) == 1
    assert capsys.readouterr().err == f"grader: {bank / 'wrong.yaml'}:1:1: the file is empty\n"
