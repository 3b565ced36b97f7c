"""Batches of downloads: the tables say which attempt is graded, and a person decides what is not clear."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.batch.conftest import Grader
from tests.grader.batch.test_class_run import grades
from tests.grader.exports.test_platform_gradebooks import BRIGHTSPACE
from tests.grader.intake.downloads import packed, place

pytestmark = pytest.mark.usefixtures("bubblewrap")


def test_from_a_download_of_brightspace_to_its_gradebook(
    tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    download, out = tmp_path / "Lab 2 Download.zip", tmp_path / "out"
    with zipfile.ZipFile(download, "w") as archive:
        archive.writestr("index.html", "<html></html>")
        for user, folder in (
            ("eve", "12345-67890 - Ada Lovelace - Oct 3, 2026 1159 PM"),
            ("ada", "12345-67890 - Ada Lovelace - Oct 4, 2026 1205 AM"),
            ("bob", "12346-67890 - Alan Turing - Sep 30, 2026 100 PM"),
        ):
            for path in sorted((class_folder / user).rglob("*.py")):
                archive.write(path, f"{folder}/{path.relative_to(class_folder / user)}")
    late = tmp_path / "rubric" / "rubric.yaml"
    shutil.copytree(rubric.parent, late.parent)
    late.write_text(late.read_text() + "late: {deadline: 2026-10-03T12:00:00+02:00, per_day: 10}\n")
    book, filled = tmp_path / "book.csv", tmp_path / "filled.csv"
    book.write_text(BRIGHTSPACE)
    run = Grader(download, out, late, "--sandbox", "bubblewrap", "--gradebook", str(book))
    status, output, _ = run.finish()
    assert (status, "2 submissions from Brightspace" in output) == (0, True)
    assert "handed in nothing: Emmy Noether" in output
    table = grades(out)
    columns = ("student", "id", "score", "days_late", "submitted", "attempts", "source")
    assert {name: tuple(row[column] for column in columns) for name, row in table.items()} == {
        "Ada Lovelace_12345": (
            *("Ada Lovelace", "12345-67890", "90", "1", "2026-10-04 00:05", "2 of 2"),
            "12345-67890 - Ada Lovelace - Oct 4, 2026 1205 AM",
        ),
        "Alan Turing_12346": (
            *("Alan Turing", "12346-67890", "100", "0", "2026-09-30 13:00", ""),
            "12346-67890 - Alan Turing - Sep 30, 2026 100 PM",
        ),
    }
    assert "attempt 2 of 2" in (out / "index.html").read_text(encoding="utf-8")
    asked = ("--gradebook", str(book), "--assignment", "Lab 2", "--anyway", "--out", str(filled))
    assert main(["export", "brightspace", str(out), *asked]) == 0
    assert [line.split(",")[5] for line in filled.read_text().splitlines()[1:]] == ["45", "", "50"]
    assert main(["export", "feedback", str(out), "--out", str(tmp_path / "pages.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "pages.zip") as pages:
        assert set(pages.namelist()) == {f"{row['source']}/feedback.html" for row in table.values()}
    capsys.readouterr()


def test_attempts_that_are_not_clear_have_no_mark_and_are_tried_once(
    tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        path.relative_to(class_folder / "ada").as_posix(): path.read_bytes()
        for path in (class_folder / "ada").rglob("*.py")
    }
    folder, out = tmp_path / "class", tmp_path / "out"
    other = packed(files | {"solvers/dfs.py": files["solvers/dfs.py"] + b"# other\n"})
    for assignment, content in (("Lab 2", packed(files)), ("Lab 3", other)):
        place(folder, f"Submitted files/Ada Lovelace/{assignment}/Version 1/lab.zip", content)
    for name in ("Alan Turing", "Grace Hopper"):
        place(folder, f"Submitted files/{name}/Lab 2/Version 1/lab.zip", packed(files))
    run = Grader(folder, out, rubric, "--sandbox", "bubblewrap")
    status, _, errors = run.finish()
    assert (status, len(run.events("retry")), len(run.events("fault"))) == (1, 0, 1)
    assert "Lab 3, Version 1" in errors
    row = grades(out)["Ada Lovelace"]
    assert (row["status"], row["score"], row["attempts"]) == ("fault", "", "")
    assert "found 2 that may count (Lab 2, Version 1/, Lab 3, Version 1/)" in row["look_at"]
    assert main(["review", str(out)]) == 0
    told = capsys.readouterr().out
    assert "undecided: say so with grader choose" in told
    assert "Ada Lovelace: a person has to say what counts: found 2 that may count (Lab 2, Version 1" in told
    shutil.rmtree(folder / "Submitted files/Ada Lovelace/Lab 3")
    again = Grader(folder, out, rubric, "--sandbox", "bubblewrap")
    assert again.finish()[0] == 0
    assert grades(out)["Ada Lovelace"]["score"] == "100"
    key = tmp_path / "key.csv"
    place(folder, "Submitted files/Ada Lovelace/Lab 3/Version 1/lab.zip", other)
    nameless = Grader(
        folder, tmp_path / "nameless", rubric, "--sandbox", "bubblewrap", "--pseudonyms", str(key)
    )
    _, output, errors = nameless.finish()
    assert "Lovelace" not in output + errors + (tmp_path / "nameless" / "grades.csv").read_text()
