"""Names and times from students' repositories, which may do nothing on the way."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from grader.intake.class_listing import find_hand_ins
from grader.intake.git_history import last_commits
from grader.intake.hand_ins import read_hand_in
from tests.submissions.loader import base

TIME = "2026-10-03T23:59:00+02:00"


def git(folder: Path, *arguments: str, who: str = "Ada Lovelace", time: str = TIME) -> None:
    email = f"{who.split()[0].casefold()}@example.org"
    names = {
        f"GIT_{role}_{key}": text
        for role in ("AUTHOR", "COMMITTER")
        for key, text in (("NAME", who), ("EMAIL", email), ("DATE", time))
    }
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=settings | names)


def commit(folder: Path, text: str, *, who: str = "Ada Lovelace", time: str = TIME) -> None:
    (folder / "NOTES.md").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", text, who=who, time=time)


def repository(folder: Path, who: str = "Ada Lovelace", *, time: str = TIME) -> Path:
    """Make a repository that began with a template, and on which a student worked."""
    for path, content in base().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "template", who="Staff Member", time="2026-09-01T12:00:00+02:00")
    commit(folder, "work", who=who, time=time)
    return folder


def told(folder: Path) -> dict[str, tuple[str, str]]:
    return {
        name.name: (each.name, each.time.isoformat()) for name, each in last_commits(folder.iterdir()).items()
    }


@pytest.mark.parametrize("is_packed", [False, True])
def test_name_and_time_of_the_students_last_commit(tmp_path: Path, is_packed: bool) -> None:
    ada = repository(tmp_path / "lab-2-ada")
    alan = repository(tmp_path / "lab-2-alan", "Alan Turing", time="2026-10-04T01:00:00+00:00")
    for folder in (ada, alan):
        commit(folder, "format", who="classroom[bot]", time="2026-10-09T12:00:00+02:00")
        commit(folder, "feedback", who="Staff Member", time="2026-10-10T12:00:00+02:00")
        git(folder, *(("gc", "-q") if is_packed else ("fsck",)))
    found = find_hand_ins(tmp_path).hand_ins
    assert [(each.name, each.student, str(each.submitted), each.platform) for each in found] == [
        ("lab-2-ada", "Ada Lovelace", "2026-10-03 23:59:00+02:00", ""),
        ("lab-2-alan", "Alan Turing", "2026-10-04 01:00:00+00:00", ""),
    ]
    assert base().items() <= read_hand_in(found[0]).files.items()


def test_a_checked_out_commit_and_a_clone(tmp_path: Path) -> None:
    repository(tmp_path / "first")
    git(tmp_path / "first", "checkout", "-q", "--detach")
    (tmp_path / "class").mkdir()
    git(tmp_path, "clone", "-q", "--no-local", "first", "class/second")
    assert told(tmp_path / "class") == {"second": ("Ada Lovelace", TIME)}
    assert told(tmp_path) == {"first": ("Ada Lovelace", TIME)}


def test_nothing_of_a_repository_runs(tmp_path: Path) -> None:
    folder, trace = repository(tmp_path / "class" / "ada"), tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {trace}\n")
    script.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "gpg.program",
        "core.sshCommand",
        "core.askPass",
        "diff.external",
    ):
        git(folder, "config", key, str(script))
    git(folder, "config", "log.showSignature", "true")
    git(folder, "config", "remote.origin.url", f"ext::{script}")
    git(folder, "config", "remote.origin.promisor", "true")
    git(folder, "config", "extensions.partialClone", "origin")
    git(folder, "config", "alias.log", f"!{script}")
    (folder / ".git" / "hooks").mkdir(exist_ok=True)
    for hook in ("post-checkout", "reference-transaction", "pre-commit"):
        (folder / ".git" / "hooks" / hook).symlink_to(script)
    assert told(tmp_path / "class") == {"ada": ("Ada Lovelace", TIME)}
    for lost in (folder / ".git" / "objects").glob("??/*"):
        lost.chmod(0o644)
        lost.unlink()
    assert told(tmp_path / "class") == {}
    assert not trace.exists()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("HEAD", "ref: refs/heads/../../../secret"),
        ("HEAD", "--output=/tmp/x"),
        ("HEAD", ""),
        ("refs/heads/main", "0" * 40),
        ("refs/heads/main", "x" * 5_000_000),
        ("objects/info/alternates", "/"),
        ("config", "[broken"),
    ],
)
def test_a_repository_that_is_damaged_costs_no_row(tmp_path: Path, path: str, text: str) -> None:
    folder = repository(tmp_path / "ada")
    (folder / ".git" / path).parent.mkdir(exist_ok=True)
    (folder / ".git" / path).write_text(text)
    (hand_in,) = find_hand_ins(tmp_path).hand_ins
    assert hand_in.student == ("Ada Lovelace" if path == "config" else "ada")


def test_links_are_not_followed(tmp_path: Path) -> None:
    repository(tmp_path / "elsewhere")
    for name, inside in (("ada", ".git"), ("eve", ".git/objects")):
        (tmp_path / "class" / name / ".git").parent.mkdir(parents=True)
        if inside != ".git":
            (tmp_path / "class" / name / ".git").mkdir()
        (tmp_path / "class" / name / inside).symlink_to(tmp_path / "elsewhere" / inside)
    assert told(tmp_path / "class") == {}


def test_a_machine_without_git_knows_no_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path / "ada")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert told(tmp_path) == {}
