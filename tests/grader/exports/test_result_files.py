"""Where results lie, and how it is told where there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.errors import InputError
from grader.results import read
from tests.grader.exports.refusals import refused
from tests.grader.exports.results_json import check, results


@pytest.mark.parametrize(
    ("command", "where", "said"),
    [
        (("show",), "nowhere", "nothing is there"),
        (("show",), "", "a class: name one submission, such as"),
        (("show",), "empty", "expected a folder that grader grade or batch wrote"),
        (("show",), "README.md", "found something else"),
        (("show",), "list.json", "with schema 1"),
        (("show",), "half.json", "expected a complete results.json"),
        (("export", "--out", "x", "gradescope"), "", "a class: name one submission, such as"),
        (("show",), "odd.json", "expected a complete results.json"),
        (("export", "--out", "x", "junit"), "odd", "expected a complete results.json"),
        (("diff", "a"), "odd", "expected a complete results.json"),
        (("diff", "a"), "nowhere", "expected a folder of results"),
        (("diff", "a"), "README.md", "found something else"),
        (("diff", "a"), "", "holds those of a class"),
    ],
)
def test_what_is_no_result_is_named_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    where: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "empty"):
        Path(folder).mkdir()
    Path("a/results.json").write_text(json.dumps(results(check("a", "passed"))))
    Path("README.md").write_text("# No JSON")
    Path("list.json").write_text("[]")
    odd = json.dumps(results(check("a", "passed", score="five")))
    Path("odd").mkdir()
    for path in ("odd.json", "odd/results.json"):
        Path(path).write_text(odd)
    Path("half.json").write_text('{"schema": 1, "score": 3}')
    assert said in refused(capsys, *command, where or ".")


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
    ],
)
def test_a_value_of_another_kind_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**results(check("a", "passed")), **change}))
    with pytest.raises(InputError, match=r"expected a complete results\.json, this one was changed"):
        read(path)


@pytest.mark.parametrize("change", [{"visibility": "secret"}, {"misconception": "x"}, {"max_score": None}])
def test_a_check_of_another_kind_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results(check("a", "passed", **change))))
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
    with pytest.raises(InputError, match=r"expected a (whole )?results\.json"):
        read(path)
