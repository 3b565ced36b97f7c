"""The students' kit: all that they need, and nothing of the answers or the grader."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "kit.py"


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kit") / "kit.zip"
    subprocess.run([sys.executable, SCRIPT, path], check=True, capture_output=True)
    return path


def test_the_kit_holds_no_answers(kit: Path) -> None:
    with zipfile.ZipFile(kit) as archive:
        names = archive.namelist()
        text = b"".join(archive.read(name) for name in names if name.endswith(".py"))
    assert {name.split("/")[1] for name in names} == {
        "README.md",
        "lab",
        "pyproject.toml",
        "student_template",
    }
    assert "mazes-lab/student_template/README.md" in names
    assert b"from reference" not in text
    assert b"from grader" not in text


def test_the_command_works_from_the_kit_alone(kit: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(kit) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "mazes-lab"
    done = subprocess.run(
        [sys.executable, "-m", "lab.cli", "check"],
        cwd=folder / "student_template",
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "0 of 98 public tests passed." in done.stdout


def test_the_kit_has_the_version_of_the_lab(kit: Path) -> None:
    with zipfile.ZipFile(kit) as archive:
        project = archive.read("mazes-lab/pyproject.toml").decode()
    settings = tomllib.loads(project)
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["setuptools"]["dynamic"] == {"version": {"attr": "lab.__version__"}}


def test_the_same_sources_give_the_same_bytes(kit: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, SCRIPT, tmp_path / "again.zip"], check=True, capture_output=True)
    assert (tmp_path / "again.zip").read_bytes() == kit.read_bytes()
