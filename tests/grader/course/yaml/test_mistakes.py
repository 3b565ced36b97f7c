"""Files that are no YAML: the mistakes that people make, each refused in plain words, with its line."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.yaml.source import read_yaml
from grader.errors import RubricError

GOOD = """\
title: Mazes as graphs
limits:
  # seconds
  call_cpu_seconds: 5
  call_wall_seconds: 60
  processes: 32
exercises:
  dfs:
    title: Depth-first search
    checks: [one, two]
maze: |
  +-+-+
  |S E|
  +-+-+
"""
FROM = "or as many as another line of its group has"


def refusal(path: Path, text: str) -> RubricError:
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(RubricError) as caught:
        read_yaml(path, error=RubricError)
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("Mazes as", "Mazes: as", (1, 8),
         'a text with a colon in it: expected it in quotes, such as "one: two"'),
        ("title: Mazes", "title:Mazes", (1, 7), "a space is missing after the colon: expected 'title: …'"),
        ("title: Mazes", "title:\u00a0Mazes", (1, 7),
         "a no-break space or one of its kind: expected a plain space"),
        ("processes: 32", "processes:32", (6, 13),
         "a space is missing after the colon: expected 'processes: …'"),
        ("processes: 32", "processes = 32", (6, 3), "expected 'key: value', got a line without a colon"),
        ("  call_wall", "   call_wall", (5, 4),
         f"this line begins with 3 spaces: expected 2 spaces, as in line 4, {FROM}"),
        ("  call_cpu", "     call_cpu", (5, 3),
         f"this line begins with 2 spaces: expected 5 spaces, as in line 4, {FROM}"),
        ("    checks", "     checks", (10, 6),
         f"this line begins with 5 spaces: expected 4 spaces, as in line 9, {FROM}"),
        ("title: Mazes", " title: Mazes", (2, 1),
         f"this line begins with no space: expected 1 space, as in line 1, {FROM}"),
        ("    checks", "\tchecks", (10, 1), "a tab: expected spaces, as YAML indents with spaces only"),
        ("  |S", " |S", (13, 2),
         "the drawing of a maze stands below 'maze: |': expected all its lines indented alike, "
         "by two spaces at least"),
        ("[one, two]", "[one, two", (10, 13), "expected a ']' that closes this '['"),
        ("[one, two]", "[one, two]]", (10, 23), "this ']' closes nothing: expected it to be taken out"),
        ("[one, two]", "[one] two", (10, 13), "expected a text that begins with '[' in quotes"),
        ("Mazes as", '"Mazes as', (1, 8), "expected a second quote at the end of the text"),
        ("Mazes as graphs", "'It's'", (1, 12),
         "the text has ended before this, at the second ': expected a text with ' in it between two \""),
        ("Mazes as graphs", '"a\\graph"', (1, 11),
         "a backslash in double quotes has a meaning of its own: expected single quotes around the text"),
        ("Mazes as graphs", '"\\UFFFFFFFF"', (1, 11),
         "a number that is too large, in an escape or a directive: write out what is meant"),
        ("Mazes", "@Mazes", (1, 8), "expected a text that begins with '@' in quotes"),
        ("Mazes", "*Mazes*", (1, 8), "expected a text that begins with '*' in quotes"),
        ("Mazes", "!Mazes!x", (1, 8), "expected a text that begins with '!' in quotes"),
        ("Mazes", "|Mazes", (1, 8), "expected a text that begins with '|' in quotes"),
        ("[one, two]", "\n      - one\n     - two", (12, 6),
         f"this line begins with 5 spaces: expected 6 spaces, as in line 11, {FROM}"),
        ("  processes: 32", "  processes: 32\n  - two", (7, 3),
         "a list goes on here that has ended: expected its dashes one below the other"),
        ("title: Mazes", "- title: Mazes", (2, 1),
         "expected a dash here as well, or no dash before the first key: keys stand without one"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_plain_words_with_its_line(
    tmp_path: Path, old: str, new: str, place: tuple[int, int], message: str
) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    path = tmp_path / "rubric.yaml"
    error = refusal(path, text)
    line, column = place
    shown = text.split("\n")[line - 1].replace("\t", "→")
    picture = f"  {shown}\n  {' ' * (column - 1)}^"
    assert str(error) == f"{path}:{line}:{column}: {message}\n{picture}"


def test_a_long_line_is_shown_in_part(tmp_path: Path) -> None:
    text = f"a: {'x' * 200} y: {'z' * 200}\n"
    _, line, caret = str(refusal(tmp_path / "rubric.yaml", text)).split("\n")
    assert len(line) <= 78
    assert line[caret.index("^")] == "x"


def test_what_nobody_thought_of_comes_in_the_words_of_the_parser(tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    assert str(refusal(path, "a: 1\n...\nb: 2\n")) == (
        f"{path}:3:1: this is no YAML (expected '<document start>', but found '<block mapping start>'): "
        "expected 'key: value', a line each\n  b: 2\n  ^"
    )


@given(place=st.integers(0, len(GOOD) - 1), text=st.text("\n :-'\"[]{}#|>&*!%@`\\ab", max_size=4))
def test_any_change_is_read_or_refused_inside_the_file(place: int, text: str) -> None:
    changed = GOOD[:place] + text + GOOD[place + 1 :]
    with TemporaryDirectory() as folder:
        path = Path(folder, "changed.yaml")
        path.write_text(changed, encoding="utf-8", newline="")
        found = error_of(path)
    if found is not None:
        lines = changed.split("\n")
        assert 1 <= (found.line or 0) <= len(lines)
        assert 1 <= (found.column or 0) <= len(lines[(found.line or 0) - 1]) + 1


def error_of(path: Path) -> RubricError | None:
    try:
        read_yaml(path, error=RubricError)
    except RubricError as error:
        return error
    return None
