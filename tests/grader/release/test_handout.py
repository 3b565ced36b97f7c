"""The handout of a course, in each language, for each choice of exercises."""

from __future__ import annotations

import itertools
import re
from itertools import chain, combinations
from pathlib import Path

import pytest

from grader.course.rubric import SHIPPED, load_rubric
from grader.exercises.registry import titles
from grader.feedback.handout import parts_about, to_html
from grader.languages import DEFAULT
from grader.release.handout import Section, handout
from grader.release.handout import languages as handouts
from lab.exercises import EXERCISES, SOLVER_IDS
from reference.experiments import cover
from tests.docs.pages import ROOT, commands

TEMPLATE = ROOT / "student_template"
HANDOUTS = handouts(TEMPLATE)
IDS = [exercise.id for exercise in EXERCISES]
CHOICES = [
    set(chosen)
    for chosen in chain.from_iterable(combinations(IDS, count) for count in range(1, len(IDS) + 1))
    if "search" in chosen or not set(chosen) & set(SOLVER_IDS)
]
MORE_WORDS = {
    "dfs": ("DFS", "depth-first", "Tiefensuche", "dybde først", "pictures/dfs.svg"),
    "bfs": ("BFS", "breadth-first", "Breitensuche", "bredde først", "pictures/bfs.svg"),
    "dijkstra": ("Dijkstra",),
    "perfection": ("PerfectionChecker", "maze perfect"),
    "generator": ("MyGenerator", "maze gallery", "--algorithm mine", "self.rng"),
    "search": ("`Search`", "first_pending", "maze race", "maze solve"),
}


def made(path: Path, chosen: set[str]) -> str:
    return handout(path.read_text(encoding="utf-8"), chosen)


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
def test_parts_are_numbered_without_a_gap(language: str) -> None:
    for chosen in CHOICES:
        parts = [line for line in made(HANDOUTS[language], chosen).splitlines() if line.startswith("## ")]
        assert [line.split()[1] for line in parts] == [f"{number}." for number in range(1, len(parts) + 1)]
        assert len(parts) == (8 if chosen & {"dfs", "bfs", "dijkstra"} else 6)


@pytest.mark.parametrize("language", HANDOUTS)
def test_every_table_has_its_header_and_every_fold_its_end(language: str) -> None:
    for chosen in CHOICES:
        text = made(HANDOUTS[language], chosen)
        page = to_html(text)
        assert "<p>|" not in page
        assert page.count("<table>") == len(re.findall(r"^\| ?---", text, re.MULTILINE))
        assert page.count("<details>") == page.count("<summary>") == page.count("</details>")


@pytest.mark.parametrize("language", HANDOUTS)
def test_points_are_those_of_the_rubric(language: str) -> None:
    rubric = load_rubric(SHIPPED, checks=titles(), agrees=lambda *_: None)
    points = {each.id: sum(check.points for check in each.checks) for each in rubric.exercises}
    text = HANDOUTS[language].read_text(encoding="utf-8")
    assert handout(text, IDS, points=points) == handout(text, IDS)
    others = handout(text, {"search", "bfs"}, points={"bfs": 12.5})
    rows = [line.split(" | ")[-2] for line in others.splitlines() if line.startswith("| `solvers/")]
    assert rows == ["\N{EN DASH}", "12.5"]


@pytest.mark.parametrize("language", HANDOUTS)
def test_the_row_of_an_added_exercise_stands_in_the_table_of_what_to_write(language: str) -> None:
    added = Section("| `analysis.py` | | a row | 1 | 60 min |\n", "### Its words")
    lines = handout(HANDOUTS[language].read_text("utf-8"), {"bfs", "analysis"}, [added]).splitlines()
    assert lines[lines.index(added.row.strip()) - 1].startswith("| `solvers/bfs.py` | `BFS` |")
    assert added.words in lines


def test_a_part_may_need_exercises_of_both_sides() -> None:
    text = "<!-- if dfs and bfs dijkstra -->\nBoth.\n<!-- end -->\n"
    assert parts_about(text, {"dfs", "dijkstra"}) == "Both.\n"
    assert parts_about(text, {"dfs"}) == parts_about(text, {"bfs", "dijkstra"}) == ""


def numbers(text: str, column: str) -> list[tuple[float, ...]]:
    """The numbers of the rows of the table whose header has such a column."""
    lines = text[text.index(column) :].splitlines()[2:]
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines)
    cells = ([cell.strip() for cell in row.strip("|").split("|")] for row in rows)
    return [tuple(float(cell) for cell in row if cell[:1].isdigit()) for row in cells]


def test_the_numbers_in_answers_are_those_of_the_experiments() -> None:
    rows = numbers(HANDOUTS[DEFAULT].read_text(encoding="utf-8"), "| cells | least")
    steps = cover.measure(sizes=[5, 10, 20], mazes=100, seed=1)
    names = ("cells", *(f"Aldous-Broder, {what}" for what in ("least", "median", "most")))
    columns = [steps.column(name) for name in (*names, "n log²n", "Wilson, median")]
    assert rows[:3] == list(zip(*columns, strict=True))
    for name, path in (("texture", "| dead ends"), ("visited", "| DFS visits")):
        gallery = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
        shown = numbers(HANDOUTS[DEFAULT].read_text(encoding="utf-8"), path)
        assert shown
        assert all(f"{number:.1f}" in gallery for row in shown for number in row), name


@pytest.mark.parametrize("language", HANDOUTS)
def test_the_programs_of_the_handout_run(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    for program in re.findall(r"^```python\n(.*?)^```", HANDOUTS[language].read_text("utf-8"), re.S | re.M):
        exec(program, {"__name__": "handout"})  # noqa: S102 - a program of our own
    rolls = [int(line) for line in capsys.readouterr().out.split()]
    assert len(rolls) == 20
    assert all(count >= 99 + 2 for count in rolls)


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
