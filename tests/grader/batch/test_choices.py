"""What people chose is taken as long as there is the same to choose from."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from unittest import mock

import pytest

from grader.batch import job
from grader.batch.job import (
    Job,
    PutRight,
    choice_data,
    fault_of,
    question_of,
    read_with_choices,
    read_work,
    work_in,
    work_of,
)
from grader.batch.open_results import find_candidate, find_newest
from grader.errors import Candidate, InputError, Undecided, Unreached
from grader.intake.class_listing import HandIn
from grader.languages import said
from grader.model import Limits, Submission
from grader.reader import Reader

ADA = HandIn("ada", ())
OLD = Candidate("try/", "2026-11-01T10:00:00+00:00", {"solvers/dfs.py": "aa", "solvers/bfs.py": "cc"})
NEW = Candidate("again/", "2026-11-02T09:30:00+00:00", {"solvers/dfs.py": "bb", "solvers/bfs.py": "cc"})
FILES = (
    Candidate("again/dfs.py", None, {"solvers/dfs.py": "b1"}),
    Candidate("again/x.py", None, {"solvers/dfs.py": "b2"}),
)


@pytest.fixture
def undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work of two attempts, the second of which has two files for one exercise."""

    def read(hand_in: HandIn, _: Reader, *, chosen: Collection[str]) -> Submission:
        for candidates in ((OLD, NEW), FILES):
            taken = [each.name for each in candidates if each.name in chosen]
            if len(taken) != 1:
                raise Undecided("found several", candidates=candidates)
            if taken == [OLD.name]:
                break
        return Submission(hand_in.name, dict.fromkeys(chosen, b""))

    monkeypatch.setattr(job, "submission_of", read)


@pytest.mark.usefixtures("undecided")
def test_answers_are_taken_one_question_after_the_other() -> None:
    attempts, files, reader = question_of("ada", (OLD, NEW)), question_of("ada", FILES), Reader.of(Limits())
    assert [*read_with_choices(ADA, {attempts: 1}, reader).files] == ["try/"]
    own = read_with_choices(ADA, {attempts: 1}, reader, are_own=True).remarks
    assert [remark.message for remark in own] == [said("intake_own_choice", count=2, source="try/")]
    assert [*read_with_choices(ADA, {attempts: 2, files: 1}, reader).files] == ["again/", "again/dfs.py"]
    for unanswered in ({}, {attempts: 2}, {attempts: 3}, {question_of("bob", (OLD, NEW)): 1}):
        with pytest.raises(Undecided):
            read_with_choices(ADA, unanswered, reader)


def test_what_was_chosen_and_is_asked_again_is_not_chosen_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Collection[str]] = []

    def read(_: HandIn, __: Reader, *, chosen: Collection[str]) -> Submission:
        asked.append([*chosen])
        assert len(asked) < 5
        raise Undecided("found several", candidates=(OLD, NEW))

    monkeypatch.setattr(job, "submission_of", read)
    with pytest.raises(Undecided):
        read_with_choices(ADA, {question_of("ada", (OLD, NEW)): 1}, Reader.of(Limits()))
    assert asked == [[], ["try/"]]


@pytest.mark.usefixtures("undecided")
@pytest.mark.parametrize("choices", [{}, {question_of("ada", (OLD, NEW)): 1}])
def test_what_was_put_right_is_graded_as_long_as_the_student_hands_in_nothing_else(
    monkeypatch: pytest.MonkeyPatch, choices: dict[str, int]
) -> None:
    reader, by_hand = Reader.of(Limits()), Submission("by hand", {"solvers/dfs.py": b"right"})
    monkeypatch.setattr(job, "submission_at", lambda *_: by_hand)

    def read(of: str) -> tuple[Submission, str]:
        return read_work(Job(ADA, choices=choices, put_right=PutRight(Path("x.zip"), of)), reader)

    of = work_of(Submission("ada", {"try/": b""})) if choices else question_of("ada", (OLD, NEW))
    found, work = read(of)
    assert (found.name, found.files, work) == ("ada", by_hand.files, of)
    assert said("intake_put_right") in [remark.message for remark in found.remarks]
    if choices:
        assert read("what came before") == read_work(Job(ADA, choices=choices), reader)
    else:
        with pytest.raises(Undecided):
            read("what came before")
    monkeypatch.setattr(job, "submission_at", mock.Mock(side_effect=InputError("cut short")))
    with pytest.raises(Unreached, match="what staff put right cannot be read: "):
        read(of)


def test_the_digest_of_work_follows_its_files_or_else_how_large_it_is(tmp_path: Path) -> None:
    empty, one, other = (Submission("ada", files) for files in ({}, {"a": b"1"}, {"a": b"2"}))
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"1")
    large.write_bytes(b"12")
    works = [work_of(empty, [small]), work_of(empty, [large]), work_of(one), work_of(other)]
    assert len({*works}) == 4
    assert work_of(one, [small]) == work_of(Submission("bob", {"a": b"1"}), [large])
    assert work_in(f"key {works[0]}") == works[0]


def test_a_question_changes_with_names_and_contents_and_not_with_times() -> None:
    same = Candidate("try/", None, OLD.files)
    assert question_of("ada", (same, NEW)) == question_of("ada", (OLD, NEW))
    others = [
        (OLD,),
        (NEW, OLD),
        (OLD, Candidate(NEW.name, NEW.modified, {})),
        (OLD, Candidate(NEW.name, NEW.modified, {**NEW.files, "solvers/dfs.py": "another"})),
        (OLD, Candidate("b/", None, NEW.files)),
    ]
    assert question_of("ada", (OLD, NEW)) not in {question_of("ada", each) for each in others}


def test_a_candidate_is_named_by_number_or_name() -> None:
    choice = choice_data("q", (Candidate("2/", None, {}), Candidate("1/", None, {}), OLD))
    asked = ("1", "2", "3", "1/", "2/", "try/", "tr")
    assert [find_candidate(choice, each) for each in asked] == [1, 2, 3, 2, 1, 3, 3]
    with pytest.raises(InputError, match="expected a number from 1 to 2"):
        find_candidate(choice_data("q", FILES), "again")
    with pytest.raises(InputError, match="expected a number from 1 to 3, or one of the names, got 4"):
        find_candidate(choice, "4")


def test_the_newest_is_known_where_all_times_are_and_differ() -> None:
    assert find_newest(choice_data("q", (OLD, NEW))) == 2
    assert find_newest(choice_data("q", (NEW, OLD))) == 1
    assert find_newest(choice_data("q", (NEW, NEW))) == 0
    assert find_newest(choice_data("q", (OLD, *FILES))) == 0


def test_only_undecided_work_asks_and_under_a_pseudonym_nameless() -> None:
    assert fault_of(Unreached("gone"), ADA).choice is None
    who = HandIn("student-1", (Path("/class/Ada Lovelace"),))
    fault = fault_of(Undecided("two", candidates=(Candidate("Ada Lovelace/a", None, {}), OLD)), who)
    assert fault.lasting
    assert fault.choice is not None
    assert [each["name"] for each in fault.choice["candidates"]] == ["student-1/a", "try/"]
    loose = HandIn("student-1", (Path("/class/Ada v1.zip"), Path("/class/Ada v2.zip")))
    asked = fault_of(
        Undecided("two", candidates=[Candidate(each.name, None, {}) for each in loose.sources]), loose
    )
    assert asked.choice is not None
    assert [each["name"] for each in asked.choice["candidates"]] == ["student-1 (1)", "student-1 (2)"]
    assert find_candidate(asked.choice, "student-1 (2)") == 2
