"""What a folder of results keeps, and what it says of options that differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.job import Course
from grader.batch.open_results import digests_of, expect_files, load_options, tell_differences
from grader.batch.report.class_facts import SERVED, ClassFacts, collect_facts, save
from grader.course.plan import load_plan
from grader.errors import InputError
from grader.intake.class_listing import ClassListing
from grader.results import tell_changes

ASKED = {"rubric": "/a.yaml", "sandbox": "auto", "times": "/times.csv"}
DIGESTS = {"rubric": "r", "times": "t"}


@pytest.fixture
def facts(rubric: Path) -> ClassFacts:
    course = Course(load_plan(rubric), "docker")
    return collect_facts(ClassListing("", (), ()), course, {**ASKED}, digests=DIGESTS)


def test_what_is_written_is_read_back(facts: ClassFacts, tmp_path: Path) -> None:
    assert load_options(tmp_path) is None
    save(tmp_path, facts)
    assert load_options(tmp_path) == facts
    save(tmp_path, replace(facts, asked={SERVED: "yes"}))
    assert load_options(tmp_path) is None


@pytest.mark.parametrize(
    ("asked", "digests", "more", "told"),
    [
        ({}, {}, {}, []),
        ({"rubric": "/moved.yaml"}, {}, {}, []),
        ({"rubric": "/b.yaml"}, {"rubric": "other"}, {}, ["rubric: /b.yaml, before /a.yaml: all are graded"]),
        ({}, {"rubric": "other"}, {}, ["rubric: /a.yaml has changed since the last run: all are graded"]),
        ({"rubric": None}, {"rubric": "other"}, {}, ["rubric: the one that ships, before /a.yaml"]),
        ({"times": None}, {"times": ""}, {}, ["times: none, before /times.csv"]),
        ({"language": "nb"}, {}, {}, ["language: nb, before that of the rubric: pages are written in it"]),
        ({"sandbox": "process"}, {}, {"sandbox": "process"}, ["sandbox: process, before auto: what was"]),
        ({}, {}, {"sandbox": "bubblewrap"}, ["sandbox: auto takes bubblewrap, before docker"]),
        ({"explain": "no"}, {}, {}, ["explain: no, before yes: all are graded again"]),
        ({}, {}, {"late": {"per_day": 1}}, ["late policy: changed since the last run"]),
    ],
)  # fmt: skip
def test_each_option_that_differs_gets_a_line(
    facts: ClassFacts,
    asked: dict[str, str | None],
    digests: dict[str, str],
    more: dict[str, str],
    told: list[str],
) -> None:
    now = replace(
        facts,
        asked={**facts.asked, **asked},
        digests={**facts.digests, **digests},
        **more,  # type: ignore[arg-type]
    )
    lines = tell_differences(facts, now)
    assert len(lines) == len(told)
    assert all(line.startswith(start) for line, start in zip(lines, told, strict=True))
    last_release = replace(facts, digests={}, late=None)
    assert tell_differences(last_release, replace(facts, asked={**ASKED, "rubric": "/moved.yaml"})) == []


def test_a_file_that_is_gone_is_asked_for_by_who_needs_it(tmp_path: Path) -> None:
    asked = {"times": str(tmp_path / "times.csv"), "rubric": None}
    expect_files(asked, ["rubric"], tmp_path)
    assert digests_of(asked) == {}
    with pytest.raises(InputError, match=r"expected the file of --times at .*, or --times none"):
        expect_files(asked, ["times"], tmp_path)
    with pytest.raises(InputError, match="expected the submissions at"):
        expect_files({"submissions": "/nowhere"}, ["submissions"], tmp_path)


def test_marks_that_changed_are_named_up_to_a_bound() -> None:
    changes = {f"s{number}": ("80", "100") for number in range(30)} | {"ada": ("5", "5")}
    told = tell_changes(changes, 240)
    assert told.startswith("30 of 240 marks changed: s0 80 -> 100, s1 80 -> 100")
    assert told.endswith("s19 80 -> 100 and 10 more")
    assert tell_changes({}, 3) == "0 of 3 marks changed"
