"""No secret gets out of a kit, in whatever form somebody put it there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from grader.course.maze_files import MazeFile
from grader.course.plan import load_plan
from grader.languages import languages
from grader.release.cases import FEW_CELLS
from grader.release.handout import canonical
from grader.release.kit import make_kit
from grader.release.secrets import Secrets, collect_secrets, find_leaks
from lab import Maze
from lab.exercises import EXERCISES, FILES
from tests.docs.pages import ROOT

TESTS = "student_template/tests/test_bfs.py"

plan = cache(load_plan)


@cache
def secrets() -> Secrets:
    return collect_secrets(plan())


def hidden() -> list[MazeFile]:
    return [maze for maze in plan().rubric.mazes if maze.visibility == "hidden"]


def told(text: str, *, file: str = "student_template/notes.txt") -> list[str]:
    return [str(leak) for leak in find_leaks({file: text.encode()}, secrets())]


def test_the_kit_of_the_shipped_rubric_keeps_all_secrets() -> None:
    for language in languages():
        kit = make_kit([exercise.id for exercise in EXERCISES], language)
        assert find_leaks(kit.files, secrets()) == []


def upside_down(rows: list[str]) -> list[str]:
    return rows[::-1]


def mirrored(rows: list[str]) -> list[str]:
    return [row[::-1] for row in rows]


def transposed(rows: list[str]) -> list[str]:
    return ["".join(column).translate(str.maketrans("-|", "|-")) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("change", [list, upside_down, mirrored, transposed])
def test_no_hidden_maze_gets_out(change: Callable[[list[str]], list[str]]) -> None:
    for maze in hidden():
        if Maze.from_text(maze.text).dimension.position_count > FEW_CELLS:
            rows = change(maze.text.splitlines())
            found = told("A note\n" + "".join(f"  # {row}\n" for row in rows))
            assert found[0].startswith("student_template/notes.txt:2: "), maze.name
            assert told("text = " + repr("\n".join(rows))), maze.name


def test_a_large_one_is_known_by_its_walls() -> None:
    spiral = next(maze for maze in hidden() if maze.name == "A spiral")
    assert told(spiral.text.replace("S", " ").replace("E", "S"))[0].endswith(": the hidden maze “A spiral”")


def test_what_a_large_hidden_check_asks_about_does_not_get_out() -> None:
    check = next(
        check for exercise in plan().exercises for check in exercise.checks if check.id == "bfs.large"
    )
    text = check.cases[0].maze
    assert text is not None
    assert canonical(tuple(text.splitlines())) in secrets().mazes
    assert told(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("see dfs.hidden-mazes", "the id of the hidden check dfs.hidden-mazes"),
        (
            "one is for a solver that says None\n# where any cell is out of reach",
            "what is said of the hidden maze",
        ),
        ("A cycle and an island", "what is said of the hidden maze “A cycle and an island”"),
    ],
)
def test_no_word_of_what_is_hidden_gets_out(text: str, what: str) -> None:
    (leak,) = told(text)
    assert what in leak
    assert leak.startswith("student_template/notes.txt:1: ")


def test_three_words_about_a_hidden_maze_are_secret_and_two_are_not() -> None:
    said = [text for maze in hidden() for text in (maze.name, *maze.caught)]
    assert {len(text.split()) for text in said} >= {2, 3}
    assert [text for text in said if (text in secrets().words) != (len(text.split()) > 2)] == []


@pytest.mark.parametrize("file", FILES)
def test_no_answer_gets_out(file: str) -> None:
    answer = (ROOT / "reference" / file).read_text(encoding="utf-8")
    here = f"student_template/{file}"
    assert f"{here}:" in told(answer, file=here)[0]
    assert any("is implemented, although" in leak for leak in told(answer, file=here))
    assert any("code of the answers" in leak for leak in told(answer, file="lab/helper.py"))
    quoted = "".join(f"> {line}\n" for line in answer.splitlines())
    assert any("code of the answers" in leak for leak in told(quoted, file="README.md"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("from reference.solvers.bfs import BFS", "2: imports reference, which students do not get"),
        ("import grader.cli", "2: imports grader, which students do not get"),
        ("def half(:", "2: is not valid Python, so it cannot be checked"),
    ],
)
def test_no_code_that_leads_to_the_answers_gets_out(text: str, what: str) -> None:
    assert told(f"\n{text}\n", file=TESTS) == [f"{TESTS}:{what}"]


@pytest.mark.parametrize("content", ["+-+-+\n|S E|\n+-+-+".encode("utf-16"), b"PK\x03\x04\x14\x00\xff\xfe"])
def test_what_cannot_be_searched_does_not_get_out(content: bytes) -> None:
    (leak,) = find_leaks({"student_template/notes.zip": content}, secrets())
    assert str(leak) == "student_template/notes.zip:1: is not text in UTF-8, so it cannot be checked"
