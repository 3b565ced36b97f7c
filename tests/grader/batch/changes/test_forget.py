"""A student who is forgotten: nothing in the folder of the results names them any more."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch import open_results as forget_module
from grader.batch.journal import Journal, JournalRow
from grader.batch.orchestrator import Log
from grader.batch.report.class_facts import ClassFacts, load, save
from grader.batch.report.class_page import write_reports
from grader.cli import main
from grader.exports.chosen_students import WITHOUT_WORK
from grader.feedback import render_html
from grader.intake.class_listing import ClassListing, HandIn
from grader.results import as_json
from tests.grader.batch.marked_class import results_of
from tests.grader.exports.refusals import refused

pytestmark = pytest.mark.processes

WHO = "lovelaceada_810547810547"
SECRETS = {"name": b"lovelace", "capitals": b"Lovelace", "number": b"810547810547"}


def code_of(number: int) -> bytes:
    """Code that no compression hides, the same for both students."""
    lines = "".join(f"value_{line} = compute({line}, {number})\n" for line in range(20))
    return lines.encode() + random.Random(number).randbytes(3000)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    hand_ins = (
        HandIn(WHO, (Path(f"/class/{WHO}_900190019001_lab.zip"),), "lovelaceada", "810547810547", "canvas"),
        HandIn(
            "turingalan_2", (Path("/class/turingalan_2_900290029002_lab.zip"),), "turingalan", "2", "canvas"
        ),
    )
    with Journal(folder) as journal, Log(folder) as log:
        for number in range(4):
            for hand_in in hand_ins:
                results = results_of(50.0, submission=hand_in.name, status="violation")
                entry = JournalRow(hand_in.name, f"key {number}", "graded", 1.0, "")
                content, page = as_json(results), render_html(results).encode()  # type: ignore[arg-type]
                staff = {"staff.json": content, "staff.html": page}
                journal.record(entry, content, page, code_of(number), staff)
                log.tell("graded", submission=hand_in.name, score=50.0)
        facts = ClassFacts("Lab", "fake", (("dfs", "DFS"),), 60.0, ClassListing("canvas", hand_ins, ()))
        facts = replace(facts, names={WHO: "Lovelace, Ada", "turingalan_2": "Turing, Alan"})
        save(folder, facts)
        (folder / WITHOUT_WORK).write_text(json.dumps(["Hopper, Grace"]))
        write_reports(folder, facts, journal)
    for who in (WHO, "turingalan_2"):
        assert main(["adjust", str(folder), who, "--score", "60", "--reason", "as agreed", "--by", "t"]) == 0
        assert main(["review", str(folder), "--done", who, "--by", "t"]) == 0
    return folder


def found_in(out: Path) -> set[str]:
    """Which secrets stand in any byte of the folder, or in a name there."""
    told = b"\n".join(
        part
        for path in out.rglob("*")
        for part in (path.name.encode(), path.read_bytes() if path.is_file() else b"")
    )
    old_code = {f"code {number}": zlib.compress(code_of(number))[1000:1100] for number in range(4)}
    return {what for what, secret in (SECRETS | old_code).items() if secret in told}


def test_nothing_is_left(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {"name", "number", "code 3"} <= found_in(out)
    assert b"lovelace" in b"".join(page.read_bytes() for page in (out / "alike").iterdir())
    capsys.readouterr()
    assert main(["forget", str(out), "810547810547"]) == 0
    assert capsys.readouterr().out == "forgotten: 810547810547\n"
    assert found_in(out) == {"code 3"}  # of the other one
    assert [hand_in.name for hand_in in load(out).found.hand_ins] == ["turingalan_2"]
    with Journal(out) as journal:
        assert list(journal.entries()) == ["turingalan_2"]
        assert journal.intact("turingalan_2")
    assert "60" in (out / "grades.csv").read_text(encoding="utf-8")
    assert "Hopper" in (out / "index.html").read_text(encoding="utf-8")
    assert "is none of the submissions here" in refused(capsys, "forget", out, WHO)


def test_what_was_stopped_is_done_to_its_end(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(forget_module, "write_reports", stop)
        assert main(["forget", str(out), WHO]) == 1
    assert "name" in found_in(out)
    assert main(["forget", str(out), WHO]) == 0
    assert found_in(out) == {"code 3"}
    assert capsys.readouterr().out.endswith(f"forgotten: {WHO}\n")


def test_what_a_person_wrote_of_them_elsewhere_is_told(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--score", "0", "--reason", "copied from lovelaceada", "--by", "t")
    assert main(["adjust", str(out), "turingalan_2", *words]) == 0
    capsys.readouterr()
    assert main(["forget", str(out), WHO]) == 0
    told = capsys.readouterr().out.splitlines()[1:]
    assert {line.split(":")[0] for line in told} == {
        "still named in ledger.jsonl",
        "still named in turingalan_2/feedback.html",
        "still named in turingalan_2/results.json",
        "still named in turingalan_2/staff.html",
        "still named in turingalan_2/staff.json",
    }
