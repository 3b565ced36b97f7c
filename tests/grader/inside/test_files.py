"""The submission as Python imports it: from memory, and never in place of anything else."""

from __future__ import annotations

import sys

import pytest

from grader.model import Claim, Target
from grader.model.claims import truth_value
from tests.grader.session.popen_box import CHECKER, PATIENT, answered, ask, checker, question

YES = checker("return True")
NAME = "PerfectionChecker"


def load(files: dict[str, str | bytes], target: Target = CHECKER) -> Claim:
    (claim,) = ask(files, target, question())
    return claim


def test_files_have_a_name_a_source_and_a_place() -> None:
    code = checker("import inspect, linecache\nprint(__file__, __name__, inspect.getsource(helper), end='')")
    code += "\ndef helper(): return 'me'\n"
    claim = load({"a/b/checker.py": code}, Target("a/b/checker.py", NAME))
    assert claim.output == "/submission/a/b/checker.py a.b.checker def helper(): return 'me'\n"


@pytest.mark.parametrize(
    "files",
    [
        {"solvers/a.py": "from solvers.b import x"},
        {"solvers/a.py": "from .b import x"},
        {"solvers/a.py": "from . import b"},
        {"solvers/a.py": "import solvers.b as b"},
        {"solvers/__init__.py": "", "solvers/a.py": "from .b import x"},
        {"solvers/a.py": "import os, sys\nsys.path.append(os.path.dirname(__file__))\nfrom b import x"},
        {
            "solvers/a.py": "import sys\nfrom pathlib import Path\n"
            "sys.path.insert(0, str(Path(__file__).parent))\nimport b"
        },
        {"solvers/a.py": "import sys\nsys.path.append('solvers')\nimport b"},
        {"solvers/a.py": "import sys\nsys.path.append('./solvers/../solvers/')\nimport b"},
        {
            "solvers/a.py": "import os, sys\n"
            "sys.path.append(os.path.join(os.path.dirname(__file__), '..'))\nimport c"
        },
        {"solvers/a.py": "from utils import x"},
        {"solvers/a.py": "from graph.deep.node import x"},
        {"solvers/a.py": "from solvers.queue import x"},
        {"solvers/a.py": "import importlib\nimportlib.import_module('solvers.b')"},
        {
            "solvers/a.py": "from lab import Maze, Vector, MOVES\n"
            "from lab.solver import Solver\nimport lab.graph"
        },
        {"solvers/a.py": "import inside, wire, runner"},
    ],
    ids=lambda files: files["solvers/a.py"],
)
def test_how_students_import(files: dict[str, str | bytes]) -> None:
    others: dict[str, str | bytes] = {
        **dict.fromkeys(
            (
                *("solvers/b.py", "solvers/queue.py", "c.py", "utils.py", "graph/deep/node.py"),
                *("inside.py", "wire.py", "runner.py"),
            ),
            "x = 1",
        ),
    }
    code = files["solvers/a.py"]
    assert isinstance(code, str)
    claim = load({**others, **files, "solvers/a.py": f"{code}{YES}"}, Target("solvers/a.py", NAME))
    assert claim.outcome == "returned", claim.fault


@pytest.mark.parametrize(
    "path",
    [
        *(
            "json.py",
            "random.py",
            "lab/__init__.py",
            "lab/maze.py",
            "lab.py",
            "sitecustomize.py",
            "usercustomize.py",
        ),
        *(
            "conftest.py",
            "json/__init__.py",
            "encodings/__init__.py",
            "inside/runner.py",
            "inside/__init__.py",
        ),
        *("builtins.py", "sys.py", "os.py", "__main__.py", "__pycache__/perfection_checker.cpython-311.pyc"),
        *("perfection_checker.pyc", "perfection_checker.so", "test.py", "collections.py"),
    ],
)
def test_a_file_that_shadows_something_changes_nothing(path: str) -> None:
    code = checker(
        "import lab, json, random, collections, os\nreturn lab.Maze is type(maze) and random.random() < 1"
    )
    claim = load({path: "raise SystemExit('shadow')\n", CHECKER.file: code})
    assert claim.outcome == "returned", claim.fault
    assert answered(claim) == truth_value(True)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"x = 1\nclass", 2, "invalid syntax"),
        (b"def f(:\n", 1, "invalid syntax"),
        (b"x = 1\ny = '\xff'\n", 2, "the file is no text in utf-8"),
        (b"x = 1\n# \xe9\n", 2, "the file is no text in utf-8"),
        (b"x = 1\ny = '\x00'\n", 2, "null bytes"),
        (b"# coding: klingon\n", 1, "unknown encoding"),
        (b"# coding: ascii\n\n# \xe9", 3, "the file is no text in ascii"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "encoding problem"),
        (b"\x7fELF\x02\x01\x01\x00\x00", 1, ""),
        (b"PK\x03\x04", 1, ""),
        (b"\xff\xfex\x00", 1, "the file is no text in utf-8"),
        (b"if True:\n\tx = 1\n        y = 2\n", 3, ""),
    ],
)
def test_what_cannot_be_read_is_a_syntax_error_with_its_line(content: bytes, line: int, message: str) -> None:
    claim = load({CHECKER.file: content})
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert claim.fault.kind in ("SyntaxError", "TabError", "IndentationError")
    assert claim.fault.stage == "import"
    assert message in claim.fault.message
    assert (claim.fault.trace[-1].file, claim.fault.trace[-1].line) == (CHECKER.file, line)


@pytest.mark.parametrize(
    "content", [b"type Way list\n", b"def f[T(): pass\n", b"X = f'{'\n", b"class BFS\n    pass\n"]
)
def test_syntax_that_a_newer_python_may_take_is_told_with_the_python_that_read_it(content: bytes) -> None:
    claim = load({CHECKER.file: content})
    assert claim.fault is not None
    assert claim.fault.message.endswith(f" (Python {sys.version_info.major}.{sys.version_info.minor})")


@pytest.mark.parametrize("content", [b"x = '\x00'\n", b"x = '\xff'\n", b"if True:\nx = 1\n"])
def test_what_no_python_takes_is_told_without(content: bytes) -> None:
    claim = load({CHECKER.file: content})
    assert claim.fault is not None
    assert "(Python" not in claim.fault.message


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + YES.encode(),
        YES.replace("\n", "\r\n").encode(),
        YES.replace("\n", "\r").encode(),
        b"# -*- coding: latin-1 -*-\n# \xe9\n" + YES.encode(),
        "# naïve ☃\n".encode() + YES.encode(),
        b"from __future__ import annotations\n" + YES.encode(),
        b"\f\n" + YES.encode(),
    ],
)
def test_what_can_be_read(content: bytes) -> None:
    assert load({CHECKER.file: content}).outcome == "returned"


@pytest.mark.parametrize(
    "content",
    [b"(" * 100_000, b"1+" * 200_000 + b"1", b"[" * 99 + b"]" * 99, b"-" * 300_000 + b"1", b"x=" * 10_000],
)
def test_a_file_that_is_hard_to_compile_is_the_students_fault(content: bytes) -> None:
    (claim,) = ask({CHECKER.file: content}, CHECKER, question(), limits=PATIENT)
    assert claim.outcome in ("raised", "out-of-memory", "missing", "died")


def test_a_broken_helper_is_named_in_the_trace() -> None:
    claim = load({CHECKER.file: "import helper\n" + YES, "helper.py": "x = 1\ny = 1 // 0\n"})
    assert claim.fault is not None
    assert [(frame.file, frame.line, frame.code) for frame in claim.fault.trace] == [
        (CHECKER.file, 1, "import helper"),
        ("helper.py", 2, "y = 1 // 0"),
    ]


def test_a_missing_helper_is_an_exception() -> None:
    claim = load({CHECKER.file: "from helper import more\n" + checker("more()")})
    assert claim.fault is not None
    assert (claim.outcome, claim.fault.kind) == ("raised", "ModuleNotFoundError")


def test_nothing_of_the_submission_lies_on_the_disk() -> None:
    claim = load({CHECKER.file: checker("import os\nreturn os.path.exists(__file__)")})
    assert answered(claim) == truth_value(False)


def test_tracebacks_that_students_print_show_their_lines() -> None:
    claim = load(
        {CHECKER.file: checker("import traceback\ntry: [].x\nexcept Exception: traceback.print_exc()")}
    )
    assert "try: [].x" in claim.output
    assert "/submission/perfection_checker.py" in claim.output
