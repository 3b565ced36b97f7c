"""A class as each platform packs it in one zip: each student is one row, by name, whatever was handed in."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.intake import bulk_download
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from tests.grader.intake.shapes import RIGHT, Files, below, flat, zipped

OLD = {path: content + b"# old\n" for path, content in RIGHT.items()}
LAB, BEFORE, NESTED = zipped(RIGHT), zipped(OLD), zipped({"hand in/lab.zip": zipped(RIGHT)})
ASE = "Åse Ødegård O'Neil-Smith"
ADA, ALAN, GRACE, EMMY, BARBARA = (
    *("Ada Lovelace", "Alan Turing", "Grace Hopper"),
    *("Emmy Noether", "Barbara Liskov"),
)
EVERYBODY = {ADA: 6, ALAN: 6, GRACE: 6, ASE: 6, EMMY: 0, BARBARA: 0}
"""How many of the six files are graded of each student; of two attempts, the last."""


def canvas() -> dict[str, bytes]:
    loose = {f"ødegårdåse_104_{9020 + n}_{name}": text for n, (name, text) in enumerate(flat().items())}
    return loose | {
        "lovelaceada_101_9001_lab.zip": LAB,
        "turingalan_102_9002_lab.zip": BEFORE,
        "turingalan_LATE_102_9012_lab-1.zip": LAB,
        "hoppergrace_103_9003_all.zip": NESTED,
        "liskovbarbara_105_text.html": b"<p>my code: DFS</p>",
        "noetheremmy_106_9030_lab.docx": b"PK",
    }


def moodle() -> dict[str, bytes]:
    kind = "assignsubmission_file_/"
    return (
        flat(folder=f"{ASE}_60_{kind}")
        | below(f"{ALAN}_56_{kind}v1/", OLD)
        | below(f"{ALAN}_56_{kind}v2/")
        | {
            f"{ADA}_55_{kind}lab.zip": LAB,
            f"{GRACE}_57_{kind}all.zip": NESTED,
            f"{EMMY}_58_{kind}": b"",
            f"{BARBARA}_59_assignsubmission_onlinetext_/onlinetext.html": b"hello",
        }
    )


def blackboard() -> dict[str, bytes]:
    found = {}
    for user, who, day, files in (
        ("ada", ADA, 3, {"lab.zip": LAB}),
        ("alan_t", ALAN, 3, {"lab.zip": BEFORE}),
        ("alan_t", ALAN, 4, {"lab.zip": LAB}),
        ("grace", GRACE, 3, {"all.zip": NESTED}),
        ("aase", ASE, 3, flat()),
        ("emmy", EMMY, 3, {}),
        ("barbara", BARBARA, 3, {}),
    ):
        begin = f"Lab 2_{user}_attempt_2026-10-0{day}-12-00-00"
        found[f"{begin}.txt"] = f"Name: {who} ({user})\nSubmission Field:\nhello\n".encode()
        found |= {f"{begin}_{name}": text for name, text in files.items()}
    return found


def brightspace() -> dict[str, bytes]:
    def folder(number: int, who: str, time: str = "1159 AM") -> str:
        return f"{12340 + number}-67890 - {who} - Oct 3, 2026 {time}/"

    return flat(folder=folder(6, ASE)) | {
        "index.html": b"<html></html>",
        folder(1, ADA) + "lab.zip": LAB,
        folder(2, ALAN) + "lab.zip": BEFORE,
        folder(2, ALAN, "1201 PM") + "lab.zip": LAB,
        folder(3, GRACE) + "all.zip": NESTED,
        folder(4, EMMY): b"",
        folder(5, BARBARA) + "text.html": b"hello",
    }


def gradescope() -> dict[str, bytes]:
    listed = [
        f"submission_{number}:\n  :submitters:\n  - :name: \"{who}\"\n    :sid: '{number}'\n"
        for number, who in enumerate(EVERYBODY, 101)
    ]
    return (
        below("submission_102/v1/", OLD)
        | below("submission_102/v2/")
        | flat(folder="submission_104/")
        | {
            "submission_metadata.yml": "".join(listed).encode(),
            "submission_101/lab.zip": LAB,
            "submission_103/all.zip": NESTED,
            "submission_106/answer.txt": b"hello",
        }
    )


def teams() -> dict[str, bytes]:
    return flat(folder=f"Submitted files/{ASE}/Lab 2/Version 1/") | {
        f"Submitted files/{ADA}/Lab 2/Version 1/lab.zip": LAB,
        f"Submitted files/{ALAN}/Lab 2/Version 9/lab.zip": BEFORE,
        f"Submitted files/{ALAN}/Lab 2/Version 10/lab.zip": LAB,
        f"Submitted files/{GRACE}/Lab 2/Version 1/all.zip": NESTED,
        f"Submitted files/{EMMY}/Lab 2/": b"",
        f"Submitted files/{BARBARA}/": b"",
        f"Working files/{EMMY}/Lab 2/lab.zip": BEFORE,
    }


def classroom() -> dict[str, bytes]:
    return {
        f"{ADA} - lab.zip": LAB,
        f"{ALAN} - lab v1.zip": BEFORE,
        f"{ALAN} - lab v2.zip": LAB,
        f"{GRACE} - all.zip": NESTED,
        f"{ASE} - my lab.zip": zipped(flat()),
        f"{EMMY} - lab.gdoc": b"{}",
        f"{BARBARA} - answer.docx": b"PK",
    }


def folders() -> dict[str, bytes]:
    """Of Google Drive, or of anything that knows no more than names."""
    return below(f"{ALAN}/v9/", OLD) | below(f"{ALAN}/v10/") | flat(folder=f"{ASE}/") | {
        f"{ADA}.zip": LAB,
        f"{GRACE}/all.zip": NESTED,
        f"{EMMY}/": b"",
        f"{BARBARA}/notes.txt": b"hello",
    }  # fmt: skip


def repositories() -> dict[str, bytes]:
    """Of GitHub Classroom or GitLab, without what git keeps."""
    return {path: text for who in (ADA, GRACE, ASE, ALAN) for path, text in below(f"{who}/src/").items()} | {
        f"{EMMY}/README.md": b"# Lab\n",
        f"{BARBARA}/": b"",
    }


def rows(folder: Path, files: Files) -> tuple[str, dict[str, int]]:
    """Return the platform, and how many right files are graded of each student in a zip of these."""
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / "class.zip", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    unpacked = bulk_download.unpack(folder / "class.zip", folder / "class")
    found = find_hand_ins(unpacked.folder, broken=unpacked.broken)
    assert len({each.name for each in found.hand_ins}) == len(found.hand_ins)
    read = [(each.student, read_hand_in(each).files) for each in found.hand_ins]
    assert len({who for who, _ in read}) == len(read)
    return found.platform, {who: sum(graded.get(p) == RIGHT[p] for p in RIGHT) for who, graded in read}


LOGINS: Mapping[str, Mapping[str, str]] = {
    "canvas": {
        ADA: "lovelaceada",
        ALAN: "turingalan",
        GRACE: "hoppergrace",
        ASE: "ødegårdåse",
        EMMY: "noetheremmy",
        BARBARA: "liskovbarbara",
    }
}


@pytest.mark.parametrize("around", ["", "Lab 2/", "INF100/Lab 2/"])
@pytest.mark.parametrize(
    ("download", "platform"),
    [
        (canvas, "canvas"),
        (moodle, "moodle"),
        (blackboard, "blackboard"),
        (brightspace, "brightspace"),
        (gradescope, "gradescope"),
        (teams, "teams"),
        (classroom, "classroom"),
        (folders, ""),
        (repositories, ""),
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_each_student_is_one_row(tmp_path: Path, download: object, platform: str, around: str) -> None:
    assert callable(download)
    logins = LOGINS.get(platform, {})
    expected = {logins.get(who, who): count for who, count in EVERYBODY.items()}
    assert rows(tmp_path, below(around, download())) == (platform, expected)


def test_blackboard_without_its_receipts(tmp_path: Path) -> None:
    files = {path: text for path, text in blackboard().items() if not path.endswith("00.txt")}
    assert rows(tmp_path / "none", files)[1] == {"aase": 6, "ada": 6, "alan_t": 6, "grace": 6}
    alone = {path: text for path, text in files.items() if "_alan_t_" in path}
    assert rows(tmp_path / "one", alone)[1] == {"t": 6}
    told = files | {path: text for path, text in blackboard().items() if "_ada_" in path}
    assert rows(tmp_path / "one told", told)[1] == {"aase": 6, ADA: 6, "alan_t": 6, "grace": 6}


def test_a_lab_before_the_name_is_no_student_of_classroom(tmp_path: Path) -> None:
    names = ("Lab A - grace.zip", "Lab A - eve.zip", "Lab B - zoe.zip", "Lab B - ada.zip")
    assert rows(tmp_path, dict.fromkeys(names, LAB)) == ("", {name[:-4]: 6 for name in names})
