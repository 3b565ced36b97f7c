"""The recipe for a check of one's own in docs/reference/mazes.md, followed word for word."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest

import grader.cli
from grader.course.rubric import SHIPPED
from tests.docs.pages import MARKDOWN, ROOT, Command, commands
from tests.docs.test_commands import words
from tests.grader.release.unproven import unproven as unproven
from tests.submissions.loader import Case

PAGE = ROOT / "docs/reference/mazes.md"
IN_A_HURRY = {
    "grade": ("--sandbox", "process"),
    "verify": (
        "--sandbox",
        "process",
        "--quiet",
        "--only",
        "wrong--dfs-west-first-search",
        "--only",
        "reference",
    ),
}


@cache
def recipe() -> str:
    text = PAGE.read_text(encoding="utf-8")
    return text.partition("## A check of your own")[2].partition("\n## ")[0]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The folder after the first three steps."""
    maze, check = (token.content for token in MARKDOWN.parse(recipe()) if token.info == "yaml")
    folder = tmp_path / "course"
    shutil.copytree(SHIPPED.parent / "mazes", folder / "mazes")
    (file,) = re.findall(r"Add a test maze, `(\S+)`", recipe())
    (tmp_path / file).write_text(maze, encoding="utf-8")
    rubric = SHIPPED.read_text(encoding="utf-8")
    before = re.findall(r"^ +dfs\.visit-order: 4\n", rubric, re.MULTILINE)
    assert len(before) == 1
    rubric = f"examples: 5\n{rubric.replace(before[0], check)}"
    (folder / "rubric.yaml").write_text(rubric, encoding="utf-8")
    return folder


def recipe_commands() -> list[Command]:
    return [command for command in commands(PAGE) if f"$ {command.line}\n" in recipe()]


def run(command: Command) -> int:
    arguments = words(command.line)[1:]
    return grader.cli.main([*arguments, *IN_A_HURRY.get(arguments[0], ())])


@pytest.mark.processes
@pytest.mark.usefixtures("unproven")
def test_the_recipe_makes_a_check(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(course.parent)
    for path, content in Case("wrong", "dfs-west-first-search").files().items():
        (Path("submissions/ada") / path).parent.mkdir(parents=True, exist_ok=True)
        (Path("submissions/ada") / path).write_bytes(content)
    explain, grade, verify = recipe_commands()
    assert run(explain) == 0
    assert "dfs.round-the-corner" in capsys.readouterr().out
    assert run(grade) == 0
    results = json.loads(Path("results/results.json").read_bytes())
    checks = {check["id"]: check for exercise in results["exercises"] for check in exercise["checks"]}
    lost = checks["dfs.round-the-corner"]
    assert (lost["title"], lost["status"], lost["max_score"]) == ("No long way round", "failed", 1.0)
    assert "allowed here: at most 5" in lost["message"]
    capsys.readouterr()
    assert run(verify) == 0
    said = capsys.readouterr().out
    assert "dfs.round-the-corner" in said
    assert "No right work is punished." in said
