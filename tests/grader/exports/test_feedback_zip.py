"""The zip of feedback pages that a platform hands back."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.exports.refusals import refused

GRADES = (
    "submission,student,id,score,max_score,status,platform,source\r\n"
    "a,lovelaceada,101,90,100,graded,{platform},{source}\r\n"
)


@pytest.mark.parametrize(
    ("platform", "source", "name"),
    [
        ("canvas", "lovelaceada_LATE_101_9001_lab.zip", "lovelaceada_LATE_101_9001_feedback.html"),
        ("canvas", "lovelaceada_101_text.html", "lovelaceada_101_feedback.html"),
        ("canvas", "", "lovelaceada_101_feedback.html"),
        (
            "moodle",
            "lovelaceada_101_assignsubmission_file_",
            "lovelaceada_101_assignsubmission_file_feedback.html",
        ),
    ],
)
def test_feedback_under_the_names_that_a_platform_knows(
    tmp_path: Path, platform: str, source: str, name: str
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "feedback.html").write_text("<p>well done")
    (tmp_path / "grades.csv").write_text(GRADES.format(platform=platform, source=source))
    assert main(["export", "feedback", str(tmp_path), "--out", str(tmp_path / "f.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "f.zip") as packed:
        assert packed.namelist() == [name]
        assert packed.read(name) == b"<p>well done"


@pytest.mark.parametrize(
    ("platform", "said"), [("", "came from a plain folder"), ("blackboard", "came from Blackboard")]
)
def test_a_zip_of_feedback_is_for_platforms_that_take_it(
    tmp_path: Path, platform: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "grades.csv").write_text(GRADES.format(platform=platform, source="a"))
    assert said in refused(capsys, "export", "feedback", tmp_path, "--out", tmp_path / "f.zip")
