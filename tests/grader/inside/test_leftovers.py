"""What was left lying around in right work: it is passed over and told, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grader.model import Claim, Target
from grader.model.claims import truth_value
from grader.session.session import Session
from lab.leftovers import MOST, Leftover
from tests.grader.session.popen_box import (
    CHECKER,
    PATIENT,
    QUICK,
    PopenBackend,
    answered,
    ask_each,
    check,
    check_each,
    checker,
    contents,
    question,
    submission,
)

pytestmark = pytest.mark.processes

YES = checker("return True")


def left(claim: Claim) -> list[tuple[str, str, int]]:
    return [(each.kind, each.what, each.line) for each in claim.left]


def load(code: str, **others: str) -> Claim:
    (claim,) = load_each([code], **others)
    return claim


def load_each(texts: Sequence[str], **others: str) -> list[Claim]:
    """Ask each text, which is a file of its own, once."""
    files = {f"{name}.py": text for name, text in others.items()}
    return [claim for (claim,) in ask_each(texts, others=files, limits=PATIENT)]


def test_nothing_waits_and_no_call_fails() -> None:
    expected = {
        "import time\ntime.sleep(10 * 1000)": ("passed", "time.sleep", 5),
        "import os\nos.chdir(os.path.dirname(__file__))": ("passed", "os.chdir", 5),
        "import subprocess\nsubprocess.run(['no-such-program'])": ("passed", "subprocess.run", 5),
        "breakpoint()": ("passed", "breakpoint", 4),
        "import pdb\npdb.set_trace()": ("passed", "pdb.set_trace", 5),
        "assert input('Go on?') == ''": ("answered", "input", 4),
        "for _ in range(100): print('x' * 50)": ("dropped", "print", 4),
        "import sys\nfor _ in range(1000): sys.stderr.write('x' * 50)": ("dropped", "print", 5),
    }
    found = check_each([f"{body}\nreturn True" for body in expected], count=2)
    for told, (first, second) in zip(expected.values(), found.values(), strict=True):
        assert (answered(first), left(first)) == (truth_value(True), [told])
        assert (answered(second), left(second)) == (truth_value(True), [])


def test_waiting_again_and_again_is_endless() -> None:
    polls = "import queue\nwhile True:\n  try: queue.Queue().get(timeout=1)\n  except queue.Empty: pass"
    for body in (polls, "import time\nwhile True: time.sleep(60)"):
        (claim,) = check(body, cpu=20.0, limits=PATIENT)
        assert claim.outcome == "endless"
        assert claim.spent is not None
        assert claim.spent.what == "turns"


def test_so_many_places_are_told_and_no_more() -> None:
    (claim,) = check("\n".join(["breakpoint()"] * (MOST + 5)) + "\nreturn True")
    assert [line for _, _, line in left(claim)] == list(range(4, 4 + MOST))


def test_a_file_is_loaded_as_far_as_it_comes() -> None:
    expected = {
        "exit()": "SystemExit",
        "import unittest\nunittest.main()": "SystemExit",
        "open('mazes/a.txt')": "FileNotFoundError",
        "int(input('How many? '))": "ValueError",
        "PerfectionChecker().is_perfect()": "TypeError",
        "later = 1 / 0\ndef shown(): return later": "ZeroDivisionError",
    }
    claims = load_each([f"{YES}{more}\n" for more in expected])
    assert {answered(claim) for claim in claims} == {truth_value(True)}
    told = [[name for kind, name, _ in left(claim) if kind == "ended"] for claim in claims]
    assert told == [[what] for what in expected.values()]


def test_a_file_that_lacks_what_is_asked_for_fails_as_ever() -> None:
    claims = load_each(
        [
            f"exit()\n{YES}",
            f"def helper(): return True\nopen('mazes/a.txt')\n{YES}",
            checker("return late()") + "exit()\ndef late(): return True\n",
            "def other(): return late\n" + checker("return other()") + "late = [] + 1\n",
            checker("return late()") + "exit()\nfrom math import isqrt as late\n",
        ]
    )
    for claim in claims:
        assert claim.fault is not None
        assert (claim.outcome, claim.fault.stage, claim.left) == ("raised", "import", ())
        assert claim.fault.trace[-1].function == "<module>"


def test_who_asks_a_helper_for_more_than_it_came_to_gets_what_it_raised() -> None:
    helper = "def yes(): return True\nopen('nowhere')\ndef no(): return False\n"
    claim = load("from helper import yes\n" + checker("return yes()"), helper=helper)
    assert answered(claim) == truth_value(True)
    assert claim.left == (Leftover("ended", "FileNotFoundError", "helper.py", 2),)
    claim = load("from helper import no\n" + checker("return no()"), helper=helper)
    assert claim.fault is not None
    assert (claim.fault.kind, claim.fault.stage) == ("FileNotFoundError", "import")
    assert [frame.file for frame in claim.fault.trace] == ["checker_0.py", "helper.py"]


def test_a_package_that_is_not_there_costs_nothing_where_it_is_not_used() -> None:
    expected = {
        "import matplotlib.pyplot as plt": "matplotlib",
        "from colorama import Fore, Back": "colorama",
        "from tqdm import *": "tqdm",
        "from typing import Any, nothing": "typing.nothing",
        "import numpy as np; np.random.seed(0); ZEROS = np.zeros((3, 3)); ZEROS[0] = 1": "numpy",
        "import matplotlib.pyplot as plt; plt.rcParams['x'] = plt.figure(3).size": "matplotlib",
    }
    claims = load_each([f"{head}\n{YES}" for head in expected])
    assert {answered(claim) for claim in claims} == {truth_value(True)}
    assert [left(claim) for claim in claims] == [[("absent", package, 1)] for package in expected.values()]


NUMPY = ("ModuleNotFoundError", "No module named 'numpy'")
USES = (
    ("import numpy as np", "np.array([])", *NUMPY),
    ("import numpy as np", "isinstance(maze, np.ndarray)", *NUMPY),
    ("import numpy as np", "np.x = 1", *NUMPY),
    ("import numpy.linalg", "numpy.linalg.norm([])", *NUMPY),
    ("import numpy as np; np = np.random.default_rng(0)", "np.choice([])", *NUMPY),
    ("from numpy import array", "for each in array: pass", *NUMPY),
    (
        *("from typing import Any, nothing", "return nothing(Any)"),
        *("ImportError", "cannot import name 'nothing' from 'typing'"),
    ),
    (
        *("from tqdm import *", "return trange(3)"),
        *("NameError", "name 'trange' is not defined (from tqdm import *: No module named 'tqdm')"),
    ),
)


def test_what_did_not_come_fails_where_it_is_used() -> None:
    claims = load_each([f"{head}\n{checker(use)}" for head, use, *_ in USES])
    for (*_, kind, message), claim in zip(USES, claims, strict=True):
        assert claim.fault is not None
        assert (claim.fault.kind, claim.fault.message) == (kind, message)
        assert (claim.fault.stage, [frame.line for frame in claim.fault.trace]) == ("call", [5])


def test_a_package_that_is_needed_for_loading_fails_there() -> None:
    heads = (
        "import numpy\nfor each in numpy.zeros(3): pass",
        "import numpy\nclass Grid(numpy.ndarray): pass",
        "from lab.nothing import more",
        "import helper.more",
        "raise ModuleNotFoundError('numpy', name='numpy')",
    )
    for claim in load_each([f"{head}\n{YES}" for head in heads], helper=""):
        assert claim.fault is not None
        assert (claim.fault.kind, claim.fault.stage, claim.left) == ("ModuleNotFoundError", "import", ())


def test_an_import_that_is_guarded_works_as_ever() -> None:
    guarded = "try: import numpy\nexcept ImportError: numpy = None\n"
    assert left(load(f"{guarded}{checker('return numpy is None')}")) == []
    claim = load(f"{guarded}import numpy as unused\n{checker('return numpy is None')}")
    assert (answered(claim), left(claim)) == (truth_value(True), [("absent", "numpy", 3)])


def test_an_instructor_may_have_all_of_it_charged() -> None:
    bodies = ["input()", "import time\ntime.sleep(0)", "print('x' * 5000)"]
    files = {f"{number}.py": checker(f"{body}\nreturn True") for number, body in enumerate(bodies)}
    files |= {"3.py": f"{YES}exit()", "4.py": f"import numpy\n{YES}"}
    with Session(PopenBackend(contents()), QUICK, submission(files)) as session:
        session.leftovers = "charged"
        claims = [session.run(Target(file, CHECKER.name), [question()])[0] for file in files]
    kinds = [claim.fault.kind if claim.fault else claim.outcome for claim in claims]
    assert kinds == ["EOFError", "returned", "output-limit", "SystemExit", "ModuleNotFoundError"]
    assert {claim.left for claim in claims} == {()}
