"""Figures whose files have changed since they were measured are listed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts import old_figures

pytestmark = pytest.mark.processes


def test_figures_of_changed_files_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    git("init", "--quiet")
    for text in ("one", "other"):
        (tmp_path / "a.py").write_text(text)
        (tmp_path / "b.py").write_text("same")
        git("add", ".")
        git("commit", "--quiet", "--message", text)
    first = git("rev-parse", "--short=8", "HEAD~1")
    page = "\n".join(
        f"## {heading}\n\nMeasured at `{commit}`: `{files}`.\n\n| | |\n"
        for heading, commit, files in (
            ("A", first, "b.py\na.py"),
            ("B", first, "b.py"),
            ("C", "0" * 8, "a.py"),
        )
    )
    monkeypatch.setattr(old_figures, "ROOT", tmp_path)
    assert [*old_figures.old_figures(page)] == [
        f"A: since {first}, 1 file changed, 1 insertion(+), 1 deletion(-)",
        "C: 00000000 is not in this clone",
    ]


def test_each_table_of_the_page_has_its_commit() -> None:
    _, *sections = old_figures.PAGE.read_text(encoding="utf-8").split("\n## ")
    assert [
        each.split("\n")[0] for each in sections if "\n| " in each and "\nMeasured at `" not in each
    ] == []
