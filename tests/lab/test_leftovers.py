"""What was left in code, by the lab alone; ``tests/grader/inside/test_leftovers.py`` tries it in boxes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lab.commands import student
from lab.leftovers import Leftover, Leftovers


@pytest.mark.parametrize("statement", ["import drawer as d", "from drawer import pen", "import drawer.more"])
def test_a_module_of_python_that_lacks_its_own_part_is_as_one_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    (tmp_path / "drawer").mkdir()
    (tmp_path / "drawer/__init__.py").write_text("from _drawer import pen\n")
    (tmp_path / "drawn_ways.py").write_text(f"{statement}\nclass DFS: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = str(tmp_path / "drawn_ways.py")
    leftovers = Leftovers(lambda path: "dfs.py" if path == own else None, ())
    module = leftovers.load("drawn_ways", "DFS")
    del sys.modules["drawn_ways"]
    assert leftovers.fresh() == [Leftover("absent", "drawer", "dfs.py", 1)]
    with pytest.raises(ModuleNotFoundError, match="_drawer"):
        next(value for name, value in vars(module).items() if name in ("d", "pen", "drawer"))()


PACKAGES = {
    "from .broken import BROKEN\n": (("unpacked", "SyntaxError", 1),),
    "exit()\n": (("unpacked", "SystemExit", 1),),
    "from .broken import BROKEN; from .there import there\n": (("unpacked", "SyntaxError", 1),),
    "from .gone import gone; exit()\nfrom .there import there\nlater = 1 / 0\n": (
        ("unpacked", "ModuleNotFoundError", 1),
        ("unpacked", "SystemExit", 1),
        ("unpacked", "ZeroDivisionError", 3),
    ),
    "from __future__ import annotations\n1 / 0\nday: Nowhere = 1\n": (("unpacked", "ZeroDivisionError", 2),),
    "import not_installed\n": (("absent", "not_installed", 1),),
    "def (:\n": (("unpacked", "SyntaxError", 1),),
}
"""By the text of a package's own file: what is noted of it."""


@pytest.mark.parametrize("text", PACKAGES)
def test_a_package_whose_own_file_raises_holds_its_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    files = {
        "__init__": text,
        "broken": "def (:\n",
        "there": "there = 3\n",
        "mine": "from drawn import there\n",
    }
    (tmp_path / "drawn").mkdir()
    for name, content in files.items():
        (tmp_path / f"drawn/{name}.py").write_text(content)
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    monkeypatch.syspath_prepend(tmp_path)
    leftovers = student.leftovers_of(tmp_path)
    try:
        assert vars(leftovers.load("drawn.mine", "there"))["there"] in (3, sys.modules["drawn.there"])
        found = [(left.kind, left.what, left.line) for left in leftovers.fresh()]
        with pytest.raises(SyntaxError):
            leftovers.load("drawn.broken", "broken")
    finally:
        student.forget(tmp_path)
    assert found == [*PACKAGES[text]]


def test_who_asks_a_package_for_what_did_not_come_gets_what_it_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "drawn").mkdir()
    (tmp_path / "drawn/__init__.py").write_text("from .gone import solve\n")
    (tmp_path / "drawn/mine.py").write_text("from drawn import solve\n")
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    monkeypatch.syspath_prepend(tmp_path)
    try:
        with pytest.raises(ModuleNotFoundError, match=r"drawn\.gone"):
            student.leftovers_of(tmp_path).load("drawn.mine", "solve")
    finally:
        student.forget(tmp_path)
