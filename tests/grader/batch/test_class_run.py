"""A whole batch: what is written, what a second run does, and what a class page shows."""

from __future__ import annotations

import csv
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from grader.batch import class_run
from grader.batch.class_run import BatchOptions, grade_class
from grader.batch.job import Course
from grader.batch.lock import hold
from grader.cli import main
from grader.errors import InputError
from tests.grader.batch.conftest import CLASS, RIGHT, Grader, results_in

Start = Callable[..., Grader]


def grades(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file)}


def test_every_submission_gets_everything(graded: Path) -> None:
    output = (graded / "printed").read_text(encoding="utf-8")
    assert "6 submissions" in output
    assert "[6/6]" in output
    found, table = results_in(graded), grades(graded)
    assert list(found) == list(table) == sorted(CLASS)
    assert {name for name, results in found.items() if results["score"] == 100.0} == set(RIGHT)
    assert table["ada"]["score"] == "100"
    page = (graded / "index.html").read_text(encoding="utf-8")
    for name in CLASS:
        assert f'href="{name}/feedback.html"' in page
        assert (graded / name / "feedback.html").stat().st_size > 1000
    *_, last = (graded / "batch.log.jsonl").read_text(encoding="ascii").splitlines()
    assert json.loads(last)["event"] == "end"


def test_a_second_run_grades_what_has_changed(
    tmp_path: Path, class_folder: Path, rubric: Path, graded: Path
) -> None:
    mine, out = tmp_path / "mine", tmp_path / "out"
    shutil.copytree(class_folder, mine)
    shutil.copytree(graded, out)
    shutil.copy(mine / "ada/solvers/bfs.py", mine / "dan/solvers/bfs.py")
    (out / "eve" / "results.json").write_text("{}")
    second = Grader(mine, out, rubric, "--sandbox", "bubblewrap", "--resume")
    assert second.finish()[0] == 0
    assert {event["submission"] for event in second.events("graded")} == {"dan", "eve"}
    assert len(second.events("unchanged")) == 4


def test_one_is_graded_again_and_keeps_what_people_decided(graded: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(graded, tmp_path / "out"))
    signed = ("--score", "70", "--reason", "half of it was mine", "--by", "grace")
    assert main(["adjust", str(out), "ada", *signed]) == 0
    before = len((out / "batch.log.jsonl").read_bytes().splitlines())
    assert main(["regrade", str(out), "ada"]) == 0
    events = [json.loads(line) for line in (out / "batch.log.jsonl").read_bytes().splitlines()[before:]]
    assert [event["submission"] for event in events if event["event"] == "graded"] == ["ada"]
    assert {name: row["score"] for name, row in grades(out).items() if name in "ada, bob"} == {
        "ada": "70",
        "bob": "100",
    }


def test_a_corrected_rubric_grades_again_and_diff_says_why(
    graded: Path, tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new"
    corrected = tmp_path / "rubric" / "rubric.yaml"
    shutil.copytree(rubric.parent, corrected.parent)
    text = corrected.read_text().replace("dfs.valid-path: 30", "dfs.valid-path: 40")
    corrected.write_text(text.replace("bfs.shortest: 40", "bfs.shortest: 30"))
    shutil.copytree(graded, new)
    again = Grader(class_folder, new, corrected, "--sandbox", "bubblewrap")
    assert again.finish()[0] == 0
    assert len(again.events("graded")) == 6
    assert main(["diff", str(graded), str(new)]) == 0
    said = capsys.readouterr().out
    assert "6 of 6 results moved" in said
    assert "dfs.valid-path: passed, worth 30 -> 40" in said


def test_a_download_as_a_zip_with_late_work(
    tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    download = tmp_path / "gradebook_download.zip"
    with zipfile.ZipFile(download, "w") as outer:
        for user, day in (("ada", "01"), ("eve", "03")):
            inner = tmp_path / f"{user}.zip"
            with zipfile.ZipFile(inner, "w") as packed:
                for path in sorted((class_folder / user).rglob("*.py")):
                    packed.write(path, path.relative_to(class_folder))
            outer.write(inner, f"Lab_{user}_attempt_2026-10-{day}-12-00-00_lab.zip")
        outer.writestr("Lab_bad_attempt_2026-10-01-12-00-00_lab.zip", b"PK\x03\x04 cut short")
    late = tmp_path / "rubric" / "rubric.yaml"
    shutil.copytree(rubric.parent, late.parent)
    late.write_text(
        late.read_text() + "late: {deadline: 2026-10-01T23:59:00+02:00, per_day: 10, max_days: 5}\n"
    )
    out = tmp_path / "out"
    assert Grader(download, out, late, "--sandbox", "bubblewrap").finish()[0] == 0
    table, found = grades(out), results_in(out)
    assert {name: (row["score"], row["days_late"], row["status"]) for name, row in table.items()} == {
        "ada": ("100", "0", "graded"),
        "bad": ("", "0", "refused"),
        "eve": ("80", "2", "graded"),
    }
    assert found["eve"]["late"]["score_before"] == 100.0
    assert "damaged or cut short" in found["bad"]["notes"][0]
    extensions = tmp_path / "extensions.csv"
    extensions.write_text("student,hours\neve,48\nnobody,4\n")
    again = Grader(download, out, late, "--sandbox", "bubblewrap", "--extensions", str(extensions))
    status, output, _ = again.finish()
    assert (status, "without a submission here: nobody\n" in output) == (0, True)
    assert not again.events("graded")
    assert grades(out)["eve"]["score"] == "100"
    dear = tmp_path / "rubric" / "dear.yaml"
    dear.write_text(late.read_text().replace("per_day: 10", "per_day: 30"))
    assert main(["late", str(out), "--rubric", str(dear)]) == 0
    strangers = "in the tables of times, without a submission here: nobody\n"
    assert capsys.readouterr().out == f"0 of 3 marks changed\n{strangers}"
    extensions.write_text("student,hours\neve,1\n")
    assert main(["late", str(out)]) == 0
    assert capsys.readouterr().out == "1 of 3 marks changed\neve: 100 -> 40\n"
    assert grades(out)["eve"]["score"] == "40"
    other = tmp_path / "rubric" / "other.yaml"
    other.write_text(dear.read_text().replace("seed: 1", "seed: 2"))
    assert main(["late", str(out), "--rubric", str(other)]) == 1
    assert "expected the rubric of these results, changed only in its key 'late'" in capsys.readouterr().err


def test_marks_go_into_the_platform(
    tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A download of Canvas, graded, exported with its gradebook and without."""
    download = tmp_path / "download"
    download.mkdir()
    for name, student in (("lovelaceada_101_9001_lab", "ada"), ("turingalan_LATE_102_9002_lab", "cleo")):
        shutil.make_archive(str(download / name), "zip", class_folder / student)
    out, book, filled = tmp_path / "out", tmp_path / "book.csv", tmp_path / "import.csv"
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7),Lab 2 (8),Notes\r\n"
    head += "    Points Possible,,,,,9,50,\r\n"
    book.write_text(
        head
        + '"Lovelace, Ada",101,,,,1,7,=1+1\r\n"Turing, Alan",102,,,,2,,\r\n"Hopper, Grace",103,,,,3,7,\r\n'
    )
    arguments = ("--sandbox", "bubblewrap", "--gradebook", str(book))
    status, output, _ = Grader(download, out, rubric, *arguments).finish()
    assert (status, "handed in nothing: Hopper, Grace\n" in output) == (0, True)
    assert "Handed in nothing: Hopper, Grace." in (out / "index.html").read_text(encoding="utf-8")
    export = ["export", "canvas", str(out), "--out", str(filled), "--assignment", "Lab 2"]
    assert main([*export, "--gradebook", str(book)]) == 1  # the two are alike, and nobody has looked
    assert main(["review", str(out), "--done", "alike", "late"]) == 0
    assert main([*export, "--gradebook", str(book)]) == 0
    told = capsys.readouterr().out.partition("0 open, 2 done\n")[2].splitlines()
    assert told[:2] == ["marks that are there and change:", "  lovelaceada_101: 7 -> 50"]
    assert told[-1] == "  in the gradebook without a score from here: Hopper, Grace"
    assert filled.read_bytes().decode().split("\r\n")[2:] == [
        '"Lovelace, Ada",101,,,,1,50,\'=1+1',
        '"Turing, Alan",102,,,,2,40,',
        '"Hopper, Grace",103,,,,3,7,',
        "",
    ]
    assert main(export) == 0
    assert filled.read_bytes().decode().split("\r\n")[2:] == [
        "lovelaceada,101,,,,100",
        "turingalan,102,,,,80",
        "",
    ]
    assert capsys.readouterr().out.endswith("  handed in nothing: Hopper, Grace\n")
    assert main(["export", "feedback", str(out), "--out", str(tmp_path / "feedback.zip")]) == 0
    assert capsys.readouterr().out.endswith("  handed in nothing: Hopper, Grace\n")


def test_what_is_no_longer_handed_in_does_not_count(
    tmp_path: Path, class_folder: Path, rubric: Path, bubblewrap: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, out = tmp_path / "mine", tmp_path / "out"
    for name in ("ada", "bob"):
        shutil.copytree(class_folder / name, mine / name)
    arguments = (mine, out, rubric, "--sandbox", bubblewrap)
    assert Grader(*arguments).finish()[0] == 0
    shutil.copytree(out, tmp_path / "before")
    shutil.rmtree(mine / "bob")
    status, output, _ = Grader(*arguments, "--resume").finish()
    assert status == 0
    assert "1 graded, 0 refused, 0 without a mark; 1 unchanged\n" in output
    assert "no longer handed in, kept but not counted: bob\n" in output
    assert list(grades(out)) == ["ada"]
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "bob/feedback.html" not in page
    assert "kept but not counted: bob." in page
    assert (out / "bob" / "results.json").exists()
    assert main(["diff", str(tmp_path / "before"), str(out)]) == 0
    assert "bob: 100 -> no mark\n  is not there any more" in capsys.readouterr().out
    assert main(["export", "junit", str(out), "--out", str(tmp_path / "junit.xml")]) == 0
    assert b"bob" not in (tmp_path / "junit.xml").read_bytes()
    shutil.copytree(class_folder / "bob", mine / "bob")
    back = Grader(*arguments)
    assert "2 graded, 0 refused, 0 without a mark; 2 unchanged\n" in back.finish()[1]


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Give a command that cannot be done; return what it says."""
    assert main(["batch", *map(str, arguments)]) == 1
    return capsys.readouterr().err


def test_one_submission_as_a_zip_is_named_as_it_was_given(
    tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = shutil.make_archive(str(tmp_path / "ada"), "zip", class_folder / "ada")
    assert refused(capsys, archive, "--out", tmp_path / "out", "--rubric", rubric) == (
        f"grader: {archive}: this is one submission: use grader grade, "
        "or name the folder that the zip lies in\n"
    )


def test_resume_says_where_there_is_nothing_to_go_on_with(
    tmp_path: Path, class_folder: Path, rubric: Path, bubblewrap: str
) -> None:
    shutil.copytree(class_folder / "ada", tmp_path / "one" / "ada")
    grader = Grader(tmp_path / "one", tmp_path / "out", rubric, "--sandbox", bubblewrap, "--resume")
    status, output, _ = grader.finish()
    assert status == 0
    assert f"1 submission, none of them graded before in {tmp_path / 'out'}: all are graded" in output
    assert "1 graded, 0 refused, 0 without a mark\n" in output
    with pytest.raises(SystemExit, match="2"):
        main(["batch", str(class_folder), "--out", str(tmp_path / "out"), "--resume", "--again"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--cluster", "local:none"), "expected local:N"),
        (("--extensions", "x.csv"), "need a late policy"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path,
    class_folder: Path,
    rubric: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    said: str,
) -> None:
    errors = refused(capsys, class_folder, "--out", tmp_path / "out", "--rubric", rubric, *options)
    assert said in errors
    assert errors.count("\n") == 1


def test_two_graders_do_not_share_a_folder(start: Start, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with hold(tmp_path / "out"):
        status, _, errors = start().finish()
    assert (status, "another grader is working in this folder" in errors) == (1, True)


def test_the_log_is_json_in_ascii(graded: Path) -> None:
    for line in (graded / "batch.log.jsonl").read_text(encoding="ascii").splitlines():
        assert {"time", "event"} <= set(json.loads(line))


@pytest.mark.parametrize(("jobs", "workers"), [(1, 1), (2, 3), (6, 9), (999, 9)])
def test_there_are_workers_to_spare_for_when_some_wait_and_no_more_than_there_is_to_grade(
    class_folder: Path, rubric: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, workers: int
) -> None:
    def hire(course: Course, _make: object, count: int) -> NoReturn:
        raise InputError(f"{course.at_once} jobs, {count} workers")

    monkeypatch.setattr(class_run, "LocalWorkers", hire)
    with pytest.raises(InputError, match=f"^{jobs} jobs, {workers} workers$"):
        grade_class(BatchOptions(class_folder, tmp_path / "out", jobs, "process", rubric, quiet=True))
