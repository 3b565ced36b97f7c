"""Submissions that are alike."""

from __future__ import annotations

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
