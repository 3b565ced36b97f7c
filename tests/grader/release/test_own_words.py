"""What a course says in its own words: title, handout and texts, in the language of its rubric."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.course.plan import load_plan
from grader.errors import InputError
from grader.exercises.kit.folders.code import KNOWN
from grader.languages import catalogue
from grader.release.kit import Kit, kit_of
from tests.docs.pages import ROOT
from tests.grader.exercises.folders.made_folders import dead_ends, written

pytestmark = pytest.mark.usefixtures("_reads_here")

SORTING = """
    title: Sorting
    own_exercises: [sorting]
    exercises: {sorting: {checks: {sorting.short: 100}}}
"""


@pytest.fixture
def sorting(tmp_path: Path) -> Path:
    """A course without a maze."""
    shutil.copytree(ROOT / "tests/golden/given/keys/sorting", tmp_path / "sorting")
    (tmp_path / "mazes").mkdir()
    written(tmp_path, {"rubric.yaml": SORTING})
    return tmp_path / "rubric.yaml"


def kit(rubric: Path, language: str = "") -> Kit:
    return kit_of(load_plan(rubric, explain=False), language)


def text(rubric: Path, name: str = "student_template/README.md", language: str = "") -> str:
    return kit(rubric, language).files[name].decode()


@pytest.mark.parametrize("language", ["en", "de", "nb"])
def test_a_course_without_mazes_has_no_handout_about_them(sorting: Path, language: str) -> None:
    readme = text(sorting, language=language)
    assert readme.startswith("# Sorting\n")
    words = ("labyrinth", "labyrint ", "labyrinter", "mazes", "sample_maze", "Vector", "graph")
    assert [word for word in words if word.casefold() in readme.casefold().replace("mazes-lab", "")] == []
    parts = [line.split()[1] for line in readme.splitlines() if line.startswith("## ")]
    assert parts == [f"{number}." for number in range(1, 6)]
    assert "# Sorting\n" in text(sorting, "README.md", language)


def test_its_own_words_come_first(sorting: Path) -> None:
    written(
        sorting.parent, {"handout/en.md": "Lists are *sorted* here.", "handout/nb.md": "Her sorteres det."}
    )
    assert text(sorting).startswith("# Sorting\n\nLists are *sorted* here.\n\n## 1. Get started\n")
    assert text(sorting, language="nb").startswith("# Sorting\n\nHer sorteres det.\n")
    page = kit(sorting, "de").files["student_template/handout.html"].decode()
    assert "<title>Sorting</title>" in page
    assert "<p>Lists are <em>sorted</em> here.</p>" in page


def test_the_rubrics_language_stands_for_others(sorting: Path) -> None:
    written(sorting.parent, {"handout/nb.md": "Her sorteres det."})
    sorting.write_text(f"language: nb\n{sorting.read_text()}")
    assert "Her sorteres det." in text(sorting, language="en")


def test_parts_on_mazes_stand_where_cases_draw_some_under_other_names(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/golden/given/keys", tmp_path / "keys")
    (tmp_path / "mazes").mkdir()
    readme = text(tmp_path / "keys/rubric.yaml")
    assert readme.startswith("# Keys, rooms and lists\n\nWhat is drawn of a maze")
    assert "## 2. The lab\n" in readme


NORWEGIAN = """
    title = "Blindveier"
    [checks]
    rooms = "Rom"
    [said]
    other_count = "telte {count} av {wanted}"
"""
JUDGE = """
    def judge(arguments, returned, expected):
        if returned != expected:
            return "other_count", {"count": returned, "wanted": expected}
"""


def norwegian(root: Path, **texts: str) -> Path:
    files = {f"texts/{language}.toml": words for language, words in texts.items()}
    rubric = dead_ends(root, {"judge.py": JUDGE, **files})
    rubric.write_text(f"language: nb\n{rubric.read_text()}")
    return rubric


def test_texts_of_the_rubrics_language_stand_for_english_ones(tmp_path: Path) -> None:
    load_plan(norwegian(tmp_path, nb=NORWEGIAN, de='title = "Sackgassen"'), explain=False)
    own = KNOWN["dead_ends"].exercise
    assert (own.title, own.text("title", "de"), own.text("checks.rooms", "de")) == (
        "Blindveier",
        "Sackgassen",
        "Rom",
    )
    said = [catalogue(code).texts["own.dead_ends.said.other_count"] for code in ("en", "de", "nb")]
    assert said == ["telte {count} av {wanted}"] * 3
    assert '"telte {count} av {wanted}"' not in text(
        tmp_path / "rubric.yaml", "student_template/tests/test_dead_ends.py"
    )


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (
            {"de": 'title = "Sackgassen"'},
            "nb.toml: expected texts in the rubric's language, or in English, in a file",
        ),
        ({"nb": NORWEGIAN, "de": 'row = "zählt"'}, "de.toml: no text of nb.toml has the key row"),
        (
            {"nb": NORWEGIAN, "de": '[said]\nother_count = "{anzahl}"'},
            "expected the values ['count', 'wanted'], as in nb.toml, got ['anzahl']",
        ),
        (
            {"nb": 'title = "Blindveier"'},
            "says 'other_count', and texts/nb.toml has no sentence said.other_count",
        ),
    ],
)
def test_other_languages_are_held_against_it(tmp_path: Path, texts: dict[str, str], told: str) -> None:
    with pytest.raises(InputError) as refused:
        load_plan(norwegian(tmp_path, **texts))
    assert told in str(refused.value)


RETURNS_MOVES = """
    id: dead_ends
    file: dead_ends.py
    class: DeadEnds
    methods:
      first: {arguments: [maze, rng], returns: moves}
      copies: {arguments: [dimension], returns: maze}
    checks:
      rooms: {method: first, cases: [way]}
      corridors: {method: copies, cases: [way]}
"""
RIGHT = """
    from lab import Factory

    class DeadEnds:
        def first(self, maze, rng):
            return []

        def copies(self, dimension):
            return Factory().fully_connected(dimension)
"""


def test_a_skeleton_imports_what_it_names(tmp_path: Path) -> None:
    load_plan(dead_ends(tmp_path, {"exercise.yaml": RETURNS_MOVES, "reference.py": RIGHT}), explain=False)
    skeleton = KNOWN["dead_ends"].exercise.skeleton
    assert "from random import Random\nfrom lab import Dimension, Maze, Vector\n" in skeleton
    exec(skeleton.replace("from __future__ import annotations\n", ""), {})  # noqa: S102 - its names are there
