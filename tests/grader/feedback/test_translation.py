"""Pages in another language than results.json: titles, the sentences of the judges, hints."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from grader.checks import TITLES
from grader.course import exercises
from grader.feedback import render_html, render_markdown, render_text
from grader.feedback.page import CheckView, page_of
from grader.feedback.translation import MOST_DEPTH, said, translated
from grader.languages import catalogue
from lab.exercises import BY_ID

ROOT = Path(__file__).parents[3]
DATA = Path(__file__).parent / "data"
ENGLISH, NORWEGIAN = catalogue("en"), catalogue("nb")
SENTENCES = {key: text for key, text in ENGLISH.texts.items() if key.startswith("said.")}
SPEAKING = (
    *(ROOT / "grader" / "oracle").glob("*.py"),
    *(ROOT / "grader" / "checks").glob("*.py"),
    ROOT / "grader" / "grading" / "verdicts.py",
)
"""The files whose texts come into results.json."""
SILENT = (
    r"expected a case with a (maze|script), got \x00",
    r"maze (solve|generate) .*",
    r"python -c .*",
    r"from lab import .*",
    r"-r .* -c .*",
    r"\x00\(\)\.solve\(maze, Search\(\)\)",
    r"search = Search\(\)",
    r"(extra|missing|no) (passage|way)|cycle and island|long (im)?perfect|exit status",
    r"Wrong \| None|\+-\+.*",
    r"… \x00 in all|\(\x00, \x00\)|\x00 \(a \x00\)|MyGenerator\(.*",
    r"[\x00 :;()]*",
)
"""Texts that are no sentences: commands, code, names of families, values as the program writes them."""


def sample(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return results


def checks_of(results: dict[str, Any], language: str) -> dict[str, CheckView]:
    page = translated(page_of(results), catalogue(language))
    return {check.id: check for exercise in page.exercises for check in exercise.checks}


# --- the catalogue knows all that the grader says ---------------------------------------------------


def spoken(path: Path) -> Iterator[str]:
    """The texts of two words or more in a file, with a NUL for each value that is put in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


@pytest.mark.parametrize("path", SPEAKING, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_text_of_the_judges_is_in_the_catalogue(path: Path) -> None:
    """Whoever writes a new sentence finds out here that it needs a line in each catalogue."""
    known = " | ".join([*ENGLISH.texts.values(), *exercises.TITLES.values()])
    unknown = [
        text
        for text in spoken(path)
        if " " in text.strip() and not any(re.fullmatch(silent, text, re.DOTALL) for silent in SILENT)
        if not all(part.strip(" .") in known for part in text.split("\0"))
    ]
    assert unknown == []


def test_the_titles_are_those_of_the_checks() -> None:
    titles = {f"exercise.{exercise}": title for exercise, title in exercises.TITLES.items()}
    for exercise, declared in TITLES.items():
        owner = BY_ID[exercise].kind
        titles |= {f"{owner}.{check.partition('.')[2]}": title for check, title in declared.items()}
    told = {
        key.removeprefix("title."): text for key, text in ENGLISH.texts.items() if key.startswith("title.")
    }
    assert told == titles


# --- sentences --------------------------------------------------------------------------------------

VALUES = {
    "call": ("search.record((1, 1), EAST, (1, 2))",) * 2,
    "cell": ("(1, 2)",) * 2,
    "cells": ("9",) * 2,
    "count": ("12",) * 2,
    "ending": ("used more memory than it may", "brukte mer minne enn den får"),
    "exit": ("(3, 1)",) * 2,
    "expected": ("a perfect maze of 2 x 3", "en perfekt labyrint på 2 x 3"),
    "file": ("solvers/search.py",) * 2,
    "finding": ("changed the maze that it was given", "endret labyrinten den fikk"),
    "flaw": ("2 cells out of reach", "2 celler utenfor rekkevidde"),
    "index": ("3",) * 2,
    "kind": ("KeyError",) * 2,
    "label": ("a maze of 2 x 3", "en labyrint på 2 x 3"),
    "line": ("7",) * 2,
    "move": ("east", "øst"),
    "number": ("4",) * 2,
    "ordinal": ("2nd", "2."),
    "other_flaw": ("1 cell out of reach", "1 celle utenfor rekkevidde"),
    "place": ("the exit (1, 3)", "utgangen (1, 3)"),
    "seed": ("2026",) * 2,
    "seeds": ("10",) * 2,
    "sentence": ("changed the maze that it was given.", "endret labyrinten den fikk."),
    "shortest": ("5",) * 2,
    "size": ("2 x 3",) * 2,
    "solver": ("Dijkstra",) * 2,
    "wanted": ("a LookupError", "en LookupError"),
}
"""What stands for the names of a template, in English and in Norwegian; for others, the same in both."""


@pytest.mark.parametrize("key", SENTENCES)
def test_every_sentence_is_recognised_and_told_apart_from_the_others(key: str) -> None:
    names = {name for _, name, _, _ in Formatter().parse(SENTENCES[key]) if name}
    english, norwegian = (
        {name: VALUES.get(name, (f"<{name}>",) * 2)[side] for name in names} for side in (0, 1)
    )
    assert said(ENGLISH(key, **english), NORWEGIAN) == NORWEGIAN(key, **norwegian)


@pytest.mark.parametrize(
    ("english", "norwegian"),
    [
        (
            "On a maze of 1 x 3, DFS visited (1, 1) as the 22nd cell; expected the exit (1, 3). Note that "
            "Search fails checks of its own, and DFS builds on it: mend Search first.",
            "På en labyrint på 1 x 3: DFS besøkte (1, 1) som 22. celle; forventet utgangen (1, 3). Merk at "
            "Search ikke består sine egne sjekker, og DFS bygger på den: rett Search først.",
        ),
        (
            "On the maze “Two loops”, is_perfect returned 1 (a int). Expected False: the maze has a cycle, "
            "so that two ways lead to some cells and 2 cells out of reach.",
            "På labyrinten «Two loops»: is_perfect returnerte 1 (a int). Forventet False: labyrinten har en "
            "sykel, så to veier fører til noen av cellene og 2 celler utenfor rekkevidde.",
        ),
        (
            "On a maze of 2 x 2, BFS raised KeyError: (1, 2) while it was made (solvers/bfs.py, line 7, in "
            "__init__), though it is right when called alone.",
            "På en labyrint på 2 x 2: BFS stoppet med KeyError: (1, 2) mens objektet ble laget "
            "(solvers/bfs.py, linje 7, i __init__), enda svaret er riktig når kallet gjøres alene.",
        ),
        (
            "search.first_pending() raised KeyError; expected a LookupError.",
            "search.first_pending() stoppet med KeyError; forventet en LookupError.",
        ),
    ],
)
def test_sentences_inside_of_sentences(english: str, norwegian: str) -> None:
    assert said(english, NORWEGIAN) == norwegian


@pytest.mark.parametrize(
    "text", ["", "Hello there.", "." * 900, "On a maze, DFS fell asleep.", "raised " + "x" * 2_000]
)
def test_what_is_no_sentence_of_the_graders_stays(text: str) -> None:
    assert said(text, NORWEGIAN) is None


def test_sentences_do_not_nest_without_end() -> None:
    nested = "changed the maze that it was given" + ", though it is right when called alone" * MOST_DEPTH
    assert said(nested, NORWEGIAN) is None


# --- pages ------------------------------------------------------------------------------------------


def test_a_title_of_the_instructors_own_stays() -> None:
    results = sample("wrong")
    results["exercises"][1] |= {"title": "Part two"}
    page = translated(page_of(results), NORWEGIAN)
    assert [exercise.title for exercise in page.exercises[:3]] == ["Søket", "Part two", "Bredde først-søk"]


@pytest.mark.parametrize(("graded", "shown"), [("en", "nb"), ("nb", "en")])
def test_the_hint_of_a_misconception_comes_in_the_language_of_the_page(graded: str, shown: str) -> None:
    results = sample("wrong") | {"language": graded}
    check = next(c for e in results["exercises"] for c in e["checks"] if c["id"] == "dfs.visit-order")
    hints = {code: catalogue(code)("hint.west-first") for code in (graded, shown)}
    check |= {"hint": hints[graded], "misconception": {"id": "dfs.west-first"}}
    assert checks_of(results, shown)["dfs.visit-order"].hint == hints[shown]
    assert checks_of(results, graded)["dfs.visit-order"].hint == hints[graded]
    for render in (render_text, render_markdown, render_html):
        assert " ".join(hints[shown].split()[:4]) in render(results, language=shown)


def test_what_stays_english_is_marked_as_english() -> None:
    results = sample("wrong")
    check = next(c for e in results["exercises"] for c in e["checks"] if c["id"] == "dfs.visit-order")
    check["message"] = "On a maze of 3 x 3, DFS changed the maze that it was given."
    before = render_html(results, language="nb").count('<p class="message" lang="en">')
    check["message"] = "A sentence of another version."
    page = render_html(results, language="nb")
    assert '<p class="message" lang="en">A sentence of another version.</p>' in page
    assert 'lang="en">A sentence' not in render_html(results, language="en")
    assert page.count('<p class="message" lang="en">') == before + 1
