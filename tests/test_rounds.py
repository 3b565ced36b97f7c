"""The rounds in which tests run: what the lists of files name is there, and lint is the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from tests import rounds

HERE = Path(__file__).parent
ROOT = HERE.parent


def test_what_is_left_out_is_there_once() -> None:
    assert [name for name in rounds.LEFT_OUT if not (HERE / name).exists()] == []
    assert len(set(rounds.LEFT_OUT)) == len(rounds.LEFT_OUT)


def test_the_hooks_before_a_commit_are_the_commands_of_make_lint() -> None:
    recipe = (
        (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nlint: setup\n")[2].partition("\n\n")[0]
    )
    lint = [line.strip().removeprefix("@$(BIN)/").removesuffix(" .") for line in recipe.splitlines()]
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    assert lint == [re.sub(r"^\.venv/bin/| --force-exclude$", "", entry) for entry in hooks]
