"""What is compiled ahead is what a child would compile; and where that goes wrong, a child does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from grader.inside import files, turns
from grader.inside.files import MOST_BYTES, compiled_ahead

pytestmark = pytest.mark.processes

LOOP = b"def walk(cells):\n    for cell in cells:\n        yield [c for c in cell]\n"
LATIN = "# coding: latin-1\nname = 'größe'\n".encode("latin-1")


@pytest.mark.parametrize("content", [b"", LOOP, LOOP.replace(b"\n", b"\r\n"), LATIN])
def test_it_is_what_a_child_would_compile(content: bytes) -> None:
    codes = compiled_ahead({"solvers/a.py": content})
    text = content.decode("latin-1").replace("\r\n", "\n")
    assert codes == {("/submission/solvers/a.py", content): turns.compiled(text, "/submission/solvers/a.py")}


@pytest.mark.parametrize(
    "content",
    [b"def", b"x = '\\d'", b"\x80", b"(" * 150 + b")" * 150 + b"-", b"-" * 50_000 + b"1", b"#" * MOST_BYTES],
    ids=lambda content: repr(content[:20]),
)
def test_a_child_is_left_to_say_what_is_wrong(content: bytes) -> None:
    codes = compiled_ahead({"a.py": content, "b.py": b"x = 1", "c.txt": b"x = 1"})
    assert [*codes] == [("/submission/b.py", b"x = 1")]


@pytest.mark.parametrize(
    "trouble", [lambda *_: os._exit(3), lambda *_: time.sleep(600)], ids=["exits", "sleeps"]
)
def test_trouble_leaves_nothing(monkeypatch: pytest.MonkeyPatch, trouble: Callable[..., None]) -> None:
    started = []

    def fork(original: Callable[[], int] = os.fork) -> int:
        started.append(original())
        return started[-1]

    monkeypatch.setattr(files, "_code", trouble)
    monkeypatch.setattr(files, "_WALL_SECONDS", 0.5)
    monkeypatch.setattr(os, "fork", fork)
    assert compiled_ahead({"a.py": b"x = 1"}) == {}
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], os.WNOHANG)
