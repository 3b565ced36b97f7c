"""What cannot be done, and what was not meant: one line, and a status."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import py7zr
import pytest

import lab
from grader.errors import InputError
from grader.intake import read_submission
from grader.intake.choice import check_is_one_student
from grader.intake.names import ARCHIVES
from lab.exercises import FILES
from tests.grader.command import ROOT, grader, grader_apart
from tests.submissions.loader import Case

pytestmark = pytest.mark.usefixtures("_reads_here")


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of two, as folders, in a wrapping folder, and as archives."""
    tmp_path = tmp_path_factory.mktemp("several")
    for name in ("ada", "bob"):
        Case("right", "plain").materialise(tmp_path / "folders" / name)
        shutil.copytree(tmp_path / "folders" / name, tmp_path / "wrapped" / "class" / name / "lab")
        shutil.make_archive(str(tmp_path / "archives" / name), "zip", tmp_path / "folders" / name)
    for form in ("zip", "tar", "gztar"):
        shutil.make_archive(str(tmp_path / "packed"), form, tmp_path / "folders")
    shutil.make_archive(str(tmp_path / "around"), "zip", tmp_path / "wrapped")
    shutil.make_archive(str(tmp_path / "of-archives"), "zip", tmp_path / "archives")
    with py7zr.SevenZipFile(tmp_path / "packed.7z", "w") as archive:
        archive.writeall(tmp_path / "folders", "")
    (tmp_path / "holds").mkdir()
    shutil.copy(tmp_path / "packed.zip", tmp_path / "holds" / "class.zip")
    shutil.make_archive(str(tmp_path / "twice"), "zip", tmp_path / "holds")
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as download:
        for number, name in enumerate(("ada", "bob")):
            for file in (tmp_path / "folders" / name).rglob("*.py"):
                download.write(file, f"{name}_{number}_assignsubmission_file_/{file.name}")
    return tmp_path


@pytest.mark.parametrize(
    "kind",
    [
        *("folders", "wrapped", "archives", "packed.zip", "packed.tar", "packed.tar.gz", "packed.7z"),
        *("around.zip", "of-archives.zip", "holds", "twice.zip", "moodle.zip"),
    ],
)
def test_a_class_is_not_graded_as_one_submission(several: Path, kind: str) -> None:
    with pytest.raises(InputError, match=r"expected one submission, found 2 .*use grader batch for a class"):
        read_submission(several / kind, check=check_is_one_student)


def test_one_submission_in_folders_around_it_is_seen(several: Path, tmp_path: Path) -> None:
    lone = tmp_path / "ada"
    shutil.copytree(several / "wrapped" / "class" / "ada", lone)
    (lone / "lab.zip").write_bytes(b"what the folder was made from")
    assert {*FILES} <= {*read_submission(lone, check=check_is_one_student).files}


def test_the_archives_of_the_exercises_are_one_students(several: Path, tmp_path: Path) -> None:
    lone = tmp_path / "lone"
    lone.mkdir()
    for exercise in ("dfs", "bfs"):
        with zipfile.ZipFile(lone / f"{exercise}.zip", "w") as archive:
            archive.write(several / "folders" / "ada" / "solvers" / f"{exercise}.py", f"{exercise}.py")
    files = read_submission(lone, check=check_is_one_student).files
    assert {"solvers/dfs.py", "solvers/bfs.py"} <= set(files)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("grade", "nowhere", "--out", "out"), "nowhere"),
        (("grade", ".", "--out", "out", "--rubric", "wrong.yaml"), "wrong.yaml:1:1"),
        (("grade", ".", "--out", "file/out", "--sandbox", "process"), "file"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_1(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    (tmp_path / "wrong.yaml").write_text("- nonsense\n")
    (tmp_path / "file").write_text("")
    (tmp_path / "solvers").mkdir()
    done = grader(*arguments, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("grader: ")
    assert words in last
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("grade",),
        ("grade", "x"),
        ("grade", "x", "--out", "y", "--sandbox", "vm"),
        ("show", "x", "--language", "fr"),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    done = grader(*arguments)
    assert done.returncode == 2
    assert "usage: grader" in done.stderr


def test_the_version_is_the_labs() -> None:
    assert grader("--version").stdout == f"grader {lab.__version__}\n"


@pytest.mark.processes
@pytest.mark.parametrize(("arguments", "status"), [(("--version",), 0), (("show", "nowhere"), 1), ((), 2)])
def test_the_process_ends_with_that_status(arguments: tuple[str, ...], status: int) -> None:
    assert grader_apart(*arguments).returncode == status


SLOW = ("docker", "hypothesis", "yaml", "jinja2", "pytest", "reference", "grader.checks")
"""Packages that take their time to import."""


@pytest.mark.processes
@pytest.mark.parametrize("arguments", [["--help"], ["export", "--help"]])
def test_help_comes_before_anything_slow_is_imported(arguments: list[str]) -> None:
    code = f"import sys\nfrom grader.cli import main\ntry: main({arguments!r})\nexcept SystemExit: pass\n"
    code += f"assert not set(sys.modules) & set({SLOW!r}), set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: grader")


def test_the_help_names_all_archives_that_are_read() -> None:
    assert f"a folder, or a {ARCHIVES}" in " ".join(grader("grade", "--help").stdout.split())
