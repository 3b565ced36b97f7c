"""What a page says first of work that was refused, came late, or lost its mark."""

from __future__ import annotations

from typing import Any

import pytest

from grader.feedback import render_html, render_markdown, render_text
from grader.feedback.page import read_page
from tests.grader.feedback.test_feedback import sample


@pytest.mark.parametrize("render", [render_html, render_text, render_markdown])
def test_a_refused_page_says_first_what_to_hand_in(render: Any) -> None:
    results = sample("right")
    message = "What came: a PDF."
    results["intake"] = [{"kind": "refused", "source": "", "file": "", "message": message}]
    page = " ".join(render(results, language="nb").split())
    assert page.index("Det var ingenting som kunne rettes.") < page.index("Lever de seks filene dine.")
    assert page.index("Lever de seks filene dine.") < page.index("What came: a PDF")
    assert "Alt er riktig" not in page


def test_what_could_not_be_read_at_all_is_refused_in_its_own_words() -> None:
    results = sample("right")
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            check.update(status="missing", score=0.0)
    assert read_page(results).refused is None
    results["notes"] = ["Nothing could be read: the zip is encrypted."]
    page = read_page(results)
    assert page.refused is not None
    assert page.refused.message == "Nothing could be read: the zip is encrypted."


@pytest.mark.parametrize(
    ("days", "score", "words"),
    [
        (1, 90.0, "10 points were taken off: a day late (the deadline was 2026-10-01 23:59). Everything is"),
        (
            1,
            99.0,
            "1 point was taken off: a day late (the deadline was 2026-10-01 23:59). Everything is right.",
        ),
        (9, 0.0, "100 points were taken off: 9 days late (the deadline was 2026-10-01 23:59)."),
    ],
)
def test_a_late_page_says_first_what_was_taken_off(days: int, score: float, words: str) -> None:
    results = sample("right")
    results["late"] = {"days": days, "deadline": "2026-10-01T23:59:00+02:00", "taken": 100.0 - score}
    results["score"] = score
    page = " ".join(render_text(results).split())
    assert words in page
    assert ("Everything is right" in page) == bool(score)
    assert "Nothing is left to do in the code." in page


def test_what_is_only_marked_late_takes_nothing_off() -> None:
    page = " ".join(render_text(sample("right") | {"late": {"marked": True}}).split())
    assert (
        "This is marked as late, without a time. Nothing was taken off; a person decides. Everything" in page
    )
    assert "Well done" in page


def test_a_mark_that_a_person_took_away_is_not_called_right() -> None:
    page = render_text(sample("right") | {"score": 0.0})
    assert "Everything is right" not in page
    assert "Well done" not in page
