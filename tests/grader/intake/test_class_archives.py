"""A class that a platform has packed in one zip is the one that lies in its folder, student by student."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from grader.errors import Undecided
from grader.intake import bulk_download
from grader.intake.class_listing import HandIn, find_hand_ins
from grader.intake.submissions import read_hand_in
from tests.golden.harness import HERE, INPUTS
from tests.golden.inputs import build
from tests.grader.intake.shapes import RIGHT, Files, below, zipped

LAB = zipped(RIGHT)


def rows(hand_ins: Iterable[HandIn]) -> list[tuple[object, ...]]:
    return [
        (each.name, each.student, each.id, each.submitted, each.late, each.attempts, graded(each))
        for each in hand_ins
    ]


def graded(hand_in: HandIn) -> Files | str:
    try:
        return read_hand_in(hand_in).files
    except Undecided as error:
        return str(error)


def students(folder: Path, files: Files) -> tuple[str, dict[str, int]]:
    """Return the platform, and how many right files are graded of each student in a zip of these."""
    (folder / "class.zip").write_bytes(zipped(files))
    found = find_hand_ins(bulk_download.unpack(folder / "class.zip", folder / "class").folder)
    read = [(each.student, read_hand_in(each).files) for each in found.hand_ins]
    assert len({who for who, _ in read}) == len(read)
    return found.platform, {who: sum(files.get(p) == RIGHT[p] for p in RIGHT) for who, files in read}


@pytest.mark.parametrize("around", ["", "Lab 2/", "INF100/Lab 2/"])
@pytest.mark.parametrize("name", [name for name in INPUTS if name.startswith("downloads/")])
def test_a_download_is_the_same_class_packed_and_unpacked(tmp_path: Path, name: str, around: str) -> None:
    build(yaml.safe_load((HERE / name / "input.yaml").read_text(encoding="utf-8")), tmp_path)
    plain = tmp_path / "class"
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for path in sorted(plain.rglob("*")):
            archive.write(path, around + path.relative_to(plain).as_posix())
    unpacked = bulk_download.unpack(tmp_path / "class.zip", tmp_path / "unpacked")
    found, expected = (find_hand_ins(folder) for folder in (unpacked.folder, plain))
    assert (found.platform, rows(found.hand_ins)) == (expected.platform, rows(expected.hand_ins))


def test_repositories_without_what_git_keeps_are_folders(tmp_path: Path) -> None:
    files = below("ada/src/") | below("alan/src/") | {"emmy/README.md": b"# Lab\n", "barbara/": b""}
    assert students(tmp_path, files) == ("", {"ada": 6, "alan": 6, "barbara": 0, "emmy": 0})


def test_blackboard_without_its_receipts(tmp_path: Path) -> None:
    begin = "Lab 2_{}_attempt_2026-10-03-12-00-00"
    files = {f"{begin.format(user)}_lab.zip": LAB for user in ("ada", "alan_t", "grace")}
    receipt = {f"{begin.format('ada')}.txt": b"Name: Ada Lovelace (ada)\nSubmission Field:\nhello\n"}
    for n, (these, who) in enumerate(
        [
            (files, {"ada", "alan_t", "grace"}),
            ({path: text for path, text in files.items() if "_alan_t_" in path}, {"t"}),
            (files | receipt, {"Ada Lovelace", "alan_t", "grace"}),
        ]
    ):
        (tmp_path / str(n)).mkdir()
        assert students(tmp_path / str(n), these) == ("blackboard", dict.fromkeys(who, 6))


def test_a_lab_before_the_name_is_no_student_of_classroom(tmp_path: Path) -> None:
    names = ("Lab A - grace.zip", "Lab A - eve.zip", "Lab B - zoe.zip", "Lab B - ada.zip")
    assert students(tmp_path, dict.fromkeys(names, LAB)) == ("", {name[:-4]: 6 for name in names})
