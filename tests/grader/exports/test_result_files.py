"""What is no result, or one that was changed, is refused; and what belongs to a class."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.errors import InputError
from grader.exports.grades_csv import find_complete_file, list_class_results
from grader.results import read
from tests.grader.exports.results_json import check, results


@pytest.mark.parametrize(
    "change",
    [
        {"score": float("nan")},
        {"score": 10**400},
        {"score": True},
        {"notes": [1]},
        {"timing": {"total": "long"}},
        {"intake": [{"kind": "refused"}]},
        {"exercises": {}},
        {"exercises": [[]]},
        {"late": {"days": "two"}},
        {"score": 10.5},
        *(
            {"exercises": results(check("a", "passed", **odd))["exercises"]}
            for odd in ({"visibility": "secret"}, {"misconception": "x"}, {"max_score": None}, {"score": 5.5})
        ),
    ],
)
def test_a_value_of_another_kind_or_a_score_above_the_most_is_refused(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**results(check("a", "passed")), **change}))
    with pytest.raises(InputError, match=r"expected a complete results\.json, this one was changed"):
        read(path)


def test_a_text_that_was_changed_is_made_visible(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results(check("a", "failed", hint="\ud800\x1b[2J\u202e"))))
    (found,) = read(path)["exercises"][0]["checks"]
    assert found["hint"] == r"\ud800\x1b[2J\u202e"


@pytest.mark.parametrize("depth", [600, 100_000])
def test_what_is_nested_too_deep_is_refused(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "results.json"
    path.write_text(f'{{"schema": 1, "exercises": {"[" * depth}{"]" * depth}}}')
    with pytest.raises(InputError, match=r"expected a (complete )?results\.json"):
        read(path)


def test_what_is_no_longer_in_the_table_does_not_count_and_staff_see_more(tmp_path: Path) -> None:
    for name in ("ada", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text("{}")
    assert [*list_class_results(tmp_path)] == ["ada", "bob"]
    (tmp_path / "grades.csv").write_text(
        "submission,student,id,score,max_score,status,platform,source\nbob,bob,,1,1,graded,,\n"
    )
    assert list_class_results(tmp_path) == {"bob": tmp_path / "bob" / "results.json"}
    assert find_complete_file(tmp_path / "bob") == tmp_path / "bob" / "results.json"
    (tmp_path / "bob" / "staff.json").write_text("{}")
    assert find_complete_file(tmp_path / "bob") == tmp_path / "bob" / "staff.json"
