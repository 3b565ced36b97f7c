"""Files that are no YAML. What is said of the mistakes that people make: tests/golden/refusals/rubric."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.yaml_source import read_yaml
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


def refusal(path: Path, text: str) -> RubricError:
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(RubricError) as caught:
        read_yaml(path, error=RubricError)
    return caught.value


def test_a_long_line_is_shown_in_part(tmp_path: Path) -> None:
    text = f"a: {'x' * 200} y: {'z' * 200}\n"
    _, line, caret = str(refusal(tmp_path / "rubric.yaml", text)).split("\n")
    assert len(line) <= 78
    assert line[caret.index("^")] == "x"


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
