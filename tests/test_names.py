"""One word, one meaning: a class's name tells which class it is."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_HAND_INS: Final = ("stand_ins", "submissions", "right", "wrong", "reference.py", "skeleton.py")
"""What is in the form of a hand-in, where the names are those that students have to use."""


def test_no_public_class_has_the_name_of_another() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in _python_files("grader", "lab"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    again = {name: found for name, found in places.items() if len(found) > 1}
    assert again == {}


def test_no_text_that_people_read_names_a_function_of_ours() -> None:
    """Renaming a function has put its name into a sentence before."""
    functions = {
        node.name
        for path in _python_files("grader", "lab")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef)
    }
    given = (*_files("student_template/solvers", "*.py"), *_files("grader/exercises", "skeleton.py"))
    handout = ROOT / "student_template/README.md"
    promised = "".join(path.read_text(encoding="utf-8") for path in (handout, *given))
    ours = {name for name in functions if "_" in name.strip("_")} - set(re.findall(r"\w+", promised))
    assert [
        (path.relative_to(ROOT).as_posix(), text)
        for path, text in _texts()
        if ours & set(re.findall(r"\w+", re.sub(r"\{\w+\}", "", text)))
    ] == []


def _texts() -> Iterator[tuple[Path, str]]:
    """Yield the texts of the catalogues, the handouts, and the sentences in code that students run."""
    for path in _files("grader", "*.toml"):
        yield from ((path, text) for text in _values(tomllib.loads(path.read_text(encoding="utf-8"))))
    for path in (*_files("student_template", "*.md"), *_files("grader/exercises", "*.md")):
        yield path, path.read_text(encoding="utf-8")
    for path in _python_files("lab", "student_template"):
        tree = ast.parse(path.read_bytes())
        docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docs:
                yield from [(path, node.value)] * (" " in node.value)


def _values(table: object) -> Iterator[str]:
    if isinstance(table, dict):
        for value in table.values():
            yield from _values(value)
    elif isinstance(table, list):
        for value in table:
            yield from _values(value)
    elif isinstance(table, str):
        yield table


def _files(folder: str, pattern: str) -> list[Path]:
    return sorted((ROOT / folder).rglob(pattern))


def _python_files(*folders: str) -> Iterator[Path]:
    """Yield the sources in folders, without what is in the form of a hand-in."""
    for path in (path for folder in folders for path in _files(folder, "*.py")):
        if set(_HAND_INS).isdisjoint(path.relative_to(ROOT).parts):
            yield path
