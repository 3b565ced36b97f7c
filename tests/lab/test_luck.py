"""What the lines of a call draw from is noted, whatever Python's function for it."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lab import noted
from lab.luck import Luck
from lab.steps import StepRecorder
from lab.story import Recorded
from tests.rounds import untraced

HEAD = "import random, secrets\nfrom random import Random, choice\nDICE = Random(1)\ndef made(rng):\n"
DRAWS = {
    "rng.shuffle([1, 2, 3])": [],
    "[rng.random() for _ in 'ab']": [],
    "random.random()": [("drew", "random")],
    "choice([1, 2])": [("drew", "random")],
    "sorted('ab', key=lambda _: random.getrandbits(3))": [("drew", "random")],
    "DICE.randrange(5)": [("drew_other", "Random")],
    "random.SystemRandom().random()": [("drew", "os.urandom")],
    "secrets.choice([1, 2])": [("drew", "os.urandom")],
    "Random(rng.random()).random()": [("drew_other", "Random")],
    "random.seed(1)": [],
}


def told_of(code: str, path: Path) -> list[tuple[str, int | None, str]]:
    path.write_text(code, encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "student"}
    recorder, tree = StepRecorder(str(path).__eq__), ast.parse(code)
    noted.prepare(recorder, tree, str(path))
    noted.install(recorder.note)
    exec(compile(tree, str(path), "exec"), scope)  # noqa: S102 - the test's own code
    rng = Random(7)
    with untraced(), recorder, Luck(rng) as luck:
        recorder.watch({"drawn": luck.drawn})
        scope["made"](rng)
    noted.install()
    told = Recorded(code, recorder.events).of_luck()
    return [(each.key, each.line, each.values.get("source", "")) for each in told]


@pytest.mark.parametrize("code", DRAWS)
def test_a_line_that_draws_from_elsewhere_is_told(code: str, tmp_path: Path) -> None:
    told = told_of(f"{HEAD}    rng.random()\n    x = (\n        {code})\n    return x\n", tmp_path / "it.py")
    assert told == [(key, 6, source) for key, source in DRAWS[code]]


ORDERS = {
    "list({'a', 'b'})": False,  # in no variable
    "list(names)": True,
    "[each for each in names]": True,
    "sorted(names)": False,
    "list(numbers)": False,  # their hashes are the same everywhere
    "names.pop()": True,
    "list(things)": True,
    "list(equal)": False,
}


@pytest.mark.parametrize("code", ORDERS)
def test_a_line_that_hangs_on_the_order_of_a_set_is_told(code: str, tmp_path: Path) -> None:
    made = (
        "class Thing:\n    pass\nclass Equal:\n    def __hash__(self):\n        return 1\n"
        "def made(rng):\n    names, numbers = {'a', 'b'}, {(1, 2), (3, 4)}\n"
        "    things, equal = {Thing(), Thing()}, {Equal(), Equal()}\n"
    )
    told = told_of(f"{made}    return rng.choice([1]), {code}\n", tmp_path / "it.py")
    assert told == [("unordered", 9, "")] * ORDERS[code]


def test_the_line_of_the_innermost_call_that_drew_is_told(tmp_path: Path) -> None:
    code = (
        HEAD
        + "    x = other(3) + random.random()\ndef other(n):\n    y = n\n    return random.random() + y\n"
    )
    drew = [("drew", 8, "random"), ("drew", 5, "random")]
    assert told_of(code, tmp_path / "it.py") == [("undrawn", None, ""), *drew]


def test_nothing_drawn_is_said_only_if_no_thread_could_have_done_it(tmp_path: Path) -> None:
    assert told_of(f"{HEAD}    return 1\n", tmp_path / "it.py") == [("undrawn", None, "")]
    thread = "    import _thread\n    _thread.start_new_thread(int, ())\n"
    assert told_of(HEAD + thread, tmp_path / "it.py") == []
    assert told_of(f"{HEAD}    import sys\n    sys.setprofile(None)\n", tmp_path / "it.py") == []
