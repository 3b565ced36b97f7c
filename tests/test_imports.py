"""The ways that imports may go: the contracts of pyproject.toml, and what enters the box besides."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("lab", "reference", "grader")
LINTER = Path(sys.executable).with_name("lint-imports")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
WRONG = {
    "lab/vector.py": "import reference",
    "grader/inside/values.py": "import grader.model",
    "grader/batch/job.py": "import grader.inside.runner, reference",
    "grader/exercises/kit/solvers/runs.py": "import grader.exercises.search.judge",
    "grader/grading/verdicts.py": "import grader.exercises.generator.kind",
    "grader/sandbox/base.py": "import grader.exercises.kit.facts",
    "grader/sandbox/process.py": "import grader.sandbox.docker",
    "grader/exports/junit.py": "import grader.exercises.registry",
    "grader/serve/uploads.py": "import grader.intake",
}
"""Statements that no file may have: together they break every contract."""


def broken_contracts(folder: Path) -> str:
    """What import-linter finds in a checkout; nothing where all contracts are kept."""
    done = subprocess.run(
        [LINTER, "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.processes
def test_the_contracts_are_kept() -> None:
    assert broken_contracts(ROOT) == ""


@pytest.mark.processes
def test_every_contract_can_be_broken(tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, statement in WRONG.items():
        with (tmp_path / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{statement}\n")
    assert f"0 kept, {len(CONTRACTS)} broken" in broken_contracts(tmp_path)


def imports(body: list[ast.stmt]) -> Iterator[str]:
    """The absolute imports among some statements."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


@pytest.mark.parametrize("folder", ["lab", "grader/inside"])
def test_what_enters_the_box_needs_the_standard_library_only(folder: str) -> None:
    """And ``lab``; in the box the runner is no part of a package ``grader``."""
    wrong = [
        f"{path.relative_to(ROOT)} imports {imported}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for imported in imports(ast.parse(path.read_text(encoding="utf-8")).body)
        if imported.split(".")[0] not in {*sys.stdlib_module_names, "lab"}
    ]
    assert wrong == []
