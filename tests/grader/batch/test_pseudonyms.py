"""A class under pseudonyms: its names stand in the key and nowhere among the results."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from grader.batch.open_results import assign_pseudonyms, with_pseudonyms
from grader.cli import main
from grader.exports.grades_csv import read_key
from grader.intake.class_listing import ClassListing, HandIn
from tests.grader.batch.conftest import Grader

BOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (8)\r\n    Points Possible,,,,,50\r\n"
    '"Lovelace, Ada",810547810547,,,,\r\n"Turing, Alan",810548810548,,,,\r\n'
    '"Hopper, Grace",810549810549,,,,\r\n'
)


@pytest.mark.processes
@pytest.mark.usefixtures("bubblewrap")
def test_names_stay_out_of_the_results_and_come_back_in_exports(
    tmp_path: Path, class_folder: Path, rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    download, out, key, book = (tmp_path / name for name in ("download", "out", "key.csv", "book.csv"))
    download.mkdir()
    shutil.make_archive(
        str(download / "lovelaceada_LATE_810547810547_900190019001_lab"), "zip", class_folder / "ada"
    )
    (download / "turingalan_810548810548_900290029002_lab.zip").write_bytes(b"PK\x03\x04 cut short")
    book.write_text(BOOK)
    options = ("--sandbox", "bubblewrap", "--pseudonyms", str(key), "--gradebook", str(book))
    status, output, _ = Grader(download, out, rubric, *options).finish()
    assert (status, "handed in nothing: Hopper, Grace" in output) == (0, True)
    ada, alan = (who.pseudonym for who in read_key(key).values())
    assert names_among(out) == set()
    assert {path.name for path in out.iterdir() if path.is_dir()} == {ada, alan}
    target = tmp_path / "import.csv"
    export = ["canvas", str(out), "--gradebook", str(book), "--out", str(target), "--anyway"]
    assert main(["export", *export, "--key", str(key)]) == 0
    assert (
        '"Lovelace, Ada",810547810547,,,,50\r\n"Turing, Alan",810548810548,,,,\r\n'
        in target.read_bytes().decode()
    )
    assert "turingalan_810548810548: refused" in capsys.readouterr().out
    pages = tmp_path / "feedback.zip"
    assert main(["export", "feedback", str(out), "--out", str(pages), "--key", str(key)]) == 0
    with zipfile.ZipFile(pages) as packed:
        assert "lovelaceada_LATE_810547810547_900190019001_feedback.html" in packed.namelist()

    assert names_among(out) == set()
    assert main(["forget", str(out), "lovelaceada_810547810547"]) == 0
    assert "810547810547" not in key.read_text()
    assert not (out / ada).exists()


def names_among(out: Path) -> set[bytes]:
    told = b"\n".join(
        part
        for path in out.rglob("*")
        for part in (path.name.encode(), path.read_bytes() if path.is_file() else b"")
    )
    secrets = (
        b"ovelace",
        b"uring",
        b"opper",
        b"810547810547",
        b"810548810548",
        b"810549810549",
        b"900190019001",
        b"_lab.zip",
    )
    return {secret for secret in secrets if secret in told}


ADA = HandIn("ada_1", (Path("/x/ada_1_2_lab.zip"),), "ada", "1", "canvas")
CLASS = ClassListing("canvas", (ADA, HandIn("bob_2", (), "bob", "2", "canvas")), ("ada's letter.txt",))


def test_a_pseudonym_is_kept_and_tells_nothing(tmp_path: Path) -> None:
    key = tmp_path / "key.csv"
    names = assign_pseudonyms(CLASS, key, tmp_path / "out", ())
    found = with_pseudonyms(CLASS, names)
    assert [each.name for each in found.hand_ins] == sorted(names.values())
    assert {(each.student, each.id) for each in found.hand_ins} == {("", "")}
    assert found.passed_over == ()
    again = ClassListing("canvas", (*CLASS.hand_ins, HandIn("cleo_3", (), "cleo", "3", "canvas")), ())
    assert names.items() <= assign_pseudonyms(again, key, tmp_path / "out", names.values()).items()
    assert len(read_key(key)) == 3
