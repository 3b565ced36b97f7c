"""What is read for a person: a student's text as HTML that is safe, and what goes beyond the bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grader.exercises.kit.check import Case, Check, PlannedExercise, each
from grader.exercises.kit.folders import written
from grader.exercises.kit.folders.code import KNOWN
from grader.exercises.kit.folders.written import WRITTEN
from grader.grading.handed_in import MOST_BYTES, read_for_person, to_html
from grader.languages import catalogue, said
from grader.model import Call, Claim, Target
from grader.model.claims import Ask
from grader.reader import read_here, reading_here


class _Own:
    """What is known of an exercise of a course."""

    def __init__(self, *, is_text: bool) -> None:
        self.exercise = self
        self.is_read, self.is_text, self.literals, self.skeleton = True, is_text, ("why",), "# essay\n"


@pytest.fixture
def essay(monkeypatch: pytest.MonkeyPatch) -> PlannedExercise:
    own: Any = _Own(is_text=True)
    monkeypatch.setitem(KNOWN, "essay", own)
    check = Check("essay.why", "Why", (), lambda *_: None, by_person=True)
    return PlannedExercise("essay", "Essay", Target("essay.md", "essay"), (check,))


def verdict(essay: PlannedExercise, content: bytes | None, read: Any = read_here) -> tuple[str, str]:
    found = read_for_person(essay, content, read).verdict(essay.checks[0], is_unwritten=False)
    return found.status, catalogue("en").say(found.message)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](data:text/html,x)", "<p>[x](data:text/html,x)</p>\n"),
        ("# One", "<h5>One</h5>\n"),
        (
            "[x](https://x.org)",
            '<p><a rel="noopener noreferrer nofollow" href="https://x.org">x</a></p>\n',
        ),
    ],
)
def test_nothing_that_a_student_writes_is_html(text: str, html: str) -> None:
    with reading_here():
        assert to_html(text) == html


def test_there_are_no_pictures() -> None:
    with reading_here():
        assert "<img" not in to_html("![p](https://x.org/p.png)")


def test_a_text_is_parsed_within_bounds_only() -> None:
    with pytest.raises(RuntimeError, match="expected a reader"):
        to_html("# One")


def test_what_waits_for_a_person(essay: PlannedExercise) -> None:
    assert verdict(essay, b"Because.") == ("unmarked", "A person marks this.")
    assert verdict(essay, None) == ("missing", "The file essay.md was not handed in.")
    assert verdict(essay, b"# essay") == ("skipped", "In essay.md nothing is written yet.")


def test_what_cannot_be_shown_is_for_a_person_too(essay: PlannedExercise) -> None:
    def beyond(_work: Callable[[], object], _kind: object) -> None:
        return None

    for content, read, why in (
        (b"x" * (MOST_BYTES + 1), read_here, "the text in essay.md, which has more than 64 KiB"),
        (b"\xff", read_here, "essay.md, which is no text in UTF-8"),
        (b"x", beyond, "essay.md, which took too much time or memory to read"),
    ):
        status, told = verdict(essay, content, read)
        assert (status, why in told) == ("unmarked", True)


def test_literals_beyond_the_bounds_are_for_a_person() -> None:
    assert WRITTEN.reads is not None
    claim = Claim("c", "returned", WRITTEN.reads(lambda: "why = 1", lambda *_: None))
    case = Case(Call("c", Ask("", (), 1)), said("the_value", name="why"), ("guess", "why"))
    wrong = each(written._judge)((case,), {"c": claim})
    assert wrong is not None
    assert wrong.finding.status == "unmarked"
