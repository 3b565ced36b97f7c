"""The rounds in which tests run: what the lists of files name is there, and lint is the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from tests import quick, running_order

HERE = Path(__file__).parent
ROOT = HERE.parent


def test_what_make_check_leaves_out_is_there() -> None:
    assert [name for name in quick.LEFT_OUT if not (HERE / name).exists()] == []
    assert list(quick.LEFT_OUT) == sorted(set(quick.LEFT_OUT))


def test_what_runs_first_is_there_once() -> None:
    files = [path.as_posix() for path in HERE.rglob("test_*.py")]
    found = {end: sum(file.endswith(f"/{end}") for file in files) for end in running_order.LONGEST_FIRST}
    assert found == dict.fromkeys(found, 1)


def test_the_hooks_before_a_commit_are_the_commands_of_make_lint() -> None:
    recipe = (
        (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nlint: setup\n")[2].partition("\n\n")[0]
    )
    lint = [line.strip().removeprefix("@$(BIN)/").removesuffix(" .") for line in recipe.splitlines()]
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    assert lint == [re.sub(r"^\.venv/bin/| --force-exclude$", "", entry) for entry in hooks]
