"""Several members of staff at the review, and what they write at lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from grader.batch.ledger import line_comments
from grader.batch.report.class_page import load_items
from grader.batch.review import review
from grader.batch.taken_items import give_back, take_item
from grader.course.rules import CourseRules
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.made import Visitor, newest


def code_path(ada: Visitor, site: Site) -> str:
    return f"/staff/attempts/{newest(site, ada.person).id}"


def test_a_comment_that_is_refused_comes_back_as_it_was_typed(
    staff: Visitor, ada: Visitor, site: Site, folder: Path
) -> None:
    (folder / "comments.yaml").write_text("loop: This never ends.\n", encoding="utf-8")
    path = code_path(ada, site)
    typed = {"place": "dfs.py:99", "text": "Which\r\n<cells>?", "choice": "loop"}
    page = staff.post(f"{path}/comment", typed).text
    assert "dfs.py has 2 lines, and no line 99: did you mean dfs.py:2?" in page
    assert 'value="dfs.py:99"' in page
    assert "Which\r\n&lt;cells&gt;?</textarea>" in page
    assert '<option value="loop" selected>' in page
    assert line_comments(folder) == {}


def test_a_comment_is_read_with_its_attempt_alone(
    staff: Visitor, ada: Visitor, site: Site, folder: Path
) -> None:
    path = code_path(ada, site)
    assert staff.post(f"{path}/comment", {"place": "dfs.py:2", "text": "Which cells?"}).status_code == 303
    (comment,) = line_comments(folder)["Ada"]
    assert (comment.who, comment.line, comment.source, comment.attempt) == ("Grace", 2, "  ...", 1)
    assert "Which cells?" in ada.get(f"/feedback/{newest(site, ada.person).id}/").text
    assert "Which cells?" in staff.get(f"{path}/code").text


def test_the_texts_of_a_course_that_cannot_be_read_are_told_with_a_comment(
    staff: Visitor, ada: Visitor, site: Site, folder: Path
) -> None:
    (folder / "comments.yaml").write_text("loop: [", encoding="utf-8")
    path = code_path(ada, site)
    assert staff.get(f"{path}/code").status_code == 200
    page = staff.post(f"{path}/comment", {"place": "dfs.py:2", "text": "Which?"}).text
    assert "comments.yaml" in page
    assert str(folder.parent) not in page


@pytest.fixture
def item(folder: Path) -> str:
    return next(each.id for each in review(folder, [], [], "Grace") if each.kind == "violation")


@pytest.mark.processes
def test_an_item_is_taken_by_whoever_opens_it_and_what_another_typed_is_kept(
    staff: Visitor, enter: Any, item: str
) -> None:
    bo, path = enter("Bo", "staff"), f"/staff/review/{item}"
    assert "You have taken it" in bo.get(path).text
    assert "taken by Bo" in staff.get("/staff/review").text
    assert "Bo has taken it" in staff.get(path).text
    typed = {"action": "score", "points": "12.5", "reason": "it was <talked> about"}
    for form in (path, f"/staff/people/{bo.person.id - 1}/adjust"):
        page = staff.post(form, typed).text
        assert f"Bo has taken this item ({item}), so nothing was decided" in page
        assert 'value="12.5"' in page
        assert 'value="it was &lt;talked&gt; about"' in page
    assert "so nothing was decided" in staff.post("/staff/review", {"item": item}).text
    assert bo.post(path, {"action": "done"}).headers["location"] == "/staff/review"
    assert "Bo closed it" in staff.get(path).text


@pytest.mark.processes
def test_an_item_of_the_service_is_taken_for_the_commands_too(
    staff: Visitor, folder: Path, item: str
) -> None:
    staff.get(f"/staff/review/{item}")
    (found,) = (each for each in load_items(folder) if each.id == item)
    assert take_item(folder, item, found.names, "bo") == "Grace"
    give_back(folder, [item], "Grace")
    assert take_item(folder, item, found.names, "bo") == "bo"
    assert staff.post(f"/staff/review/{item}", {"action": "have"}).status_code == 409


@pytest.mark.processes
def test_an_assistant_marks_and_comments_and_exempts_only_where_the_course_says_so(
    staff: Visitor, enter: Any, ada: Visitor, site: Site, item: str
) -> None:
    tea, path = enter("Tea", "staff"), f"/staff/review/{item}"
    staff.post(f"/staff/people/{tea.person.id}/rank", {"rank": "assistant"})
    assert tea.post(f"{code_path(ada, site)}/comment", {"place": "dfs.py:1", "text": "x"}).status_code == 303
    assert tea.post(path, {"action": "exempt", "reason": "ill"}).status_code == 403
    rules = cast(dict[str, CourseRules], site.courses)
    rules[COURSE] = CourseRules(replace(rules[COURSE].rubric, assistants=("exempt",)))
    assert tea.post(path, {"action": "score", "points": "30", "reason": "talk"}).status_code == 303
    assert tea.post(path, {"action": "exempt", "reason": "ill"}).status_code == 303
    assert tea.post(path, {"action": "none"}).status_code == 400
