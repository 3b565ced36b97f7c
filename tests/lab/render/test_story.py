"""A story as HTML, and the page of ``maze check`` that shows it."""

from __future__ import annotations

from typing import Any

from lab import Dimension, Vector
from lab.render import story

STORY: dict[str, Any] = {
    "steps": [
        {"file": "f.py", "line": 3, "text": "“a < b” was False.", "values": {"a": "1", "b": "<0>"}},
        {"file": "f.py", "line": 4, "text": "This came next.", "values": {"a": "1", "c": "2"}},
    ],
    "first": 2,
    "source": ["def f(a, b):", "    while a < b:", "        b -= 1"],
    "walk": [[3], [3, 4]],
}


def test_lines_keep_their_indentation_and_values_are_told_once() -> None:
    told = story.tell(STORY)
    assert "</span>while a &lt; b:</pre>" in told
    assert "</span>    b -= 1</pre>" in told
    assert told.count("a = 1") == 1
    assert "b = &lt;0&gt;" in told
    assert "<0>" not in told


def test_what_several_places_hold_is_drawn_once_with_an_arrow_from_each() -> None:
    step = {"line": 3, "text": "One.", "values": {"a = b[0]": "[<]"}}
    told = story.tell({**STORY, "steps": [step]})
    assert "<code>a</code><code>b[0]</code>" in told
    assert told.count("L34 20") == 2
    assert '<code class="object">[&lt;]</code>' in told


def test_lines_belong_to_the_visits_that_are_drawn() -> None:
    visits = [Vector(1, 1), Vector(9, 9)]
    assert story.lines_by_step(STORY["walk"], visits, Dimension(2, 2)) == "3"
    assert story.lines_by_step(STORY["walk"], visits[:1], Dimension(2, 2)) == ""
