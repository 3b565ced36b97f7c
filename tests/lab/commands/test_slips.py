"""Classes, methods and files that are not there, parameters, and methods that return nothing."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from lab.commands.slips import (
    find_misplaced_file,
    find_missing_return,
    find_misspelt_name,
    find_wrong_parameters,
)
from lab.exercises import BY_ID

GENERATOR, DFS = BY_ID["generator"], BY_ID["dfs"]
NOTHING = """\
class MyGenerator:
    def generate(self, factory, dimension):
        self.made = factory.fully_connected(dimension)
"""
BASE = "class Base:\n    def solve(self, maze, search): ...\n"
WRAPPED = """
def once(function): return lambda *given: function(*given)
class DFS:
    def solve(maze): ...
    solve = once(solve)
"""


def loaded(folder: Path, code: str) -> ModuleType:
    """A module of this code, in a file."""
    file = folder / "own.py"
    file.write_text(code, encoding="utf-8")
    module = ModuleType("own")
    module.__file__ = str(file)
    exec(compile(code, file, "exec"), vars(module))  # noqa: S102 - the code of this test
    return module


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        (NOTHING, True),
        (NOTHING + "        return\n", True),
        (NOTHING.replace("self.made =", "return"), False),
        (NOTHING + "        def walk():\n            return 1\n", False),
    ],
)
def test_a_method_without_a_return_is_told(code: str, is_told: bool, tmp_path: Path) -> None:
    slip = find_missing_return(loaded(tmp_path, code), GENERATOR)
    assert (slip is not None) is is_told
    if slip is not None:
        assert slip.sentence == "no line of generate returns it"
        assert slip.place.splitlines()[0] == f'  File "{GENERATOR.file}", line 2'


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1", "solvers/dfs.py has no DFS."),
        ("class DFS: ...", "DFS has no method solve."),
        ("class DFS:\n    def solve(maze, search): ...", "solve of DFS (line 2) lacks its first parameter: "),
        ("class DFS:\n    def solve(): ...", "solve of DFS (line 2) takes (): it is called with self"),
        (f"{BASE}class DFS(Base): ...", None),
        ("class DFS:\n    def solve(self, maze, search, deep=0): ...", None),
        ("class DFS:\n    solve = staticmethod(print)", None),
        (WRAPPED, None),
    ],
)
def test_what_is_called_otherwise_is_told_before_it_is_called(
    code: str, said: str | None, tmp_path: Path
) -> None:
    module = loaded(tmp_path, code)
    slip = find_misspelt_name(module, DFS) or find_wrong_parameters(module, DFS)
    assert (slip is None) if said is None else slip is not None and slip.sentence.startswith(said)


def test_a_file_that_is_not_there_is_told_with_the_one_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "generators").mkdir()
    assert find_misplaced_file(tmp_path, GENERATOR) == f"there is no {GENERATOR.file} in {tmp_path}"
    (tmp_path / "My_Generator.py").touch()
    meant = f"but My_Generator.py: is {GENERATOR.file} meant?"
    assert find_misplaced_file(tmp_path, GENERATOR) == f"there is no {GENERATOR.file} in {tmp_path}, {meant}"
    (tmp_path / GENERATOR.file).mkdir()
    told = f"{GENERATOR.file} in {tmp_path} is a folder: expected a file of that name"
    assert find_misplaced_file(tmp_path, GENERATOR) == told
