"""What ships with the grader: found wherever it lies, and never missed in silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import shipped
from grader.cli import main
from grader.errors import GraderError
from lab.exercises import FILES

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    for function in (shipped.template, shipped.digest):
        function.cache_clear()
    yield
    for function in (shipped.template, shipped.digest):
        function.cache_clear()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_a_digest_is_of_names_and_contents_wherever_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"toy_package/__init__.py": "", "toy_package/a.py": "A = 1", "toy_package/notes.md": "A"}
    found = []
    for place, change in (
        ("one", {}),
        ("other", {"toy_package/notes.md": "B", "toy_package/__pycache__/a.pyc": "?"}),
        ("renamed", {"toy_package/b.py": "A = 1"}),
        ("changed", {"toy_package/a.py": "A = 2"}),
    ):
        write(tmp_path / place, files | change)
        if place == "renamed":
            (tmp_path / place / "toy_package" / "a.py").unlink()
        shipped.digest.cache_clear()
        monkeypatch.setattr(shipped, "files", lambda name, place=place: tmp_path / place / name)
        found.append(shipped.digest("toy_package"))
    assert found[0] == found[1]
    assert len(set(found)) == 3
    shipped.digest.cache_clear()
    alone = shipped.digest("toy_package/a.py")
    (tmp_path / "changed" / "toy_package" / "b.py").write_text("A = 3")
    shipped.digest.cache_clear()
    assert shipped.digest("toy_package/a.py") == alone


def test_a_package_that_is_missing_is_named() -> None:
    assert shipped.folder("grader.exercises") == ROOT / "grader" / "exercises"
    with pytest.raises(GraderError, match="lacks the package nowhere_to_be_found: install the grader again"):
        shipped.folder("nowhere_to_be_found")


def test_the_template_is_what_students_are_given() -> None:
    assert shipped.template() == tuple((ROOT / "student_template" / file).read_bytes() for file in FILES)


@pytest.mark.parametrize("there", [False, True])
def test_no_class_is_graded_without_the_whole_template(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shipped, "template_folder", lambda: tmp_path if there else None)
    assert main(["batch", str(ROOT / "reference"), "--out", str(tmp_path / "out")]) == 1
    assert "this installation lacks " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_only_what_is_installed_can_be_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "_NAME", "nowhere-to-be-found")
    with pytest.raises(GraderError, match="the grader is not installed here"):
        shipped.pins()
