"""Marks that people change: signed, laid over every regrade, and the same in every table and page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from grader.batch.journal import Journal
from grader.batch.marks import ledger
from grader.batch.marks.ledger import LEDGER, decisions
from grader.batch.marks.update import update_marks
from grader.batch.report.class_facts import load, save
from grader.batch.report.diff import compare
from grader.batch.report.write import write_reports
from grader.cli import main
from grader.course.late_work import apply
from grader.errors import InputError
from grader.model import ResultsJson
from tests.grader.batch.marked_class import Adjust, adjust, mark, out, record, report, results_of
from tests.grader.exports.refusals import refused

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""

LATE: Any = {"submitted": "", "deadline": "2026-10-01T23:59:00+02:00", "days": 1, "percent": 10}


def lay(out: Path, lates: Mapping[str, Any]) -> list[str]:
    with Journal(out) as journal:
        changed = update_marks(out, journal, lates)
        write_reports(out, load(out), journal)
    return changed


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_points_of_a_check(out: Path, adjust: Adjust) -> None:
    before = (out / "ada_1" / "results.json").read_bytes()
    assert adjust("ada_1", "--check", "dfs.b", "+5") == "ada_1: 90 -> 95"
    assert adjust("1", "--check", "dfs.b", "+50") == "ada_1: 95 -> 100"
    assert adjust("Ada", "--check", "dfs.a", "-60") == "ada_1: 100 -> 50"
    assert mark(out, "ada_1") == ("50", "graded")
    results = json.loads((out / "ada_1" / "results.json").read_bytes())
    assert [check["score"] for check in results["exercises"][0]["checks"]] == [0.0, 50.0]
    assert results["exercises"][0]["score"] == 50.0
    assert [decision["who"] for decision in results["adjusted"]["decisions"]] == ["grace"] * 3
    for undone in ("ada_1: 50 -> 100", "ada_1: 100 -> 95", "ada_1: 95 -> 90"):
        assert adjust("ada_1", "--undo", reason="") == undone
    assert (out / "ada_1" / "results.json").read_bytes() == before


def test_a_score_is_final_and_the_page_says_why(out: Path, adjust: Adjust) -> None:
    assert adjust("bob_2", "--score", "80", "--comment", "See you <b>Monday</b>") == "bob_2: 40 -> 80"
    page = (out / "bob_2" / "feedback.html").read_text(encoding="utf-8")
    assert '<html lang="nb">' in page
    assert "Et menneske har endret poengene: 40 poeng ble til 80." in page
    assert "looked at it" in page
    assert "See you &lt;b&gt;Monday&lt;/b&gt;" in page


def test_refused_work_may_get_a_mark(out: Path, adjust: Adjust) -> None:
    assert mark(out, "cleo_3") == ("", "refused")
    assert adjust("cleo", "--score", "70") == "cleo_3: no mark -> 70"
    assert mark(out, "cleo_3") == ("70", "graded")


def page_of(out: Path, name: str) -> str:
    return (out / name / "feedback.html").read_text(encoding="utf-8")


def test_the_page_of_exempt_work_has_no_mark(out: Path, adjust: Adjust) -> None:
    assert "90 of 100" in page_of(out, "ada_1")
    adjust("ada_1", "--exempt")
    assert "90 of 100" not in page_of(out, "ada_1").split("</header>")[0]
    assert "no mark" in page_of(out, "ada_1").split("</header>")[0]
    assert "A person decided that this work gets no mark." in page_of(out, "ada_1")


def test_the_page_of_refused_work_says_what_a_person_decided(out: Path, adjust: Adjust) -> None:
    before = page_of(out, "cleo_3")
    assert "no mark" in before.split("</header>")[0]
    assert "A person will look at it." in before
    assert "Hand in your six files." in before
    adjust("cleo_3", "--score", "70")
    after = page_of(out, "cleo_3")
    assert "70 of 100" in after.split("</header>")[0]
    assert "A person gave this work its mark: 70 points." in after
    assert not any(
        words in after for words in ("will look at it", "Hand in your six files", "0 points became")
    )


def test_a_score_that_a_person_gave_is_not_said_to_be_less_for_being_late(out: Path, adjust: Adjust) -> None:
    record(out, "ada_1", apply(cast(ResultsJson, results_of(80.0)), LATE))
    report(out)
    assert "8 points were taken off" in page_of(out, "ada_1")
    adjust("ada_1", "--score", "50")
    assert "No points were taken off" in page_of(out, "ada_1")
    adjust("ada_1", "--check", "dfs.b", "+10")
    assert "1 point was taken off" in page_of(out, "ada_1")


def test_a_mark_that_a_person_confirmed_did_not_become_another(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--check", "dfs.b", "+5")
    adjust("ada_1", "--check", "dfs.b", "-5")
    assert "A person confirmed this mark: 90 points." in page_of(out, "ada_1")


def test_a_comment_leaves_the_mark_as_it_is(
    out: Path, adjust: Adjust, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (out / "ada_1" / "results.json").read_bytes()
    assert adjust("ada_1", "--comment", "Have a look at <b>heapq</b>.", reason="") == "ada_1: 90 -> 90"
    assert mark(out, "ada_1") == ("90", "graded")
    results = json.loads((out / "ada_1" / "results.json").read_bytes())
    assert "adjusted" not in results
    assert [(each["who"], each["text"]) for each in results["comments"]] == [
        ("grace", "Have a look at <b>heapq</b>.")
    ]
    page = page_of(out, "ada_1")
    assert "A person wrote to you about this work:" in page
    assert "Have a look at &lt;b&gt;heapq&lt;/b&gt;." in page
    assert main(["show", str(out / "ada_1")]) == 0
    assert "! Have a look at <b>heapq</b>." in capsys.readouterr().out
    assert adjust("ada_1", "--check", "dfs.b", "+5") == "ada_1: 90 -> 95"
    assert "heapq" in page_of(out, "ada_1")
    adjust("ada_1", "--undo", reason="")
    adjust("ada_1", "--undo", reason="")
    assert (out / "ada_1" / "results.json").read_bytes() == before


def test_refused_work_with_a_comment_waits_for_its_mark(out: Path, adjust: Adjust) -> None:
    adjust("cleo_3", "--comment", "Please send the zip once more.", reason="")
    assert mark(out, "cleo_3") == ("", "refused")
    assert "A person will look at it." in page_of(out, "cleo_3")


def test_exempt_is_no_mark(
    out: Path, adjust: Adjust, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert adjust("ada_1", "--exempt") == "ada_1: 90 -> exempt"
    assert mark(out, "ada_1") == ("", "exempt")
    assert main(["export", "canvas", str(out), "--out", str(tmp_path / "import.csv"), "--anyway"]) == 0
    assert "ada_1: exempt; left out" in capsys.readouterr().out


def test_a_decision_lies_over_every_regrade(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--check", "dfs.b", "+5")
    record(out, "ada_1", results_of(90.0))
    report(out)
    assert mark(out, "ada_1") == ("95", "graded")
    with Journal(out) as journal:
        assert journal.intact("ada_1")


def test_a_mark_of_the_grader_that_has_changed_is_asked_about(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--check", "dfs.b", "+5")
    record(out, "ada_1", results_of(60.0))
    report(out)
    assert mark(out, "ada_1") == ("65", "graded")
    asked = "adjusted when the grader gave 90; it gives 60 now"
    assert asked in (out / "grades.csv").read_text(encoding="utf-8")
    assert adjust("ada_1", "--keep", reason="") == "ada_1: 65 -> 65"
    assert asked not in (out / "grades.csv").read_text(encoding="utf-8")


def test_late_work_keeps_its_share(out: Path, adjust: Adjust) -> None:
    late = {**LATE, "score_before": 80.0, "taken": 8.0}
    record(out, "ada_1", {**results_of(80.0), "score": 72.0, "late": late})
    report(out)
    assert adjust("ada_1", "--check", "dfs.b", "+10") == "ada_1: 72 -> 81"
    results = json.loads((out / "ada_1" / "results.json").read_bytes())
    assert results["late"]["score_before"] == 90.0
    assert adjust("ada_1", "--undo", reason="") == "ada_1: 81 -> 72"
    assert json.loads((out / "ada_1" / "results.json").read_bytes())["late"] == late


def test_lateness_takes_its_share_of_points_and_none_of_a_score(out: Path, adjust: Adjust) -> None:
    record(out, "ada_1", apply(cast(ResultsJson, results_of(80.0)), LATE), staff=results_of(80.0))
    report(out)
    assert adjust("ada_1", "--score", "50") == "ada_1: 72 -> 50"
    assert adjust("ada_1", "--check", "dfs.b", "+10") == "ada_1: 50 -> 59"
    assert adjust("ada_1", "--undo", reason="") == "ada_1: 59 -> 50"
    lay(out, {"ada_1": None})
    assert mark(out, "ada_1") == ("50", "graded")
    assert "adjusted when the grader gave 72; it gives 80 now" in (out / "grades.csv").read_text(
        encoding="utf-8"
    )
    assert adjust("ada_1", "--keep", reason="") == "ada_1: 50 -> 50"
    assert "it gives 80 now" not in (out / "grades.csv").read_text(encoding="utf-8")
    assert adjust("ada_1", "--undo", reason="") == "ada_1: 50 -> 80"


def test_lateness_changes_and_all_pages_with_it(out: Path, adjust: Adjust, tmp_path: Path) -> None:
    plain = results_of(80.0)
    record(out, "ada_1", plain, staff=plain)
    report(out)
    before = files(out / "ada_1")
    adjust("ada_1", "--check", "dfs.b", "+10")
    shutil.copytree(out, tmp_path / "old")
    assert lay(out, {"ada_1": LATE}) == ["ada_1: 90 -> 81"]
    assert mark(out, "ada_1") == ("81", "graded")
    for page in ("feedback.html", "staff.html"):
        text = (out / "ada_1" / page).read_text(encoding="utf-8")
        assert "9 points were taken off: a day late (the deadline was 2026-10-01 23:59)." in text
        assert "A person changed this mark: 72 points became 81." in text
    assert json.loads((out / "ada_1" / "staff.json").read_bytes())["score"] == 81.0
    assert "ada_1: 90 -> 81\n  late: in time -> 1 day, 10 % off" in compare(tmp_path / "old", out)
    assert "adjusted when" not in (out / "grades.csv").read_text(encoding="utf-8")
    assert lay(out, {"ada_1": {"marked": True}}) == ["ada_1: 81 -> 90"]
    assert "marked late</span>" in (out / "index.html").read_text(encoding="utf-8")
    assert lay(out, {"ada_1": None}) == []
    adjust("ada_1", "--undo", reason="")
    assert files(out / "ada_1") == before
    with Journal(out) as journal:
        assert journal.intact("ada_1")


def test_a_comparison_says_what_people_decided(out: Path, adjust: Adjust, tmp_path: Path) -> None:
    before = tmp_path / "before"
    before.mkdir()
    (before / "ada_1").mkdir()
    (before / "ada_1" / "results.json").write_bytes((out / "ada_1" / "results.json").read_bytes())
    (before / "grades.csv").write_bytes((out / "grades.csv").read_bytes())
    adjust("ada_1", "--check", "dfs.b", "+5")
    told = compare(before, out)
    assert "ada_1: 90 -> 95" in told
    assert "  decided by people: nothing -> dfs.b +5" in told


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("ada_1", "--score", "nan", "--reason", "x"), "expected a score from 0 to 100, got nan"),
        (("ada_1", "--check", "dfs.a", "much", "--reason", "x"), "expected points to add or to take off"),
        (("ada_1", "--check", "dfs.a", "inf", "--reason", "x"), "expected points to add or to take off"),
        (("ada_1", "--reason", "x"), "expected a change: --check, --score, --exempt, --undo or --keep; or a"),
        (("Àdà", "--exempt", "--reason", "x"), "did you mean ada_1 (ada)?"),
        (("cle", "--exempt", "--reason", "x"), "did you mean cleo_3 (cleo)?"),
        (("bbo_2", "--exempt", "--reason", "x"), "did you mean bob_2 (bob)?"),
        (("ada_1", "--score", "90", "--reason", "x"), "nothing would change: x has 90 already"),
        (("ada_1", "--check", "dfs.a", "+1", "--reason", "x"), "dfs.a of x has 50 of its 50 points"),
        (("bob_2", "--check", "dfs.b", "-1", "--reason", "x"), "dfs.b of x has 0 of its 50 points"),
        (
            ("bob_2", "--check", "dfs.b", "+1", "--check", "dfs.a", "+1", "--reason", "x"),
            "expected one --check: give the command once for each",
        ),
    ],
)
def test_what_cannot_be_decided(
    out: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, ...], words: str
) -> None:
    assert words in refused(capsys, "adjust", out, *change)
    assert not (out / LEDGER).exists()


def test_the_same_points_given_again_are_told(adjust: Adjust) -> None:
    give = ("ada_1", "--check", "dfs.b", "+2")
    assert adjust(*give) == "ada_1: 90 -> 92"
    first, second = adjust(*give).splitlines()
    assert first == "ada_1: 92 -> 94"
    assert second.startswith("dfs.b had got +2 before (grace, ")
    assert second.endswith("): grader adjust --undo takes this one back")
    assert adjust("ada_1", "--undo", reason="") == "ada_1: 94 -> 92"


def test_nobody_is_exempt_twice_and_refused_work_may_get_nothing(
    out: Path, adjust: Adjust, capsys: pytest.CaptureFixture[str]
) -> None:
    assert adjust("ada_1", "--exempt") == "ada_1: 90 -> exempt"
    assert "x is exempt already" in refused(capsys, "adjust", out, "ada_1", "--exempt", "--reason", "y")
    assert adjust("ada_1", "--score", "90") == "ada_1: exempt -> 90"
    assert adjust("cleo_3", "--score", "0") == "cleo_3: no mark -> 0"
    assert mark(out, "cleo_3") == ("0", "graded")


@pytest.mark.parametrize("who", ["ada_1/", "ADA", "{out}/ada_1", "{out}/ada_1/", "{out}/ada_1/feedback.html"])
def test_a_submission_may_be_named_by_a_path_into_its_folder(out: Path, adjust: Adjust, who: str) -> None:
    assert adjust(who.format(out=out), "--score", "80") == "ada_1: 90 -> 80"


def test_a_path_that_leads_elsewhere_names_nobody(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for who in (tmp_path / "ada_1", out, "/"):
        assert "is none of the submissions here" in refused(
            capsys, "adjust", out, who, "--exempt", "--reason", "x"
        )


def test_a_folder_of_nothing_is_no_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "adjust", tmp_path, "ada", "--exempt", "--reason", "x")
    assert "expected a folder of results that grader batch wrote" in told
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_was_never_finished_is_no_decision(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--score", "80")
    with (out / LEDGER).open("ab") as file:
        file.write(b'{"when": "2026-')
    assert len(decisions(out)["ada_1"]) == 1
    adjust("ada_1", "--score", "81")
    assert [decision.points for decision in decisions(out)["ada_1"]] == [80.0, 81.0]


@pytest.mark.parametrize("line", ["{}", "[]", "no", '{"when": 1}', "[" * 10_000])
def test_a_ledger_that_was_changed_is_refused(
    out: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    (out / LEDGER).write_text(f"{line}\n")
    told = refused(capsys, "adjust", out, "ada_1", "--exempt", "--reason", "x")
    assert "ledger.jsonl:1: expected a decision as grader adjust writes it" in told


def test_a_ledger_without_end_is_refused_before_it_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "_MOST_BYTES", 1024)
    (tmp_path / ledger.LEDGER).write_bytes(b"\n" * 1025)
    with pytest.raises(InputError, match=r"ledger\.jsonl: expected at most 1 KiB of decisions"):
        ledger.decisions(tmp_path)


def test_names_on_the_class_page_are_names_here(out: Path, adjust: Adjust) -> None:
    names = {"ada_1": "Lovelace, Ada", "bob_2": "Turing, Alan", "cleo_3": "Turing, Alan"}
    save(out, replace(load(out), names=names))
    assert adjust("Lovelace, Ada", "--score", "80") == "ada_1: 90 -> 80"
    page = (out / "index.html").read_text(encoding="utf-8")
    assert ">Turing, Alan (2)<" in page
    assert adjust("Turing, Alan (2)", "--score", "80") == "bob_2: 40 -> 80"


def test_refused_work_had_no_mark_before_a_person_gave_one(
    out: Path, tmp_path: Path, adjust: Adjust, capsys: pytest.CaptureFixture[str]
) -> None:
    before = shutil.copytree(out, tmp_path / "before")
    adjust("cleo_3", "--score", "100")
    assert main(["diff", str(before), str(out)]) == 0
    assert "cleo_3: no mark -> 100\n" in capsys.readouterr().out
