"""What was left in code, by the lab alone; ``tests/grader/inside/test_leftovers.py`` tries it in boxes."""

from __future__ import annotations

import grp
import os
import pwd
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from grader.session.trials import ANSWERS
from lab.commands import student
from lab.desktop import KeptFiles
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


@pytest.mark.parametrize("charged", [False, True])
def test_the_kit_hears_of_the_same_desktop_as_every_box(tmp_path: Path, *, charged: bool) -> None:
    """What is asked here, tests/grader/sandbox/test_secrets.py asks in boxes."""
    file = str(tmp_path / "asks.py")
    leftovers = Leftovers({file: "asks.py"}.get, (), folder=str(tmp_path))
    modules = "datetime getpass locale multiprocessing os pathlib platform pwd shutil socket zoneinfo"
    names = {name: __import__(name) for name in modules.split()} | {"__file__": file}
    before = dict(os.environ), os.getuid(), signal.signal, open
    with leftovers.passing_over(charged=charged):
        heard = {question: eval(compile(question, file, "eval"), names) for question in ANSWERS}  # noqa: S307
    assert heard == ANSWERS
    assert before == (dict(os.environ), os.getuid(), signal.signal, open)
    assert [*tmp_path.iterdir()] == []
    told = {(left.kind, left.what) for left in leftovers.fresh()}
    passed = {("passed", name) for name in ("locale.setlocale", "signal.signal", "os.mkdir")}
    assert told == {*passed, ("kept", "open")}


def test_files_are_kept_as_open_would_keep_them() -> None:
    kept = KeptFiles()
    for mode, written, holds in (("w", "a\n", "a\n"), ("a", "b", "a\nb"), ("w+", "c", "c")):
        with kept.open("there", mode) as file:
            print(written, end="", file=file, flush=True)
            assert kept.open("there").read() == holds
        assert kept.open("there", "rb").read() == holds.encode()
    with pytest.raises(FileExistsError):
        kept.open("there", "x")


def test_other_files_are_opened_as_ever_and_who_is_not_there_is_not_found(tmp_path: Path) -> None:
    other, file = tmp_path / "other", str(tmp_path / "own" / "asks.py")
    leftovers = Leftovers({file: "asks.py"}.get, (), folder=str(tmp_path / "own"))
    run = partial(eval, compile("use(path)", file, "eval"))
    with leftovers.passing_over():
        run({"use": lambda path: path.write_text(""), "path": other})
        run({"use": os.mkdir, "path": tmp_path / "made"})
        run({"use": leftovers.beside, "path": 3})
        with pytest.raises(KeyError, match="nobody"):
            pwd.getpwnam("nobody")
        assert (grp.getgrnam("student").gr_gid, pwd.getpwuid(0).pw_name) == (1000, "root")
    assert {path.name for path in tmp_path.iterdir()} == {"other", "made"}
    assert leftovers.fresh() == []
