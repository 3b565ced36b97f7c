"""One record for an exercise: what others know of it, they take from there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from grader.course.rubric import load_rubric
from grader.exercises.declaration import record
from grader.exercises.registry import titles
from grader.inside.files import SEARCH_FILE, SEARCH_NAME
from grader.release.kit import course_module
from grader.verification.bank import SHIPPED
from lab.exercises import BY_ID, LAB_EXERCISES

ROOT = Path(__file__).parents[3]
COURSE = ROOT / "lab" / "course.py"
IN_THE_BOX = ROOT / "grader" / "inside" / "files.py"
"""Knows where the search is, since the record is not in the box."""


def test_the_box_looks_for_the_search_where_it_is() -> None:
    assert (BY_ID["search"].file, BY_ID["search"].name) == (SEARCH_FILE, SEARCH_NAME)


@cache
def constants(path: Path) -> frozenset[str]:
    found = (each.value for each in ast.walk(ast.parse(path.read_bytes())) if isinstance(each, ast.Constant))
    return frozenset(value for value in found if isinstance(value, str))


FOLDERS = sorted(path.parent for path in (ROOT / "grader" / "exercises").glob("*/exercise.yaml"))
HAND_INS = {SHIPPED, *(folder / kind for folder in FOLDERS for kind in ("right", "wrong"))}
"""The folders of submissions, some of which are no Python."""
SOURCES = [
    path
    for package in ("lab", "grader", "scripts")
    for path in sorted((ROOT / package).rglob("*.py"))
    if HAND_INS.isdisjoint(path.parents) and path not in (COURSE, IN_THE_BOX)
]
PAGES = [
    path
    for path in sorted((ROOT / "grader").rglob("*"))
    if path.suffix in (".js", ".j2", ".toml", ".html") and SHIPPED not in path.parents
]
OTHER_THINGS = (
    ROOT / "lab" / "questions.py",  # on paper: about the three algorithms, whether a course has them or not
    ROOT / "grader" / "exercises" / "analysis",
    ROOT / "grader" / "release" / "kit.py",  # files of lab, two of which are called as exercises' files are
)
WORDS = ("search", "generator", "graph", "cheapest", "Cheapest")
"""Words of the field as well, such as an argument of every solver: alone they name nothing."""


def names_of(folder: Path) -> re.Pattern[str]:
    """What names an exercise: its id, what begins with that, its file, and its class, but for the Search that
    every solver is handed."""
    declared = yaml.safe_load((folder / "exercise.yaml").read_text(encoding="utf-8"))
    names = {re.escape(declared["file"]), rf"{folder.name}[.][a-z][a-z-]+"}
    names |= {declared["class"]} - {"Search", *WORDS} if "class" in declared else set()
    return re.compile("|".join(names | ({folder.name} - {*WORDS})))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_nothing_outside_of_its_folder_names_an_exercise(folder: Path) -> None:
    names = names_of(folder)
    others = [path for path in SOURCES if folder not in path.parents]
    outside = (path for path in others if not {path, *path.parents} & {*OTHER_THINGS})
    found = [(path, text) for path in outside for text in constants(path) if names.fullmatch(text)]
    quoted = re.compile(rf"([\"'])(?:{names.pattern})\1")
    pages = (path for path in PAGES if folder not in path.parents)
    found += [(path, hit[0]) for path in pages for hit in quoted.finditer(path.read_text(encoding="utf-8"))]
    assert found == []


def test_the_lab_knows_of_each_exercise_what_its_folder_declares() -> None:
    """Where this fails: python scripts/lab_course.py."""
    worth = [check for exercise in load_rubric(None, checks=titles()).exercises for check in exercise.checks]
    made = course_module((record(each.id) for each in LAB_EXERCISES), worth)
    assert COURSE.read_text(encoding="utf-8") == made
