"""One word, one meaning: a class's name tells which class it is."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_HAND_INS: Final = ("stand_ins", "submissions", "right", "wrong", "reference.py", "skeleton.py")
"""What is in the form of a hand-in, where the names are those that students have to use."""


def test_no_public_class_has_the_name_of_another() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for folder in ("grader", "lab") for path in (ROOT / folder).rglob("*.py")):
        if set(_HAND_INS).isdisjoint(path.relative_to(ROOT).parts):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(path.relative_to(ROOT).as_posix())
    again = {name: found for name, found in places.items() if len(found) > 1}
    assert again == {}
