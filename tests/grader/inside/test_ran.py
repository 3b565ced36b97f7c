"""What ran in a call is told: functions of the files, and code that stands in none, whatever it says."""

from __future__ import annotations

import pytest

from grader.model import Call, Generate, IsPerfect, Target
from grader.model.claims import Ran
from grader.session.connection import NOTED
from lab import Dimension, Factory
from tests.grader.session.popen_box import ask

pytestmark = pytest.mark.processes

FILE = "generators/my_generator.py"
TARGET = Target(FILE, "MyGenerator")
GENERATOR = """
class MyGenerator:
    def __init__(self, rng):
        self.rng = rng

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        BODY
        return maze
"""


def ran(body: str, head: str = "", *, size: int = 5, more: dict[str, str] | None = None) -> Ran | None:
    files = {FILE: head + GENERATOR.replace("BODY", "\n        ".join(body.splitlines())), **(more or {})}
    (claim,) = ask(files, TARGET, Call("c", Generate(size, size, seed=1, times=1, noise=0)))
    assert claim.outcome == "returned", claim.fault
    return claim.ran


def functions(body: str, head: str = "", *, more: dict[str, str] | None = None) -> list[tuple[str, str]]:
    found = ran(body, head, more=more)
    assert found is not None
    assert not found.unseen
    return [(file, name) for file, _, name in found.functions if name not in ("__init__", "generate")]


SEEN = {
    "a helper": ("step()", "def step():\n    pass\n", [(FILE, "step")]),
    "a function in it": ("def step():\n    pass\nstep()", "", [(FILE, "step")]),
    "a lambda": ("(lambda: 0)()", "", [(FILE, "<lambda>")]),
    "a method by another name": (
        "getattr(Base(), 'st' + 'ep')()",
        "class Base:\n    def step(self): pass\n",
        [(FILE, "step")],
    ),
    "Python's own": ("import random, heapq, collections\ncollections.Counter('ab').most_common()", "", []),
    "a dataclass": (
        "Edge(1) < Edge(2)",
        "from dataclasses import *\n@dataclass(order=True)\nclass Edge:\n    n: int\n",
        [],
    ),
    "one that is made in it": ("make_dataclass('E', ['n'])(2)", "from dataclasses import *\n", []),
    "a NamedTuple": (
        "Edge(1)._replace(n=2)",
        "from typing import *\nclass Edge(NamedTuple):\n    n: int\n",
        [],
    ),
    "a namedtuple": ("namedtuple('Edge', 'n')(1)", "from collections import *\n", []),
    "an enum": (
        "Way(1) | Way.B",
        "from enum import *\nclass Way(Flag):\n    A = auto()\n    B = auto()\n",
        [],
    ),
    "a cached function": (
        "step(2)\nstep.cache_info()",
        "from functools import *\n@cache\ndef step(n):\n    return n\n",
        [(FILE, "step")],
    ),
    "a thread": (
        "t = Thread(target=step)\nt.start()\nt.join()",
        "from threading import *\ndef step():\n    pass\n",
        [(FILE, "step")],
    ),
}


@pytest.mark.parametrize("case", SEEN)
def test_functions_of_files_are_told_and_no_others(case: str) -> None:
    body, head, told = SEEN[case]
    assert functions(body, head) == told


def test_a_module_that_is_imported_in_the_call_is_of_the_files() -> None:
    files = {"generators/walker.py": "def walk():\n    return 1\nvalue = walk()\n"}
    body = "import importlib\nimportlib.import_module('generators.wal' + 'ker').walk()"
    assert functions(body, more=files) == [("generators/walker.py", "walk")]


UNSEEN = {
    "exec": ("exec('x = 1')", "<module>"),
    "eval": ("eval('(lambda: 1)()')", "<lambda>"),
    "a text under the file's own name": ("exec(compile('def f(): pass', __file__, 'exec'))", "<module>"),
    "code that was changed": (
        "code = type(self).other.__code__.replace(co_consts=(7,))\ntype(lambda: 0)(code, {})(0)",
        "other",
    ),
    "the code of a library, by its word only": (
        "import random\nexec(compile('x = 1', random.__file__, 'exec'))",
        "<module>",
    ),
    "what dataclasses would never write": ("dataclasses.exec('for x in [1]: pass', {}, {})", "<module>"),
    "timeit": ("import timeit\ntimeit.timeit('x = 1', number=1)", "inner"),
    "a name that is resolved": (
        "import pkgutil\npkgutil.resolve_name('builtins:ex' + 'ec')('x = 1')",
        "<module>",
    ),
    "an interpreter": ("import code\ncode.InteractiveInterpreter().runsource('x = 1')", "<module>"),
    "a thread that runs text": (
        "import threading\nt = threading.Thread(target=exec, args=('x = 1',))\nt.start()\nt.join()",
        "<module>",
    ),
    "who stops the noting": ("import sys\nsys.setprofile(None)", "sys.setprofile"),
}


@pytest.mark.parametrize("case", UNSEEN)
def test_what_stands_in_no_file_is_told(case: str) -> None:
    body, name = UNSEEN[case]
    head = "import dataclasses\n" if "dataclasses" in body else ""
    source = GENERATOR.rstrip() + "\n\n    def other(self):\n        return None\n"
    files = {FILE: head + source.replace("BODY", "\n        ".join(body.splitlines()))}
    (claim,) = ask(files, TARGET, Call("c", Generate(5, 5, seed=1, times=1, noise=0)))
    assert claim.outcome == "returned", claim.fault
    assert claim.ran is not None
    assert name in claim.ran.unseen


def test_a_module_that_was_written_is_told() -> None:
    body = """import sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/walker.py", "w") as file:
        file.write("def walk(): pass")
    sys.path.insert(0, folder)
    import walker
walker.walk()"""
    found = ran(body)
    assert found is not None
    assert found.unseen == ("<module>", "walk")


@pytest.mark.parametrize(
    ("body", "chose"), [("self.rng.choices([1])", True), ("import tempfile\ntempfile.mktemp()", False)]
)
def test_who_chooses_by_choices_is_told_and_not_what_a_library_chooses(body: str, chose: bool) -> None:
    found = ran(body)
    assert found is not None
    assert found.chose is chose


def test_the_first_small_calls_are_noted_whatever_their_group() -> None:
    assert ran("pass", size=6) is None
    source = "class PerfectionChecker:\n    def is_perfect(self, maze):\n        return True\n"
    large, small = (Factory().fully_connected(Dimension(5, columns)).to_text() for columns in (6, 5))
    target = Target("perfection_checker.py", "PerfectionChecker")
    asked = [("a", large), *((NOTED - 1) * [("a", small)]), ("b", small), ("b", small)]
    calls = (Call(f"c{number}", IsPerfect(maze), group) for number, (group, maze) in enumerate(asked))
    claims = ask({target.file: source}, target, *calls)
    assert {claim.outcome for claim in claims} == {"returned"}
    told = Ran(((target.file, 2, "is_perfect"),))
    assert [claim.ran for claim in claims] == [None, *(NOTED * [told]), None]
