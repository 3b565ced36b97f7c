"""Mutants of the code: where they are made, and what is left as it is."""

from __future__ import annotations

import pytest

from scripts.mutants import ALL_FILES, Finder, mutants

KEPT = """
    \"\"\"A text of 1 word.\"\"\"
    TABLE = {"one": 1, 2: (3, 4)}
    if TYPE_CHECKING:
        from lab import Maze
    def told(value: int | None) -> Literal[3]:
        \"\"\"Say it in 1 sentence.\"\"\"
        log.debug("so many", 1 + 1)
        raise ValueError(f"expected {value + 1}")
"""


def changed(source: str) -> list[str]:
    return [mutant.applied(source.encode()).decode() for mutant in Finder("made.py", source.encode()).found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < (b)", ["a <= (b)"]),
        ("(a)not  in b", ["(a)in b"]),
        ("a and b or c", ["a and b and c", "a or b or c"]),
        ("(é # and\n and b)", ["(é # and\n or b)"]),
        ("not(a)", ["(a)"]),
        ("all(a)", ["any(a)"]),
        ("f(a[1:], 100, strict=True)", ["f(a[2:], 100, strict=True)", "f(a[1:], 200, strict=True)"]),
        ("a -= b", ["a += b"]),
        ("BOUND = 2", ["BOUND = 3"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        (KEPT.replace("\n    ", "\n").strip(), []),
    ],
)
def test_one_thing_is_changed_and_texts_and_tables_are_kept(source: str, expected: list[str]) -> None:
    assert changed(source) == expected


def test_a_mutant_knows_its_line_and_its_function() -> None:
    source = b"BOUND = 2\ndef f():\n    a = b\n    return a\n"
    outside, inside = Finder("made.py", source).found
    assert (outside.line, outside.function) == (1, ALL_FILES)
    assert (inside.line, source[inside.function :]) == (4, b"a = b\n    return a\n")
    assert str(inside) == "made.py:4: a -> None"


def test_the_same_ones_are_drawn_again_each_in_another_function() -> None:
    drawn = mutants("exports", 10, seed=1)
    assert drawn == mutants("exports", 10, seed=1) != mutants("exports", 10, seed=2)
    functions = [(mutant.path, mutant.function) for mutant in drawn if mutant.function != ALL_FILES]
    assert len({*functions}) == len(functions)
