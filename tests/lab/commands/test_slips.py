"""Files that are not there, and methods that return nothing."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from lab.commands.slips import find_misplaced_file, find_missing_return
from lab.exercises import BY_ID

GENERATOR = BY_ID["generator"]
NOTHING = """\
class MyGenerator:
    def generate(self, factory, dimension):
        self.made = factory.fully_connected(dimension)
"""


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        (NOTHING, True),
        (NOTHING + "        return\n", True),
        (NOTHING.replace("self.made =", "return"), False),
        (NOTHING + "        def walk():\n            return 1\n", False),
        (NOTHING + "\nclass Other:\n    def generate(self):\n        return 1\n", True),
        (NOTHING.replace("def generate", "def make"), False),
        ("class MyGenerator(", False),
    ],
)
def test_a_method_without_a_return_is_told(code: str, is_told: bool, tmp_path: Path) -> None:
    module = ModuleType("my_generator")
    module.__file__ = str(tmp_path / "my_generator.py")
    (tmp_path / "my_generator.py").write_text(code, encoding="utf-8")
    slip = find_missing_return(module, GENERATOR)
    assert (slip is not None) is is_told
    if slip is not None:
        assert slip.sentence == "no line of generate returns it"
        assert slip.place.splitlines()[0] == f'  File "{GENERATOR.file}", line 2'


def test_a_file_that_is_gone_says_nothing(tmp_path: Path) -> None:
    module = ModuleType("my_generator")
    module.__file__ = str(tmp_path / "my_generator.py")
    assert find_missing_return(module, GENERATOR) is None


def test_a_file_that_is_not_there_is_told_with_the_one_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "generators").mkdir()
    assert find_misplaced_file(tmp_path, GENERATOR) == f"there is no {GENERATOR.file} in {tmp_path}"
    (tmp_path / "My_Generator.py").touch()
    meant = f"but My_Generator.py: is {GENERATOR.file} meant?"
    assert find_misplaced_file(tmp_path, GENERATOR) == f"there is no {GENERATOR.file} in {tmp_path}, {meant}"
    (tmp_path / GENERATOR.file).mkdir()
    told = f"{GENERATOR.file} in {tmp_path} is a folder: expected a file of that name"
    assert find_misplaced_file(tmp_path, GENERATOR) == told
