"""The handout of a course, in each language, for each choice of exercises."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest

from grader.languages import DEFAULT, catalogue, languages
from grader.release.handout import handout
from grader.release.handout import languages as handouts
from grader.release.kit import make_kit
from lab.exercises import BY_ID, EXERCISES, SOLVER_IDS
from tests.docs.pages import ROOT, commands
from tests.grader.languages.whole import WHOLE

TEMPLATE = ROOT / "student_template"
HANDOUTS = handouts(TEMPLATE)
IDS = [exercise.id for exercise in EXERCISES]
CHOICES = [
    set(chosen)
    for chosen in chain.from_iterable(combinations(IDS, count) for count in range(1, len(IDS) + 1))
    if "search" in chosen or not set(chosen) & set(SOLVER_IDS)
]
MORE_WORDS = {
    "perfection": ("PerfectionChecker", "maze perfect"),
    "generator": ("MyGenerator", "maze gallery", "--algorithm mine", "self.rng"),
    "search": ("`Search`", "first_pending", "maze race", "maze solve"),
}


def readme_of(language: str) -> str:
    return make_kit(["perfection"], language).files["README.md"].decode()


def made(path: Path, chosen: set[str]) -> str:
    return handout(path.read_text(encoding="utf-8"), chosen)


def test_the_languages() -> None:
    assert set(WHOLE) <= set(HANDOUTS) <= set(languages())
    assert {code for code, path in HANDOUTS.items() if path.name == "README.md"} == {DEFAULT}


@pytest.mark.parametrize("language", HANDOUTS)
def test_what_a_program_translated_says_so(language: str) -> None:
    """In the third line, under the title: a remark in the handout, the same words in the readme."""
    handout = HANDOUTS[language].read_text(encoding="utf-8").splitlines()[2]
    is_told = handout.startswith("*") and handout.endswith("*")
    assert is_told == bool(catalogue(language)("page.machine_made"))
    assert (readme_of(language).splitlines()[2] == handout.strip("*")) == is_told


@pytest.mark.parametrize("language", HANDOUTS)
def test_an_exercise_is_in_the_handout_where_it_is_in_the_course(language: str) -> None:
    for chosen in CHOICES:
        text = made(HANDOUTS[language], chosen)
        assert "<!--" not in text
        assert "\n\n\n" not in text
        assert {each.id for each in EXERCISES if f"`{each.file}`" in text} == chosen
        left_out = [word for id_, words in MORE_WORDS.items() if id_ not in chosen for word in words]
        assert [word for word in left_out if word in text] == []


@pytest.mark.parametrize("language", HANDOUTS)
def test_with_all_exercises_all_of_it_is_there(language: str) -> None:
    whole = HANDOUTS[language].read_text(encoding="utf-8")
    lines = [line for line in whole.splitlines() if line and not line.startswith("<!--")]
    assert [line for line in made(HANDOUTS[language], set(IDS)).splitlines() if line] == lines


@pytest.mark.parametrize("language", HANDOUTS)
def test_parts_are_numbered_without_a_gap(language: str) -> None:
    for chosen in CHOICES:
        parts = [line for line in made(HANDOUTS[language], chosen).splitlines() if line.startswith("## ")]
        assert [line.split()[1] for line in parts] == [f"{number}." for number in range(1, len(parts) + 1)]
        assert len(parts) == 7 if chosen & {"dfs", "bfs", "dijkstra"} else 6


def test_one_solver_of_three() -> None:
    text = made(HANDOUTS[DEFAULT], {"search", "bfs"})
    assert f"`{BY_ID['bfs'].file}`" in text
    assert "breadth-first search begins" in text
    assert "depth-first search begins" not in text
    assert "test_dfs.py" not in text


@pytest.mark.parametrize("language", HANDOUTS)
def test_every_language_has_the_same_commands_marks_and_drawings(language: str) -> None:
    def marks(path: Path) -> list[str]:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [
            line for line in lines if line.startswith(("<!--", "    +", "    |", "| A |", "| B |", "| C |"))
        ]

    path = HANDOUTS[language]
    assert [command.line for command in commands(path)] == [
        command.line for command in commands(HANDOUTS[DEFAULT])
    ]
    assert marks(path) == marks(HANDOUTS[DEFAULT])
