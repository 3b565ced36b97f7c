"""Requests for another look: who may ask what and when, what comes of it, and what of it is told."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grader.batch.answers import answer_request, take_in
from grader.batch.decisions import MarkChange, adjust_mark
from grader.batch.journal import Journal, JournalRow
from grader.batch.ledger import Decision
from grader.batch.marks import update_marks
from grader.batch.report.class_facts import ClassFacts, load, save
from grader.batch.report.class_page import load_items, write_reports
from grader.batch.requests import (
    LookRequest,
    NewRequest,
    count_open,
    first_seen,
    load_requests,
    note_shown,
    open_request,
    read_text,
    reply,
    requests_in,
    take_back,
    tell_right_checks,
)
from grader.batch.review import review
from grader.course.request_terms import RequestTerms
from grader.errors import InputError, RequestRefused
from grader.exports.grades_csv import open_kinds
from grader.feedback import render_html, render_markdown
from grader.intake.class_listing import ClassListing, HandIn
from grader.results import as_json, read
from tests.grader.batch.marked_class import results_of

TERMS = RequestTerms(days=7, at_once=1, mail="lab@example.edu")
NOW = datetime(2026, 10, 5, 12, tzinfo=UTC)
WORK, NEWER = "1a2b3c4d" * 4, "5e6f7a8b" * 4
WHY = "The answer is right, since the maze has no exit."


def record(out: Path, name: str, score: float, work: str = WORK) -> None:
    results: Any = results_of(score)
    for check in results["exercises"][0]["checks"]:
        check["status"] = "passed" if check["score"] == check["max_score"] else "failed"
    with Journal(out) as journal:
        page = render_html(results).encode()
        journal.record(JournalRow(name, f"key {work}", "graded", 1.0, ""), as_json(results), page)


def report(out: Path) -> None:
    with Journal(out) as journal:
        update_marks(out, journal)
        write_reports(out, load(out), journal)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return the results of Ada, who lost the check dfs.b, and of Bob, who lost both."""
    folder = tmp_path / "results"
    folder.mkdir()
    record(folder, "ada", 60.0)
    record(folder, "bob", 40.0)
    listing = ClassListing("", (HandIn("ada", ()), HandIn("bob", ())), ())
    terms = {"days": 7, "at_once": 1, "mail": "lab@example.edu"}
    save(folder, ClassFacts("Lab", "fake", (("dfs", "DFS"),), 60.0, listing, requests=terms))
    report(folder)
    return folder


def ask(out: Path, name: str = "ada", check: str = "dfs.b", words: str = WHY, **more: Any) -> LookRequest:
    asked = NewRequest(name, check, words, name, more.pop("attempt", WORK[:8]), NOW, more.pop("until", None))
    return open_request(out, asked, TERMS, read(out / name / "results.json"), more.pop("work", WORK))


def refused(out: Path, **more: Any) -> str:
    with pytest.raises(RequestRefused) as found:
        ask(out, **more)
    return found.value.key


def asked_in(out: Path, name: str = "ada") -> list[dict[str, Any]]:
    results = json.loads((out / name / "results.json").read_bytes())
    return list(results["requests"]["asked"])


def test_a_request_is_about_a_lost_check_of_the_attempt_that_counts(out: Path) -> None:
    assert refused(out, check="dfs.c") == "check"
    assert refused(out, check="dfs.a") == "full"
    assert refused(out, attempt=NEWER[:8]) == refused(out, attempt=WORK[:4]) == "attempt"
    assert refused(out, words="too short") == refused(out, words="x" * 2001) == "length"
    assert ask(out, words=f"  {'ä' * 10} ").words == "ä" * 10
    assert refused(out) == "again"


def test_the_days_run_from_when_it_could_be_seen_first(out: Path) -> None:
    assert refused(out, until=NOW - timedelta(seconds=1)) == "late"
    ask(out, until=NOW)
    with Journal(out) as journal:
        graded = journal.finished("ada")
    assert first_seen([], "ada", graded) is None
    note_shown(out)
    seen = Decision(datetime.now(UTC).isoformat(timespec="microseconds"), "", "bob", "shown", 0.0)
    assert first_seen([seen], "ada", graded) is None
    assert first_seen([seen], "bob", graded) == datetime.fromisoformat(seen.when)
    assert first_seen([seen], "bob", graded + 3600) is None


def test_an_answered_request_frees_its_place(out: Path) -> None:
    ask(out, "bob", "dfs.a")
    assert refused(out, name="bob") == "many"
    answer_request(out, "bob", "dfs.a", "kept", "grace", "It stays.")
    ask(out, "bob")


def test_a_student_adds_to_it_once_and_takes_it_back(out: Path) -> None:
    ask(out)
    reply(out, "ada", "dfs.b", WORK, "And the statement says so.", "ada")
    with pytest.raises(RequestRefused, match="already"):
        reply(out, "ada", "dfs.b", WORK, "And once more, since I can.", "ada")
    take_back(out, "ada", "dfs.b", WORK, "ada")
    with pytest.raises(RequestRefused, match="no open request"):
        take_back(out, "ada", "dfs.b", WORK, "ada")
    (found,) = load_requests(out)["ada"]
    assert (found.state, found.reply) == ("taken-back", "And the statement says so.")
    assert refused(out) == "again"


def test_a_newer_attempt_that_counts_closes_it_and_the_student_is_told(out: Path) -> None:
    ask(out)
    report(out)
    assert [each["state"] for each in asked_in(out)] == ["open"]
    record(out, "ada", 80.0, NEWER)
    report(out)
    assert [each["state"] for each in asked_in(out)] == ["outdated"]
    assert not load_items(out)
    assert "work that no longer counts" in (out / "ada" / "feedback.html").read_text(encoding="utf-8")
    assert ask(out, attempt=NEWER[:8], work=NEWER).work == NEWER
    record(out, "ada", 60.0, WORK)
    report(out)
    assert [each["state"] for each in asked_in(out)] == ["open", "outdated"]


def test_an_answer_closes_it_and_may_lower_the_mark(out: Path) -> None:
    ask(out)
    change = MarkChange("check", "grace", "It is wrong in each case.", check="dfs.b", points=-10)
    assert "60 -> 50" in answer_request(out, "ada", "dfs.b", "changed", "grace", change.reason, change)
    (told,) = asked_in(out)
    assert (told["state"], told["points"], told["answer"], told["who"]) == (
        *("changed", -10, "It is wrong in each case.", "grace"),
    )
    with pytest.raises(RequestRefused, match="no open request"):
        answer_request(out, "ada", "dfs.b", "kept", "hugh", "It stays.")
    with pytest.raises(InputError, match="expected an answer"):
        answer_request(out, "ada", "dfs.b", "kept", "hugh", " ")


def test_an_answer_that_was_interrupted_changes_the_mark_once(out: Path) -> None:
    ask(out)
    change = MarkChange("check", "grace", "You are right.", check="dfs.b", points=10)
    adjust_mark(out, "ada", change)
    answer_request(out, "ada", "dfs.b", "changed", "grace", change.reason, change)
    assert read(out / "ada" / "results.json")["score"] == 70
    assert asked_in(out)[0]["points"] == 10


def test_it_is_an_item_that_holds_up_nothing_and_is_closed_by_an_answer_alone(out: Path) -> None:
    words = "It is right.\nrequest: another line\x1b[31m"
    request = ask(out, words=words)
    report(out)
    (item,) = load_items(out)
    assert (item.id, item.kind, item.is_open) == (request.id, "request", True)
    assert "\n" not in item.text
    assert open_kinds(out) == {}
    assert count_open(out).startswith("1 request for another look is open")
    with pytest.raises(InputError, match="waits for an answer"):
        review(out, [item.id], (), "grace")
    with pytest.raises(InputError, match="no item"):
        review(out, ["ada"], (), "grace")
    answer_request(out, "ada", "dfs.b", "regraded", "grace", "The grader was wrong.")
    (item,) = load_items(out)
    assert (item.who, item.is_open, count_open(out)) == ("grace", False, "")
    with pytest.raises(InputError, match="has read the answer"):
        review(out, (), [item.id], "grace")


def test_without_the_key_nothing_is_told_of_requests(out: Path) -> None:

    assert b'"requests"' in (out / "ada" / "results.json").read_bytes()
    save(out, replace(load(out), requests=None))
    report(out)
    assert b'"requests"' not in (out / "ada" / "results.json").read_bytes()
    assert b'"requests"' not in (out / ".class.json").read_bytes()
    assert "not opened: this course takes no requests" in _taken(
        out, "student,check,text\nada,dfs.b,please look"
    )


def test_the_page_says_how_to_ask_about_lost_checks_alone(out: Path) -> None:
    results = read(out / "ada" / "results.json")
    page, markdown = render_html(results), render_markdown(results)
    for text in (page, markdown):
        assert text.count("mailto:lab@example.edu?subject=request%20dfs.b") == 1
        assert text.count(f"attempt: {WORK[:8]}") == 1
        assert "check: dfs.a" not in text
    ask(out, words="<b>It is right</b> [link](http://x.org)")
    report(out)
    results = read(out / "ada" / "results.json")
    page, markdown = render_html(results), render_markdown(results)
    assert "mailto:" not in page + markdown
    assert "&lt;b&gt;It is right&lt;/b&gt;" in page
    assert r"\[link\](http\:\/\/x.org)" in markdown


def _taken(out: Path, table: str) -> str:
    path = out.parent / "asked.csv"
    path.write_text(table, encoding="utf-8")
    return take_in(out, path, "grace")


def test_whose_a_request_is_says_the_folder_and_never_the_text(out: Path) -> None:
    text = f"check: dfs.b\nattempt: {WORK[:8]}\nstudent: bob\n\nIt is right, I am sure.\n"
    for path in ("in/ada/request.txt", "in/bob.txt", "in/zoe/request.txt", "in/odd/request.txt"):
        (out.parent / path).parent.mkdir(parents=True, exist_ok=True)
        (out.parent / path).write_text(text if "odd" not in path else "Dear all", encoding="utf-8")
    told = take_in(out, out.parent / "in", "grace")
    assert told.endswith("2 of 4 requests opened")
    assert "zoe: not opened" in told
    assert {name: len(found) for name, found in load_requests(out).items()} == {"ada": 1, "bob": 1}
    assert "1 of 1" not in take_in(out, out.parent / "in" / "ada" / "request.txt", "grace")


def test_a_table_says_when_it_was_asked(out: Path) -> None:
    note_shown(out)
    later = datetime.now(UTC) + timedelta(days=8)
    table = f"student;check;text;when\nada;dfs.b;It is right, I say;{later.isoformat()}\n"
    assert "requests about this check could be made until" in _taken(out, table)
    with pytest.raises(InputError, match="expected a time such as"):
        _taken(out, "student,check,text,when\nada,dfs.b,It is right,yesterday\n")
    with pytest.raises(InputError, match="expected the columns"):
        _taken(out, "name,check,text\n")
    assert _taken(out, "student,check,text\nada,dfs.b,It is right now\n").endswith("1 of 1 requests opened")


def test_a_text_begins_with_check_and_attempt() -> None:
    came = read_text("ada", b"\xef\xbb\xbfCheck: dfs.b\r\nAttempt: 1a2b3c4d\r\n\r\nIt is right\xff", NOW)
    assert (came.check, came.attempt, came.words.strip()) == ("dfs.b", "1a2b3c4d", "It is right�")
    with pytest.raises(InputError, match="at its beginning"):
        read_text("ada", b"It is right\ncheck: dfs.b\nattempt: 1a2b3c4d\n", NOW)


def test_a_check_with_many_right_requests_is_told() -> None:
    def lines(name: str, check: str, points: float) -> list[Decision]:
        asked = Decision("1", name, name, "request", 0.0, comment=WHY, check=check, work=WORK)
        return [
            asked,
            Decision("2", "grace", name, "answer-changed", 0.0, check=check, work=WORK, points=points),
        ]

    told = [
        *lines("a", "dfs.a", 5),
        *lines("b", "dfs.a", 5),
        *lines("c", "dfs.a", -5),
        *lines("d", "dfs.b", 5),
    ]
    found = [each for theirs in requests_in(told).values() for each in theirs]
    assert tell_right_checks(found) == ["2 of 3 requests about dfs.a were right"]
