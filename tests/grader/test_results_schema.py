"""The published schema of results.json is that of the model, and a file with another form is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.errors import InputError
from grader.results import as_json, parse, schema
from tests.grader.exports.results_json import check, results

SCHEMA = Path(__file__).parents[2] / "docs" / "results.schema.json"


def test_the_schema_that_is_published_is_that_of_the_model() -> None:
    """Write it anew with python scripts/results_schema.py."""
    assert SCHEMA.read_bytes() == schema()


def test_the_statuses_are_those_of_the_contract() -> None:
    said = json.loads(SCHEMA.read_bytes())["$defs"]["CheckJson"]["properties"]["status"]["enum"]
    assert len(said) == 12
    assert {"passed", "failed", "endless", "skipped"} <= {*said}


def test_what_is_whole_is_read_back_with_keys_that_nobody_knows() -> None:
    whole: Any = {**results(check("dfs.cycles", "failed")), "later": {"key": 1}}
    assert parse(as_json(whole)) == whole


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("score",), "5", r"Expected `float`, got `str` - at `\$.score`"),
        (("score",), -1, "a score is too high|>= 0"),
        (("score",), 6.5e15, "a score is too high|< 9007199254740992"),
        (("notes",), [1], r"\$.notes\[\.\.\.\]|notes"),
        (("exercises", 0, "checks", 0, "status"), "odd", "Invalid enum value 'odd'"),
        (("exercises", 0, "checks", 0, "visibility"), None, "visibility"),
        (("exercises", 0, "checks", 0, "misconception"), {"id": 3}, "misconception"),
        (("timing", "total"), "long", "timing"),
    ],
)
def test_another_form_is_refused_with_its_place(place: tuple[Any, ...], value: object, words: str) -> None:
    changed: Any = json.loads(as_json(results(check("dfs.cycles", "failed"))))
    part = changed
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    with pytest.raises(InputError, match=words):
        parse(json.dumps(changed).encode())
