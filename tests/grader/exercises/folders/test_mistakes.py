"""A mistake in the folder of an exercise is found when it is read, and told with the file and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.course.plan import load_plan
from grader.errors import InputError
from grader.exercises.kit.folders.code import KNOWN, OwnCode
from tests.grader.exercises.folders.made_folders import JUDGE, TEXTS, YAML, dead_ends

NEVER_SENT = [
    ("{frozenset([1])}", "reference.py: expected texts, numbers, cells, or tuples of such as the keys"),
    ("{(2**30, 1): 1}", "reference.py: expected texts, numbers, cells"),
    (
        "dict.fromkeys(range(60_000))",
        "reference.py: expected a set or a dictionary of 50000 keys at the most",
    ),
    ("[[[[[[[[[1]]]]]]]]]", "reference.py: expected 8 collections in one another at the most"),
    ("'x' * 200_000", "reference.py: expected a text of 100000 characters at the most, got 200000"),
    ("'\\ud800'", "reference.py: expected a text of whole characters"),
    ("10**5000", "reference.py: expected a whole number below 2"),
    ("Factory().fully_connected(Dimension(200, 200))", "reference.py: expected a maze of 100000 characters"),
]
"""What the reference returns, of which a submission could send a description only."""
NEVER_DRAWN = [
    ("[{'maze': {frozenset([1])}}]", "cases.py: few, maze: expected texts, numbers, cells"),
    ("[{'maze': reduce(lambda inner, _: [inner], range(3000), [])}]", "cases.py: few, maze: expected 8 coll"),
    ("[{1: 3, 'a': 2}]", "cases.py: few: expected arguments of maze, got 1"),
    ("[]", "cases.py: few: expected a dictionary of arguments for each case, got an empty list"),
]
"""What cases.py draws, of which no call can be made."""


def answers(code: str) -> dict[str, str]:
    return {
        "exercise.yaml": YAML.replace("returns: number", "returns: anything"),
        "reference.py": f"from lab import Dimension, Factory\ndef count_dead_ends(maze): return {code}",
    }


def draws(code: str) -> dict[str, str]:
    return {
        "exercise.yaml": YAML.replace("[shapes]", "[few]"),
        "cases.py": f"from functools import reduce\ndef few(rng): return {code}",
    }


MISTAKES = [
    (
        {"exercise.yaml": YAML.replace("function: count_dead_ends", "function: Count")},
        "a function such as count_dead",
    ),
    ({"exercise.yaml": YAML.replace("function:", "class:")}, "class: expected a class such as MySolver"),
    (
        {"exercise.yaml": YAML.replace("function: count_dead_ends", "class: Count")},
        "either a method of the class",
    ),
    ({"exercise.yaml": YAML.replace("[maze]", "[maze, maze]")}, "names of arguments, each once"),
    (
        {"exercise.yaml": YAML.replace("[shapes]", "[few]"), "cases.py": "def many(rng): return []"},
        "expected a function few",
    ),
    (
        {"exercise.yaml": YAML.replace("[shapes]", "[few]"), "cases.py": "def few(rng): return 3"},
        "a list of dictionaries",
    ),
    (
        {
            "exercise.yaml": YAML.replace("[shapes]", "[few]"),
            "cases.py": "def few(rng): return [{'maze': {1}}, {'maze': object}]",
        },
        "expected plain data",
    ),
    (
        {
            "exercise.yaml": YAML.replace("[shapes]", "[few]"),
            "cases.py": "def few(rng): return [{'maze': 'no maze'}]",
        },
        "cases.py",
    ),
    ({"reference.py": "def count_dead_ends(maze): return object()"}, "reference.py: expected plain data"),
    ({"reference.py": "def count_dead_ends(maze): raise SystemExit"}, "reference.py: SystemExit"),
    ({"reference.py": "raise SystemExit(0)"}, "reference.py: SystemExit"),
    (
        {"skeleton.py": "def count(maze):\n    raise NotImplementedError\n"},
        "skeleton.py: expected a function count_dead_ends",
    ),
    ({"skeleton.py": "def count_dead_ends(maze:\n"}, "skeleton.py: expected Python that can be read"),
    (
        {"judge.py": JUDGE.replace("other_count", "other"), "texts/en.toml": TEXTS},
        "judge.py:4: says 'other', and texts/en.toml has no",
    ),
    (
        {"judge.py": JUDGE.replace('"count"', '"counted"'), "texts/en.toml": TEXTS},
        r"judge.py:4: says 'other_count' with the values \['counted', 'wanted'\]",
    ),
    (
        {
            "judge.py": JUDGE,
            "texts/en.toml": TEXTS,
            "texts/de.toml": '[said]\nother_count = "{counts} von {wanted}"',
        },
        r"de.toml: said.other_count: expected the values \['count', 'wanted'\]",
    ),
    ({"judge.py": JUDGE, "texts/en.toml": TEXTS.replace("{count}", "{count")}, "en.toml: said.other_count"),
    (
        {
            "judge.py": JUDGE.replace(
                'return "other_count", {"count": returned, "wanted": expected}', "raise SystemExit"
            )
        },
        "judge.py: SystemExit",
    ),
    (
        {"judge.py": "def judge(arguments, returned, expected): return None"},
        "judge.py: it finds nothing wrong with any of",
    ),
    ({"judge.py": "def judge(maze, moves): return None"}, "judge.py: TypeError"),
    ({"Judge.py": JUDGE}, r"Judge.py: no file of an exercise has this name: did you mean judge.py\?"),
    ({"public_tests.py": "def test(:"}, "public_tests.py: expected Python that can be read"),
    (
        {"public_tests.py": "import lab.way, math\nimport pytest"},
        "public_tests.py:2: it imports pytest: expected lab",
    ),
    (
        {"reference.py": "from random import random\ndef count_dead_ends(maze): return random()"},
        "reference.py: it answers 0.*, and 0.* when it is asked again, on the maze",
    ),
    (
        {
            "reference.py": """
                def count_dead_ends(maze):
                    for move in maze.moves_at(maze.entry):
                        if maze.is_wall(maze.entry, move):
                            maze.break_wall(maze.entry, move)
                    return 1
            """
        },
        "reference.py: it changes the maze, for which the check unchanged takes points",
    ),
    (
        {
            **draws(""),
            "cases.py": """
                from random import randrange
                from lab import Dimension, Factory
                def few(rng):
                    return [{'maze': Factory().fully_connected(Dimension(1, randrange(1, 10**3)))}]
            """,
        },
        "cases.py: few: draws other cases with the same rng: draw from its argument alone",
    ),
    *((answers(code), words) for code, words in NEVER_SENT),
    *((draws(code), words) for code, words in NEVER_DRAWN),
]


@pytest.mark.parametrize(("changed", "words"), MISTAKES, ids=[words for _, words in MISTAKES])
def test_a_mistake_is_refused_with_the_file(tmp_path: Path, changed: Mapping[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load_plan(dead_ends(tmp_path, changed))


@pytest.mark.parametrize("file", ["reference.py", "judge.py"])
def test_code_that_comes_to_no_end_is_refused_with_its_line(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.exercises.kit.folders.code.MOST_SECONDS", 0.2)
    name = "count_dead_ends(maze)" if file == "reference.py" else "judge(arguments, returned, expected)"
    path = dead_ends(tmp_path, {file: f"def {name}:\n    while True:\n        pass\n"})
    with pytest.raises(InputError, match=r"\.py: did not come to an end within 0\.2 s in line [23]"):
        load_plan(path)


def test_explain_prints_the_mistake_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dead_ends(tmp_path, {"judge.py": "raise SystemExit(0)"})
    assert cli.main(["explain", "--rubric", str(path)]) == 1
    assert "dead_ends/judge.py: SystemExit" in capsys.readouterr().err


def test_what_was_found_in_order_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rubric, ask = dead_ends(tmp_path), OwnCode.ask
    asked: list[str] = []

    def noted(own: OwnCode, method: str, *given: Any) -> object:
        asked.append(method)
        return ask(own, method, *given)

    monkeypatch.setattr(OwnCode, "ask", noted)
    first = load_plan(rubric).exercises[0].checks
    assert asked
    asked.clear()
    KNOWN.clear()  # as in another process
    again = load_plan(rubric).exercises[0].checks
    assert not asked
    assert [check.cases for check in again] == [check.cases for check in first]
    change = tmp_path / "dead_ends" / "reference.py"
    change.write_text(change.read_text() + "# changed\n")
    load_plan(rubric)
    assert asked
