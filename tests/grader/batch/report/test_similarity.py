"""Submissions that are alike."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest

from grader.batch.report import similarity
from grader.batch.report.similarity import Alike, Pair, pairs_of
from tests.submissions.loader import Case


def codes(*names: str) -> list[tuple[str, bytes]]:
    found = []
    for name in names:
        files = sorted(Case("right", name).files().items())
        found.append((name, b"\n".join(content for path, content in files if path.endswith(".py"))))
    return found


def test_a_copy_with_other_names_is_seen_and_the_given_code_is_not() -> None:
    base = codes("dfs-own-stack", "bfs-by-levels", "dijkstra-heap-counter", "perfection-union-find")
    _, code = codes("dijkstra-heap-counter")[0]
    copy = code.replace(b"heap", b"pile").replace(b"position", b"place")
    pairs = pairs_of([*base, ("copy", copy)]).pairs
    assert ("copy", "dijkstra-heap-counter") in {(pair.one, pair.other) for pair in pairs}
    assert pairs_of([("template", b""), ("empty", b"\xff\x00(")]) == Alike()


def test_blank_lines_neither_hide_a_copy_nor_take_time() -> None:
    base = codes("dfs-own-stack", "bfs-by-levels", "dijkstra-heap-counter", "perfection-union-find")
    _, code = codes("dijkstra-heap-counter")[0]
    copy = b"\n ".join([b""] * 20_000) + code.replace(b"\n", b"  \n\t\n\n")
    (pair,) = [pair for pair in pairs_of([*base, ("copy", copy)]).pairs if pair.one == "copy"]
    assert pair == Pair("copy", "dijkstra-heap-counter", 1.0)


@pytest.mark.parametrize("unit", ["'\\N{", "\\N{", "'", '"""', "\\\n", " ", "((", "\x0b", "\u2028", "\r"])
def test_the_lexer_is_given_nothing_that_it_takes_long_for(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither long lines nor blank ones: some take it time that grows with the square of their length."""
    read: list[str] = []

    def lexer(_name: str, *_: object, fp: io.StringIO, **__: object) -> Any:
        read.append(fp.read())
        return SimpleNamespace(hashes=[])

    monkeypatch.setattr(similarity, "import_module", lambda _: SimpleNamespace(CodeFingerprint=lexer))
    similarity._document(b"x = 1\n" + (unit * 60_000).encode() + b"\ny = 2\n")
    (text,) = read
    lines = text.split("\n")
    assert max(map(len, lines)) <= 1000
    assert all(lines[:-1])
    assert (lines[0], lines[-2]) == ("x = 1", "y = 2")
