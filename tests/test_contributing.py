"""What CONTRIBUTING promises about additions: one file (of a language, one folder) and one line at most."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
RESULTS = {
    "schema": 1,
    "submission": "ada",
    "title": "Lab",
    "score": 80.0,
    "max_score": 100.0,
    "sandbox": "docker",
    "notes": [],
    "exercises": [],
    "timing": {},
}
GRADES = (
    "submission,student,id,score,max_score,status,platform,source\r\n"
    "ada,Ada Lovelace,7,80,100,graded,{platform},\r\n"
)


class Checkout:
    """The packages in a folder where something may be added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for package in ("lab", "reference", "grader", "student_template"):
            shutil.copytree(ROOT / package, folder / package)

    def add(self, file: str, content: str, *, registry: str = "", after: str = "", line: str = "") -> None:
        """Add a file, and one line of a registry after another one."""
        (self.folder / file).write_text(dedent(content), encoding="utf-8")
        if registry:
            path = self.folder / registry
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            at = next(number for number, known in enumerate(lines, 1) if known.startswith(after))
            path.write_text("".join([*lines[:at], f"{line}\n", *lines[at:]]), encoding="utf-8")

    def run(self, *arguments: str | Path) -> str:
        """Run ``grader`` from here; return what it prints."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "grader", *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def rubric(checkout: Checkout) -> Path:
    """A rubric that is graded in no time, in a language that is not known."""
    path = checkout.folder / "rubric.yaml"
    (checkout.folder / "mazes").mkdir()
    path.write_text(
        "title: One check\nlanguage: xx\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 100}}}\n"
    )
    return path


@pytest.fixture
def results(checkout: Checkout) -> Path:
    """Results of a class of one."""
    folder = checkout.folder / "results" / "ada"
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(RESULTS))
    (folder.parent / "grades.csv").write_text(GRADES.format(platform=""))
    return folder.parent


def test_a_language_is_a_folder(checkout: Checkout, rubric: Path, results: Path) -> None:
    shutil.copytree(ROOT / "grader" / "languages" / "en", checkout.folder / "grader" / "languages" / "xx")
    page = checkout.folder / "grader" / "languages" / "xx" / "page.toml"
    page.write_text(page.read_text(encoding="utf-8").replace('decimal = "."', 'decimal = "!"'))
    assert checkout.run("explain", "--rubric", rubric).startswith("One check: 100 points")
    (results / "ada" / "results.json").write_text(json.dumps({**RESULTS, "score": 80.5}))
    assert "80!5" in checkout.run("show", results / "ada", "--language", "xx")


def test_a_sandbox_is_a_module_and_a_line(checkout: Checkout, rubric: Path) -> None:
    checkout.add(
        "grader/sandbox/toy.py",
        """
        from grader.sandbox.process import ProcessBackend
        from grader.sandbox.base import probe_by_hello

        class ToyBackend(ProcessBackend):
            name = "toy"

            def probe(self):
                return probe_by_hello(self, ())
        """,
        registry="grader/sandbox/base.py",
        after='    "process":',
        line='    "toy": LazyFunction("grader.sandbox.toy:ToyBackend"),',
    )
    rubric.write_text(rubric.read_text().replace("language: xx\n", ""))
    out = checkout.folder / "out"
    checkout.run("grade", ROOT / "reference", "--out", out, "--rubric", rubric, "--sandbox", "toy")
    found = json.loads((out / "results.json").read_bytes())
    assert (found["sandbox"], found["score"]) == ("toy", 100)


def test_a_platform_is_a_module_and_a_line(checkout: Checkout, rubric: Path) -> None:
    checkout.add(
        "grader/platforms/toy.py",
        """
        from grader.platforms.base import DownloadItem, Platform

        def read(path):
            who, id_, *toy = path.stem.split("@")
            return DownloadItem(path, who, id_, path.name) if toy == ["toy"] else None

        PLATFORM = Platform(
            reader=lambda paths, read_text: read,
            folder=lambda piece: piece.student,
            source=lambda path: path.name,
            keys=("Number",),
            full_name=lambda row: row["Name"],
            column=None,
            worth=lambda column, row, top: "10",
            table=lambda grades, title: [["Number", title], *([grade.id, grade.score] for grade in grades)],
            page=lambda grade: f"{grade.id}.html",
        )
        """,
        registry="grader/platforms/__init__.py",
        after='    "blackboard",',
        line='    "toy",',
    )
    out = checkout.folder / "out"
    download = checkout.folder / "download"
    shutil.make_archive(str(download / "ada@7@toy"), "zip", ROOT / "reference")
    rubric.write_text(rubric.read_text().replace("language: xx\n", ""))
    said = checkout.run("batch", download, "--out", out, "--rubric", rubric, "--sandbox", "process")
    assert "1 submission from Toy" in said
    table, pages, book = (checkout.folder / name for name in ("table.csv", "pages.zip", "book.csv"))
    assert "1 scores" in checkout.run("export", "toy", out, "--out", table, "--assignment", "Lab")
    assert table.read_text().splitlines() == ["Number,Lab", "7,100"]
    assert "1 pages for Toy" in checkout.run("export", "feedback", out, "--out", pages)
    book.write_text("Number,Name,Grade\n7,Ada,\n8,Bob,\n")
    checkout.run("export", "toy", out, "--gradebook", book, "--out", table)
    assert table.read_text().splitlines()[1:] == ["7,Ada,10", "8,Bob,"]


def test_an_export_is_a_module_and_a_line(checkout: Checkout, results: Path) -> None:
    checkout.add(
        "grader/exports/toy.py",
        """
        from grader.exports.grades_csv import read_grades

        def export(request):
            (grade,) = read_grades(request.folder())
            request.out.write_text(f"{grade.student}: {grade.score}")
            return "told"
        """,
        registry="grader/exports/registry.py",
        after='    "junit":',
        line='    "toy": LazyFunction("grader.exports.toy:export"),',
    )
    out = checkout.folder / "toy.txt"
    assert checkout.run("export", "toy", results, "--out", out) == "told\n"
    assert out.read_text() == "Ada Lovelace: 80.0"
