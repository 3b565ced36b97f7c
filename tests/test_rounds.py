"""The rounds in which tests run: who may start a process, what is left to whom, and what lint is."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests import rounds

HERE = Path(__file__).parent
ROOT = HERE.parent
ONE = HERE / "grader" / "test_one.py"


def config(*args: str, **options: Any) -> Any:
    known = {"quick": False, "slow": False, "keyword": "", "markexpr": "", **options}
    return SimpleNamespace(option=SimpleNamespace(**known), args=args, getoption=known.__getitem__)


def test_each_place_is_there_with_marks_that_are_known() -> None:
    assert [name for name in (*rounds.PLACES, *rounds.LONGEST) if not (HERE / name).exists()] == []
    assert {mark for marks in rounds.PLACES.values() for mark in marks.split()} <= rounds.MARKS.keys()


@pytest.mark.parametrize(
    "start",
    [
        lambda: subprocess.run([sys.executable, "-V"], check=True),
        lambda: subprocess.Popen(sys.executable, cwd="/", start_new_session=True),
        lambda: os.system(sys.executable),  # noqa: S605 - it is not started
        lambda: os.posix_spawn(sys.executable, [sys.executable], {}),
        lambda: os.fork(),
        lambda: os.forkpty(),
        multiprocessing.get_context("fork").Process(target=print).start,
        multiprocessing.get_context("spawn").Process(target=print).start,
    ],
)
def test_who_does_not_say_so_starts_no_process(start: Callable[[], object]) -> None:
    with rounds.no_process(), pytest.raises(pytest.fail.Exception, match="without the mark processes"):
        start()


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("pytestmark = pytest.mark.processes\n", {"processes"}),
        ("pytestmark = [\n    pytest.mark.ci,\n    pytest.mark.timeout(9),\n]\nmark.processes\n", {"ci"}),
        ("# pytestmark = pytest.mark.ci\n@pytest.mark.processes\ndef test_it(): ...\n", set()),
    ],
)
def test_a_file_is_marked_without_being_imported(tmp_path: Path, text: str, marks: set[str]) -> None:
    (tmp_path / "test_it.py").write_text(text)
    assert rounds.marks_of_place(tmp_path / "test_it.py") == marks


def test_the_nearest_place_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PLACES", {"grader": "ci", "grader/near": "processes"})
    monkeypatch.setattr(rounds, "marks_above", rounds.marks_above.__wrapped__)
    assert rounds.marks_above(HERE / "grader" / "test_it.py") == {"ci"}
    assert rounds.marks_above(HERE / "grader" / "near" / "test_it.py") == {"processes"}


@pytest.mark.parametrize("marks", [set(), {"processes"}, {"ci"}, {"processes", "ci"}])
def test_what_is_quick_and_what_is_slow_are_all_tests(marks: set[str]) -> None:
    quick, slow = config(quick=True), config(slow=True)
    assert rounds.is_of_another_round(marks, quick) != rounds.is_of_another_round(marks, slow)
    assert not rounds.is_of_another_round(marks, config())


def test_what_is_for_ci_runs_there_and_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert rounds.is_left_to_ci({"ci"}, ONE, config(str(HERE)))
    assert not rounds.is_left_to_ci(set(), ONE, config(str(HERE)))
    for asked in (
        config(f"{ONE}::test_it"),
        config(str(HERE), keyword="it"),
        config(str(HERE), markexpr="ci"),
    ):
        assert not rounds.is_left_to_ci({"ci"}, ONE, asked)
    (name, *_) = [name for name, marks in rounds.PLACES.items() if "ci" in marks and (HERE / name).is_dir()]
    assert not rounds.is_left_to_ci({"ci"}, HERE / name / "test_it.py", config(str(HERE / name)))
    monkeypatch.setenv("CI", "true")
    assert not rounds.is_left_to_ci({"ci"}, ONE, config(str(HERE)))


def test_what_is_left_is_told_by_folder_and_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PLACES", {"grader/serve": "ci", "golden": "processes"})
    left = ["tests/grader/serve/test_a.py", "tests/grader/serve/test_b.py", "tests/lab/test_c.py"]
    assert rounds.in_short(left) == "grader/serve, tests/lab/test_c.py"
    assert (
        rounds.in_short([*left[2:], "tests/lab/test_d.py::test_it"])
        == "tests/lab/test_c.py, tests of other files: 1"
    )


def test_the_hooks_before_a_commit_are_the_commands_of_make_lint() -> None:
    recipe = (
        (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nlint: setup\n")[2].partition("\n\n")[0]
    )
    lint = [line.strip().removeprefix("@$(BIN)/").removesuffix(" .") for line in recipe.splitlines()]
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    assert lint == [re.sub(r"^\.venv/bin/| --force-exclude$", "", entry) for entry in hooks]
