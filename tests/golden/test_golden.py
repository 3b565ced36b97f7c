"""Everything that the program says to whole inputs is what is written down beside them."""

from __future__ import annotations

import difflib

import pytest

from tests.golden.harness import INPUTS, expected_of, outputs_of

DEAR = {
    *("classes/course", "classes/decisions", "refusals/rubric", "serve/limits", "serve/student"),
    *("stories/looks", "stories/places", "stories/states", "submissions/large-mazes", "submissions/makers"),
    *("submissions/own-exercises", "submissions/slips", "submissions/ways"),
}
"""Each takes six to thirty seconds of a processor: they are left to continuous integration."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.ci] if name in DEAR else []) for name in INPUTS]
)
def test_what_is_said_is_what_is_written_down(name: str) -> None:
    expected, found = expected_of(name), outputs_of(name)
    lines = [
        line
        for path in sorted(expected.keys() | found.keys())
        for line in difflib.unified_diff(
            expected.get(path, "").splitlines(),
            found.get(path, "").splitlines(),
            f"tests/golden/{name}/expected/{path}",
            "what is said now",
            lineterm="",
        )
    ]
    if expected != found:
        pytest.fail("\n".join(["if this is meant, make golden writes it anew:", *lines]), pytrace=False)
