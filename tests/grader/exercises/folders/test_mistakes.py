"""A mistake in the folder of an exercise is found when it is read, and told with the file and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import load_plan
from grader.errors import InputError
from grader.exercises.kit.folders.code import KNOWN, OwnCode
from tests.grader.exercises.folders.made_folders import JUDGE, TEXTS, YAML, dead_ends

ANYTHING = YAML.replace("returns: number", "returns: anything")
FEW = YAML.replace("[shapes]", "[few]")
MISTAKES: list[tuple[dict[str, str], str]] = [
    (
        {"exercise.yaml": FEW, "cases.py": "def few(rng): return [{'maze': {1}}, {'maze': object}]"},
        "plain data",
    ),
    ({"exercise.yaml": FEW, "cases.py": "def few(rng): return [{'maze': 'no maze'}]"}, "cases.py"),
    ({"reference.py": "raise SystemExit(0)"}, "reference.py: SystemExit"),
    ({"judge.py": "def judge(arguments, returned, expected): raise SystemExit"}, "judge.py: SystemExit"),
    ({"judge.py": "def judge(maze, moves): return None"}, "judge.py: TypeError"),
    (
        {"judge.py": "def judge(arguments, returned, expected): return None"},
        "judge.py: it finds nothing wrong with any of",
    ),
    (
        {"judge.py": JUDGE.replace("other_count", "other"), "texts/en.toml": TEXTS},
        "judge.py:4: says 'other', and texts/en.toml has no",
    ),
    (
        {"judge.py": JUDGE.replace('"count"', '"counted"'), "texts/en.toml": TEXTS},
        r"judge.py:4: says 'other_count' with the values \['counted', 'wanted'\]",
    ),
    ({"public_tests.py": "import lab.way, math\nimport pytest"}, "public_tests.py:2: it imports pytest"),
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
            "exercise.yaml": FEW,
            "cases.py": """
                from random import randrange
                from lab import Dimension, Factory
                def few(rng):
                    return [{'maze': Factory().fully_connected(Dimension(1, randrange(1, 10**3)))}]
            """,
        },
        "cases.py: few: draws other cases with the same rng: draw from its argument alone",
    ),
    *(
        ({"exercise.yaml": ANYTHING, "reference.py": f"def count_dead_ends(maze): return {code}"}, words)
        for code, words in (
            ("{(2**30, 1): 1}", "reference.py: expected texts, numbers, cells"),
            ("dict.fromkeys(range(60_000))", "of 50000 keys at the most"),
            ("[[[[[[[[[1]]]]]]]]]", "reference.py: expected 8 collections in one another at the most"),
            ("'x' * 200_000", "of 100000 characters at the most, got 200000"),
            ("'\\ud800'", "reference.py: expected a text of whole characters"),
            ("10**5000", "reference.py: expected a whole number below 2"),
        )
    ),
]
"""Mistakes that would decide a mark: the others are refused in tests/golden/refusals/exercises."""


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
