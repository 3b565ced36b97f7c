"""Comments at lines: refused with the nearest line, shown with the work that was seen, and moving no mark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from grader.batch.code_text import code_with
from grader.batch.ledger import Decision, append, commented, decisions, line_comments
from grader.batch.line_comments import find_line, read_comment, with_line_comments
from grader.batch.marks import without_layers
from grader.batch.submission_report import Report
from grader.errors import InputError
from grader.feedback import render_html
from grader.feedback.markdown import render_comment, render_markdown
from grader.model import ResultsJson
from tests.grader.batch.marked_class import results_of

CODE = code_with(
    {
        "solvers/dfs.py": b"\xef\xbb\xbfclass DFS:\r\n    def solve(self):\x0c\r\n        pass\r\n",
        "solvers/helper.py": b"# ====== no name of a file\n",
        "empty.py": b"",
    }
)
COMMENT = Decision(
    "2026-10-01",
    "bo",
    "ada",
    "line-comment",
    0.0,
    comment="Which <b>cells</b>?",
    work="first",
    file="solvers/dfs.py",
    digest="d",
    line=3,
    source="    while stack:",
    number=1,
    attempt=1,
)


@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("solvers/dfs.py:1", "class DFS:"),
        (" solvers/dfs.py:2 ", "    def solve(self):\x0c"),
        ("solvers/dfs.py:3", "        pass"),
        ("solvers/helper.py:1", "# ====== no name of a file"),
    ],
)
def test_a_line_is_found_as_python_counts_it(place: str, source: str) -> None:
    assert find_line(CODE, place).source == source


@pytest.mark.parametrize(
    ("place", "nearest"),
    [
        ("solvers/dfs.py:0", "did you mean solvers/dfs.py:1?"),
        ("solvers/dfs.py:4", "has 3 lines, and no line 4: did you mean solvers/dfs.py:3?"),
        ("dfs.py:2", r"\(solvers/dfs.py, solvers/helper.py, empty.py\): did you mean solvers/dfs.py:2?"),
        ("solvers/helpers.py:1", "did you mean solvers/helper.py:1?"),
        ("x:1", "did you mean solvers/dfs.py:1?"),
        ("empty.py:1", "has 0 lines, and no line 1$"),
        ("solvers/dfs.py", "expected a line such as solvers/dfs.py:12, got solvers/dfs.py"),
        ("solvers/dfs.py:\u0663", "expected a line such as"),
    ],
)
def test_a_line_that_is_not_there_is_refused_with_the_nearest(place: str, nearest: str) -> None:
    with pytest.raises(InputError, match=nearest):
        find_line(CODE, place)


def test_without_code_no_line_is_found() -> None:
    with pytest.raises(InputError, match="expected code that was graded, found none"):
        find_line(b"", "solvers/dfs.py:1")


@pytest.mark.parametrize("text", ["", " \n", "x" * 2001])
def test_a_comment_has_at_most_2000_characters(text: str) -> None:
    with pytest.raises(InputError, match="expected a comment of 1 to 2,000 characters, got "):
        read_comment(text, {})


def test_a_comment_may_be_a_key() -> None:
    assert read_comment(" loop ", {"loop": "This never ends."}) == "This never ends."
    assert read_comment(" loops ", {"loop": "This never ends."}) == "loops"


def results(score: float = 100.0, **more: Any) -> ResultsJson:
    return cast(ResultsJson, results_of(score, **more))


def test_a_comment_is_shown_with_the_work_that_was_seen_and_counted_with_any_other() -> None:
    other = replace(COMMENT, number=2, work="second", attempt=2)
    first = with_line_comments(results(), [COMMENT, replace(COMMENT, number=3), other], "first")
    assert [each["number"] for each in first["comments"]] == [1, 3]
    assert first["earlier_comments"] == [{"attempt": 2, "count": 1}]
    third = with_line_comments(results(), [COMMENT, replace(COMMENT, number=3), other], "third")
    assert "comments" not in third
    assert third["earlier_comments"] == [{"attempt": 1, "count": 2}, {"attempt": 2, "count": 1}]
    assert "2 comments on attempt 1." in render_html(third)
    assert "1 comment on attempt 2." in render_markdown(third)


def test_a_comment_moves_no_mark_and_is_a_layer_that_can_be_taken_off() -> None:
    plain = results(80.0)
    made = with_line_comments(plain, [COMMENT], "first")
    assert made == {**plain, "comments": made["comments"]}
    assert without_layers(made) == plain
    assert without_layers(with_line_comments(plain, [COMMENT], "other")) == plain
    fault = results(0.0, fault="the disk was full")
    assert with_line_comments(fault, [COMMENT], "first") is fault


def test_full_marks_have_it_too_with_its_line_in_each_form_and_escaped() -> None:
    made = with_line_comments(results(), [COMMENT], "first")
    page = render_html(made)
    assert '<p class="words">Which &lt;b&gt;cells&lt;/b&gt;?</p>' in page
    assert '<a href="#dfs">solvers/dfs.py, line 3</a>' in page
    assert "```text\nwhile stack:\n```" in render_markdown(made)
    assert "solvers/dfs.py, line 3: Which &lt;b&gt;cells" in render_comment(made)


def test_it_is_read_while_hidden_checks_are_not_shown() -> None:
    whole = results(comments=[{"when": "", "who": "", "text": "about the whole mark"}])
    seen = Report(with_line_comments(whole, [COMMENT], "first")).without_hidden().data
    assert [each["text"] for each in seen["comments"]] == ["Which <b>cells</b>?"]


def test_a_later_line_of_the_ledger_changes_a_comment_or_takes_it_back(tmp_path: Path) -> None:
    append(tmp_path, COMMENT, replace(COMMENT, number=2), replace(COMMENT, comment="Better."))
    append(tmp_path, replace(COMMENT, action="no-line-comment", number=2), replace(COMMENT, submission="bob"))
    found = line_comments(tmp_path)
    assert [each.comment for each in found["ada"]] == ["Better."]
    assert decisions(tmp_path) == {}
    assert commented([]) == []


@pytest.mark.parametrize("change", ['"line": 3.5', '"line": true', '"number": null', '"file": 3'])
def test_a_line_that_no_grader_wrote_is_refused(tmp_path: Path, change: str) -> None:
    append(tmp_path, COMMENT)
    path = tmp_path / "ledger.jsonl"
    before = {'"file"': '"file": "solvers/dfs.py"', '"line"': '"line": 3', '"number"': '"number": 1'}
    path.write_text(path.read_text().replace(before[change.split(":")[0]], change))
    with pytest.raises(InputError, match="expected a decision as grader adjust writes it"):
        line_comments(tmp_path)
