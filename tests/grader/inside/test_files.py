"""The submission as Python imports it: from memory, and never in place of anything else."""

from __future__ import annotations

import pytest

from grader.model import Claim, Target
from grader.model.claims import truth_value
from tests.grader.session.popen_box import CHECKER, PATIENT, answered, ask, ask_each, checker, question

pytestmark = pytest.mark.processes

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


IMPORTS = (
    "from solvers.b import x",
    "from . import b",
    "import os, sys\nsys.path.append(os.path.dirname(__file__))\nfrom b import x",
    "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\nimport b",
    "import sys\nsys.path.append('solvers')\nimport b",
    "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), '..'))\nimport c",
    "from utils import x",
    "from solvers.queue import x",
    "import importlib\nimportlib.import_module('solvers.b')",
    "from lab import Maze, Vector, MOVES\nfrom lab.solver import Solver\nimport lab.graph",
    "import inside, wire, runner",
)


@pytest.mark.parametrize("package", [False, True])
def test_how_students_import(package: bool) -> None:
    names = ("b", "queue", "../c", "../utils", "../graph/deep/node", "../inside", "../wire", "../runner")
    others: dict[str, str | bytes] = {
        f"solvers/{name}.py".replace("solvers/../", ""): "x = 1" for name in names
    }
    if package:
        others["solvers/__init__.py"] = ""
    found = {}
    for code in IMPORTS[:3] if package else IMPORTS:  # each in a box of its own: they share the search path
        claim = load({**others, "solvers/a.py": f"{code}{YES}"}, Target("solvers/a.py", NAME))
        found[code] = claim.fault
    assert found == dict.fromkeys(found)


def test_files_that_shadow_something_change_nothing() -> None:
    shadows = [
        *("json.py", "random.py", "lab/__init__.py", "lab/maze.py", "lab.py", "sitecustomize.py"),
        *("json/__init__.py", "encodings/__init__.py", "inside/runner.py", "inside/__init__.py"),
        *("builtins.py", "sys.py", "os.py", "__main__.py", "collections.py", "test.py", "conftest.py"),
        *(
            "__pycache__/perfection_checker.cpython-311.pyc",
            "perfection_checker.pyc",
            "perfection_checker.so",
        ),
    ]
    code = checker("import lab, json, random, collections, os\nreturn lab.Maze is type(maze)")
    claim = load({**dict.fromkeys(shadows, "raise SystemExit('shadow')\n"), CHECKER.file: code})
    assert answered(claim) == truth_value(True)


def test_what_cannot_be_read_is_a_syntax_error_with_its_line() -> None:
    expected = {
        b"x = 1\nclass": (2, "invalid syntax"),
        b"x = 1\ny = '\xff'\n": (2, "the file is no text in utf-8"),
        b"x = 1\ny = '\x00'\n": (2, "null bytes"),
        b"# coding: klingon\n": (1, "unknown encoding"),
        b"\xef\xbb\xbf# coding: latin-1\n": (1, "encoding problem"),
    }
    for (line, message), (claim,) in zip(expected.values(), ask_each([*expected]), strict=True):
        assert claim.fault is not None
        assert claim.fault.kind in ("SyntaxError", "TabError", "IndentationError")
        assert claim.fault.stage == "import"
        assert message in claim.fault.message
        assert claim.fault.trace[-1].line == line


def test_what_can_be_read() -> None:
    claims = ask_each(
        [
            b"\xef\xbb\xbf" + YES.encode(),
            YES.replace("\n", "\r\n"),
            b"# -*- coding: latin-1 -*-\n# \xe9\n" + YES.encode(),
            f"from __future__ import annotations\n{YES}",
        ]
    )
    assert {claim.outcome for (claim,) in claims} == {"returned"}


def test_a_file_that_is_hard_to_compile_is_the_students_fault() -> None:
    texts = [b"(" * 100_000, b"1+" * 200_000 + b"1", b"[" * 99 + b"]" * 99, b"-" * 300_000 + b"1"]
    claims = ask_each(texts, limits=PATIENT)
    assert {claim.outcome for (claim,) in claims} <= {"raised", "out-of-memory", "missing", "died"}


def test_nothing_of_the_submission_lies_on_the_disk() -> None:
    claim = load({CHECKER.file: checker("import os\nreturn os.path.exists(__file__)")})
    assert answered(claim) == truth_value(False)
