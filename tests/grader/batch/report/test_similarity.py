"""Submissions that are alike."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from grader.batch.job import code_of
from grader.batch.laid_out import as_text
from grader.batch.report import similarity
from grader.batch.report.similarity import Pair, pairs_of, shared_lines
from grader.model import Submission
from grader.shipped import template
from tests.docs.pages import ROOT
from tests.submissions.loader import Case

STYLES = ("dfs-own-stack", "bfs-by-levels", "dijkstra-heap-counter", "perfection-union-find")
Codes = list[tuple[str, bytes]]


def codes(*names: str) -> Codes:
    found = []
    for name in names:
        files = sorted(Case("right", name).files().items())
        found.append((name, b"\n".join(content for path, content in files if path.endswith(".py"))))
    return found


def own_code(name: str, lines: int) -> bytes:
    """Code that is like no other, whatever its names."""
    rng = random.Random(name)
    parts = ("+ a", "* (b, c)", "- [a]", "and {a: b}", "or not a", "% a[b]", "/ a(b)", "in {a, b, c}")
    written = (" ".join(rng.choices(parts, k=9)) for _ in range(lines))
    return "".join(f"{name}_{number} = a {line}\n" for number, line in enumerate(written)).encode()


def renamed(code: bytes) -> bytes:
    return code.replace(b"heap", b"pile").replace(b"position", b"place")


def test_a_copy_with_other_names_is_seen_and_the_given_code_is_not() -> None:
    base = codes(*STYLES)
    copy = renamed(dict(base)["dijkstra-heap-counter"])
    pairs = pairs_of([*base, ("copy", copy)])
    assert ("copy", "dijkstra-heap-counter") in {(pair.one, pair.other) for pair in pairs}
    assert pairs_of([("template", b"\n".join(template())), ("empty", b"\xff\x00(")]) == []


def test_code_that_is_given_from_now_on_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where another course of the service begins with an exercise of its own."""
    given = own_code("skeleton", 60)
    both = [("ada", given), ("bob", given)]
    assert pairs_of(both) == [Pair("ada", "bob", 1.0)]
    monkeypatch.setattr(similarity, "all_given_code", lambda: (*template(), given))
    assert pairs_of(both) == []


def test_blank_lines_neither_hide_a_copy_nor_take_time() -> None:
    base = codes(*STYLES)
    code = dict(base)["dijkstra-heap-counter"]
    copy = b"\n ".join([b""] * 20_000) + code.replace(b"\n", b"  \n\t\n\n")
    assert Pair("copy", "dijkstra-heap-counter", 1.0) in pairs_of([*base, ("copy", copy)])


def test_copies_in_many_hands_are_not_taken_for_what_is_taught() -> None:
    ((_, code),) = codes("dijkstra-heap-counter")
    copies = [(f"copy{number}", renamed(code) if number % 2 else code) for number in range(6)]
    found = pairs_of([*copies, ("other", own_code("other", 60))])
    assert {name for pair in found for name in (pair.one, pair.other)} == {name for name, _ in copies}
    assert min(pair.share for pair in found) > 0.95


def test_pairs_grow_with_the_class_and_not_with_its_square() -> None:
    copies = [(f"{name}{number:03}", own_code(name, 60)) for name in ("a", "b") for number in range(200)]
    found = pairs_of([*copies, ("other", own_code("other", 60))])
    assert len(found) == 2 * 199
    assert {(pair.one, pair.share) for pair in found} == {("a000", 1.0), ("b000", 1.0)}


def test_what_many_write_is_taught() -> None:
    taught = own_code("taught", 20)
    class_ = [(name, taught + own_code(name, 20)) for name in map(str, range(8))]
    assert pairs_of(class_) == []
    assert len(pairs_of([*class_, ("copy", class_[0][1])])) == 1


def test_earlier_work_is_compared_with_that_of_the_class_only() -> None:
    ((_, code),) = codes("dijkstra-heap-counter")
    earlier = [("2025/ada", renamed(code)), ("2025/bob", code)]
    found = pairs_of([("cleo", code)], earlier)
    assert {(pair.one, pair.other) for pair in found} == {("2025/ada", "cleo"), ("2025/bob", "cleo")}


def test_the_lines_that_both_have() -> None:
    ((_, code),) = codes("dijkstra-heap-counter")
    one = as_text(code)
    other = "import this\n" + as_text(renamed(code))
    here, there = shared_lines(one, other)
    body = next(number for number, line in enumerate(one.splitlines()) if "heappop" in line)
    assert body in here
    assert body + 1 in there
    assert 0 not in there
    assert shared_lines(one, "x = 1\n") == (frozenset(), frozenset())


@pytest.mark.parametrize(
    "unit", ["'\\N{", "\\N{", "'", '"""', "\\\n", " ", "((", "\x0b", "\u2028", "\r", f"{' ' * 2000}x\n"]
)
def test_the_lexer_is_given_nothing_that_it_takes_long_for(unit: str) -> None:
    """Neither long lines nor many blank ones: some take time that grows with the square of their length."""
    text = as_text(b"x = 1\n" + (unit * 60_000).encode()[:10_000_000] + b"\ny = 2\n")
    lines = text.split("\n")
    assert max(map(len, lines)) <= 1000
    assert all(line or following for line, following in pairwise(lines[:-1]))
    assert (lines[0], lines[-2]) == ("x = 1", "y = 2")


def indented(code: bytes) -> bytes:
    """Return code with 250 spaces for each space before a line."""
    lines = code.decode().splitlines()
    return "\n".join(" " * 249 * (len(line) - len(line.lstrip())) + line for line in lines).encode()


def on_long_lines(code: bytes) -> bytes:
    """Return code whose lines are longer than the lexer is given."""
    return code.replace(b" = ", b" = " + b" " * 1200).replace(b"(", b"( " + b" " * 1200)


@pytest.mark.parametrize("laid_out", [indented, on_long_lines])
def test_a_copy_is_found_however_it_is_laid_out(laid_out: Callable[[bytes], bytes]) -> None:
    files = Case("right", "dijkstra-heap-counter").files()
    copy = {path: laid_out(content) if path.endswith(".py") else content for path, content in files.items()}
    works = [Submission("ada", files), Submission("bob", copy)]
    (pair,) = pairs_of([(work.name, code_of(work)) for work in works])
    assert pair.share > 0.8


def test_code_is_laid_out_as_it_means() -> None:
    for path in sorted((ROOT / "lab").rglob("*.py")):
        code = path.read_bytes()
        assert ast.dump(ast.parse(as_text(code))) == ast.dump(ast.parse(code))
