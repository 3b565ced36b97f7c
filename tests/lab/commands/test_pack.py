"""``maze pack``: what is in the zip, what is left out, and what the student is told."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.intake.files import Caps
from grader.sandbox.contents import sources
from lab.commands import pack, pack_warnings
from lab.commands.pack_warnings import risks
from lab.desktop import LACKING
from lab.slip_sentences import SENTENCES
from lab.template import template_folder
from tests.lab.running import maze
from tests.submissions.loader import cases

# --- pack -------------------------------------------------------------------------------------------


def test_pack_writes_the_same_bytes_again(folder: Path) -> None:
    maze(folder, "pack", "--out", "one.zip")
    os.utime(folder / "solvers/dfs.py", (0, 0))
    maze(folder.parent, "pack", "ada", "--out", "two.zip")
    assert (folder / "one.zip").read_bytes() == (folder.parent / "two.zip").read_bytes()


def test_pack_goes_on_where_a_folder_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "secret").mkdir()
    iterdir = Path.iterdir

    def refusing(path: Path) -> Iterator[Path]:
        if path.name == "secret":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    assert "Warning: left out: secret cannot be read: permission denied" in maze(folder, "pack").stdout


def test_pack_knows_what_the_grader_reads() -> None:
    caps = Caps()
    assert (caps.file_bytes, caps.total_bytes, caps.files) == (
        pack.MOST_FILE_BYTES,
        pack.MOST_BYTES,
        pack.MOST_FILES,
    )
    assert (caps.name_characters, caps.depth) == (pack.MOST_NAME_CHARACTERS, pack.MOST_DEPTH)


def test_what_came_after_the_python_that_grades_is_told_and_nothing_else() -> None:
    plain = b"from itertools import chain\n\n\ndef f(x: int) -> list[int]:\n    return [*chain([x])]\n"
    assert [*risks({"helper.py": plain})] == []
    newer = b"from itertools import batched\n\n\ndef f() -> W: ...\n\n\nW = list\n"
    assert [*risks({"helper.py": newer})] == [
        "helper.py, line 1: itertools.batched came with Python 3.12, and 3.11 grades it",
        "helper.py, line 4: the annotation W above its definition came with Python 3.14, and 3.11 grades it",
    ]


def _is_python(path: str, content: bytes) -> bool:
    """What is no Python is left out of the zip, and told."""
    try:
        ast.parse(content)
    except (SyntaxError, ValueError):
        return False
    return path.endswith(".py")


def test_what_costs_nothing_is_not_warned_of() -> None:
    files = {case.name: case.files() for case in cases("right") if "does-not-use" not in case.name}
    told = {}
    for name, found in files.items():
        python = {path: content for path, content in found.items() if _is_python(path, content)}
        told[name] = [*risks(python)]
    assert {name: found for name, found in told.items() if found} == {}


def test_parts_of_the_lab_that_are_there_when_work_is_graded_are_no_risk() -> None:
    real = [path for path, code in sources().items() if path.startswith("lab/") and b"absent" not in code]
    there = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in real}
    inside = "desktop half_loaded identities luck noted render steps suggestion waits watch"
    assert there - {f"lab.{name}" for name in inside.split()} == pack_warnings._GRADED_WITH


@pytest.mark.parametrize("language", ["", ".de", ".nb"])
def test_the_handout_names_no_module_as_lacking_that_is_there(language: str) -> None:
    text = (template_folder() or Path()) / f"README{language}.md"
    named = re.search(r"`asyncio`(?:,\s`\w+`)+", text.read_text(encoding="utf-8"))
    assert named is not None
    assert set(re.findall(r"\w+", named[0])) <= {each for modules in LACKING.values() for each in modules}


def test_what_exceptions_are_said_to_lack_is_what_is_lacking() -> None:
    assert all(f"no {each}" in SENTENCES["system_not_there"] for each in LACKING)
