"""What students see of their attempts while, and after, the class folder is brought up to date."""

from __future__ import annotations

import re
from typing import Any

import pytest

from grader.batch.changes.adjust import MarkChange, adjust_mark
from grader.batch.job import Course
from grader.serve import class_folder
from grader.serve.class_folder import ClassFolderUpdater
from grader.serve.store.attempts import Attempt
from grader.serve.web.site import Site
from tests.grader.serve.made import COURSE, Graded, UpToDate
from tests.grader.serve.web.made import Visitor


def mark_of(visitor: Visitor, attempt: Attempt) -> str:
    """The mark on the feedback page of an attempt."""
    page = visitor.get(f"/attempts/{attempt.id}").text
    (mark,) = re.findall("<strong>([0-9]+)</strong> / 100", page)
    return str(mark)


def test_no_attempt_shows_the_result_of_another_while_reports_are_written(
    ada: Visitor, graded: Graded, up_to_date: UpToDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = graded(ada.person, 60.0, 1.0)
    up_to_date()
    second, report, seen = graded(ada.person, 90.0, 2.0), class_folder._report, []

    def look(*given: Any) -> None:
        seen.append((mark_of(ada, first), mark_of(ada, second)))
        report(*given)
        seen.append((mark_of(ada, first), mark_of(ada, second)))

    monkeypatch.setattr(class_folder, "_report", look)
    up_to_date()
    assert [*seen, (mark_of(ada, first), mark_of(ada, second))] == [("60", "90")] * 3


def test_what_a_command_decides_is_published_too(
    ada: Visitor, site: Site, course: Course, graded: Graded, up_to_date: UpToDate
) -> None:
    attempt = graded(ada.person, 60.0, 1.0)
    folder = up_to_date()
    adjust_mark(folder, "Ada", MarkChange("score", "Grace", "talked about it", points=75.0))
    updater = ClassFolderUpdater(site.data, site.store, {COURSE: course})
    assert updater.outdated_courses() == [COURSE]
    updater.close()
    assert mark_of(ada, attempt) == "75"
    assert updater.outdated_courses() == []
