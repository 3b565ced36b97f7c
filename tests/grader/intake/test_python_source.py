"""Python with a slip in it is graded as what it evidently defines; long texts cost next to nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake import read_submission
from grader.intake.names import Source, is_text_encoding, parse_source
from grader.intake.notebooks import is_exported, read_notebook
from grader.model import Limits
from grader.reader import Reader
from lab.exercises import BY_NAME, FILES
from tests.grader.intake.shapes import RIGHT, as_file, as_zip, notebook, one_file
from tests.grader.words import english

SLIP = b'\nprint("done"\n'
DFS = "solvers/dfs.py"
RIGHT_BUT_DFS = {path: content for path, content in RIGHT.items() if path != DFS}

EVIDENT = {
    "a bracket that stays open": "class DFS(Solver):\n    def solve(self, maze, search):\n        f(\n",
    "no colon after the class": "class DFS(Solver)\n    def solve(self, maze, search):\n        pass\n",
    "no bracket after the base": "class DFS(Solver:\n    def solve(self, maze, search):\n        pass\n",
    "no colon after the method": "class DFS:\n    def solve(self, maze, search)\n        return []\n",
    "nothing is indented": "class DFS(Solver):\ndef solve(self, maze, search):\nreturn []\n",
    "arguments below each other": "class DFS:\n    def solve(\n        self, maze\n    ):\n        f(\n",
    "a comment behind": "class DFS(Solver):  # as: mine\n    async def solve(self):\n        f(\n",
    "static": "class DFS:\n    @staticmethod\n    def solve(maze, search):  # mine\n        f(\n",
    "line ends of Windows": "class DFS:\r\n    def solve(self):\r\n        f(\r\n",
}
NO_PYTHON = {
    "prose": "I wrote the class DFS, which\nclass BFS\nderives from. To define self, use def.\n",
    "prose with a heading": "class DFS:\n    goes depth first, def solve (north first) being what I wrote\n",
    "Java": "class DFS extends Solver {\n    List<Vector> solve(Maze maze) { return null; }\n}\n",
    "C++": "class DFS : public Solver {\n    void solve(Maze& maze);\n};\n",
    "Ruby": "class DFS\n  def solve(maze)\n    nil\n  end\nend\n",
    "a comment": "# class DFS(Solver):\n#     def solve(self, maze, search):\nf(\n",
    "a class without a method": "class DFS(Solver):\n    x = (\n",
    "a method of no class": "def solve(self, maze, search):\n    f(\n",
}


@pytest.mark.parametrize("kind", EVIDENT)
def test_python_with_a_slip_defines_what_it_evidently_does(kind: str) -> None:
    source = Source("algo.py", EVIDENT[kind].encode())
    assert source.tree is None
    assert source.classes == {"DFS"}


@pytest.mark.parametrize("kind", NO_PYTHON)
def test_other_text_defines_nothing(kind: str) -> None:
    source = Source("algo.py", NO_PYTHON[kind].encode())
    assert source.tree is None
    assert source.classes == set()


@pytest.mark.parametrize(
    "line",
    ["class DFS(" + " " * 200_000 + ":x", "class DFS" + " " * 200_000 + "x", "def f(" + " " * 200_000 + "x"],
)
def test_long_lines_take_no_time_to_speak_of(line: str) -> None:
    assert Source("algo.py", f"class DFS:\n{line}\n".encode()).classes == set()


def graded_from(path: Path) -> dict[str, str]:
    """From what each file of the lab was taken."""
    remarks = read_submission(path).remarks
    return {each.file: each.source for each in remarks if each.kind in ("taken", "moved")}


def test_one_file_with_a_slip_is_all_that_it_evidently_defines(tmp_path: Path) -> None:
    submission = read_submission(as_file("main.py", one_file() + SLIP)(tmp_path))
    assert graded_from(tmp_path / "main.py") == dict.fromkeys(FILES, "main.py")
    assert submission.files["main.py"] == one_file() + SLIP
    assert {remark.kind for remark in submission.remarks} == {"taken"}


def test_a_file_of_any_name_with_a_slip(tmp_path: Path) -> None:
    content = RIGHT[DFS] + SLIP
    submission = read_submission(as_zip(RIGHT_BUT_DFS | {"algo.py": content})(tmp_path))
    assert submission.files[DFS] == content
    assert graded_from(tmp_path / "ada.zip") == {DFS: "algo.py"}


def test_a_test_with_a_slip_is_no_work(tmp_path: Path) -> None:
    files = RIGHT_BUT_DFS | {"tests/test_dfs.py": RIGHT[DFS] + SLIP}
    assert DFS not in read_submission(as_zip(files)(tmp_path)).files


# --- notebooks --------------------------------------------------------------------------------------


def test_a_cell_with_a_slip_is_graded_and_the_others_as_they_are(tmp_path: Path) -> None:
    cells = [content + SLIP if path == DFS else content for path, content in RIGHT.items()]
    submission = read_submission(as_file("work.ipynb", notebook(*cells))(tmp_path))
    assert graded_from(tmp_path / "work.ipynb") == dict.fromkeys(FILES, "work.ipynb")
    assert submission.files[DFS].rstrip() == (RIGHT[DFS] + SLIP).rstrip()
    whole = Source("work.py", submission.files["work.py"])
    assert whole.tree is not None
    assert whole.classes == BY_NAME.keys() - {"DFS"}


def test_a_cell_that_was_put_right_further_down_asks_nobody(tmp_path: Path) -> None:
    cells = notebook(RIGHT[DFS] + SLIP, *RIGHT.values())
    submission = read_submission(as_file("work.ipynb", cells)(tmp_path))
    assert {remark.kind for remark in submission.remarks} == {"taken"}
    assert Source("work.py", submission.files["work.py"]).classes == BY_NAME.keys()


def test_cells_that_are_no_python_are_left_out() -> None:
    found = read_notebook(notebook("this is no Python", "print((", *RIGHT.values(), *NO_PYTHON.values()))
    assert found is not None
    assert found.broken == b""


NAME = "import " + ".".join("a" * 100_000)
"""The parser takes gigabytes for it."""


@pytest.mark.processes
def test_a_text_that_takes_all_memory_is_no_python() -> None:
    reader = Reader.of(Limits())
    assert reader.read(lambda: parse_source(f"def f():\n    {NAME}\n") is None, bool)


def test_a_file_of_blank_lines_is_looked_through_once() -> None:
    """To begin anew at each line would take hours."""
    assert not is_exported("x = 1\n" + "\n" * 200_000 + "class DFS: pass\n")


HIDES = (
    "punycode",
    "idna",
    "unicode_escape",
    "raw_unicode_escape",
    "utf_7",
    "rot13",
    "hex",
    "zlib",
    "hz",
    "cp500",
)
TEXT = ("utf-8", "latin-1", "cp1251", "shift_jis", "gb18030", "iso2022_jp", "mac_roman")


@pytest.mark.parametrize("encoding", HIDES)
def test_an_encoding_that_spells_code_in_other_signs_is_refused_by_its_name(
    tmp_path: Path, encoding: str
) -> None:
    junk = f"# coding: {encoding}\n".encode() + b"a-b" * 60_000
    found = read_submission(as_zip({**RIGHT, "helper.py": junk})(tmp_path))
    assert found.files.keys() == RIGHT.keys()
    (told,) = [english(remark.message) for remark in found.remarks]
    assert told.startswith("helper.py was left out: it is written in ")
    lost = read_submission(as_zip({**RIGHT, DFS: junk})(tmp_path))
    assert lost.files.keys() == RIGHT.keys() - {DFS}
    assert "unsure" in {remark.kind for remark in lost.remarks}


@pytest.mark.parametrize("encoding", TEXT)
def test_the_encodings_of_alphabets_are_read(encoding: str) -> None:
    assert is_text_encoding(encoding)
