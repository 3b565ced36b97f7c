"""The files of one result: what intake notes is in the language of the page, the other words are English."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.grading.engine import STAFF, outputs_of
from grader.languages import said
from grader.model import Remark, Report, note
from grader.results import parse

LEFT_OUT = note(said("intake_left_out", source="a.zip", reason=said("left_large", size="256 KiB")), "a.zip")
REPAIR = Remark("moved", "d.py", "dfs.py", said("intake_moved", source="d.py", file="dfs.py"))
NOTES = {
    "en": "a.zip was left out: it is larger than 256 KiB.",
    "de": "a.zip wurde ausgelassen: Die Datei ist größer als 256 KiB.",
    "nb": "a.zip ble utelatt: filen er større enn 256 KiB.",
}
FOR_STAFF = {"en": "For staff only", "de": "Nur für Lehrende", "nb": "Bare for ansatte"}


@pytest.mark.parametrize("code", NOTES)
def test_notes_are_in_the_language_of_the_page(code: str) -> None:
    rubric = load_rubric(None, checks=titles())
    report = Report("ada", "process", "", "", (), remarks=(LEFT_OUT, REPAIR))
    for found in (
        outputs_of(report, rubric, language=code),
        outputs_of(replace(report, language=code), rubric, language=None),
    ):
        assert found.data["notes"] == [NOTES[code]]
        assert [remark["message"] for remark in found.data["intake"]] == ["d.py is graded as dfs.py."]
        assert NOTES[code] in found.page.decode()
        first, second = parse(found.staff[STAFF])["notes"]
        assert (first.startswith(FOR_STAFF[code]), second) == (True, NOTES[code])
