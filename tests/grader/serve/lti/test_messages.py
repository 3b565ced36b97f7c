"""Messages as platforms send them, over HTTP, to a service that runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from joserfc import jwt

from grader.serve.data_folder import DataFolder
from grader.serve.lti.claims import LTI
from grader.serve.store import people
from grader.serve.store.database import Store
from tests.grader.serve.lti.school import NAMES, School, school_and_service
from tests.grader.serve.lti.world import DEEP_LINKING, LEARNER, TEACHER, key
from tests.grader.serve.made import COURSE, an_attempt


@pytest.fixture
def school(data: DataFolder, store: Store) -> Iterator[School]:
    with school_and_service(data, store) as made:
        yield made


def _member(subject: str, role: str = LEARNER, **more: Any) -> dict[str, Any]:
    return {"status": "Active", "user_id": subject, "name": subject.title(), "roles": [role], **more}


def _missing(page: str) -> list[str]:
    return [
        re.sub(r"<[^>]+>|\s+", " ", row).strip()
        for row in re.findall(r'<tr role="row"><th scope="row".*?</tr>', page)
    ]


def test_the_choice_of_a_course_is_an_answer_to_that_request(school: School) -> None:
    settings = {
        "deep_link_return_url": f"{school.url}/mod/lti/contentitem_return.php?course=9",
        "accept_types": ["ltiResourceLink"],
        "data": "csrf-7",
    }
    asked = {f"{LTI}message_type": "LtiDeepLinkingRequest", DEEP_LINKING: settings, f"{LTI}roles": [TEACHER]}
    target = {f"{LTI}target_link_uri": f"{school.tool}/lti/launch/choose"}
    page = school.launch(school.browser(), **asked, **target)
    assert f"form-action {school.url};" in page.headers["content-security-policy"]
    assert f'action="{settings["deep_link_return_url"]}"' in page.text
    (answer,) = re.findall(r'name="JWT" value="([^"]+)"', page.text)
    said = jwt.decode(answer, key("own"), algorithms=["RS256"]).claims
    assert (said["iss"], said["aud"]) == ("client-1", school.url)
    assert said[f"{LTI}deployment_id"] == "deployment-1"
    assert said["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == "csrf-7"
    (item,) = said["https://purl.imsglobal.org/spec/lti-dl/claim/content_items"]
    assert (item["url"], item["custom"]) == (f"{school.tool}/lti/launch", {"course": COURSE})


def test_who_has_not_handed_in_is_named_by_all_pages_of_the_list(school: School, store: Store) -> None:
    """Nobody becomes a student by it; who has left, teaches, or has handed in is not named."""
    school.members = [
        _member("ada"),
        _member("bob", email="bob@example.org"),
        _member("grace", TEACHER),
        _member("cy", status="Inactive"),
        _member("dan"),
        _member("eve", "Learner", name="", given_name="Eve", family_name="Ek"),
        {"user_id": 5},
    ]
    for subject in ("ada", "dan"):
        school.launch(school.browser(), sub=subject, name=subject.title())
    ada, dan = people.list_for_course(store, COURSE)
    an_attempt(store, ada)
    teacher = school.teacher()
    page = teacher.get("/staff/missing").text
    found = [re.sub(" +", " ", row) for row in _missing(page)]
    assert found == [
        "Bob bob@example.org never opened the lab",
        "Dan ada@example.org opened the lab",
        "Eve Ek – never opened the lab",
    ]
    assert school.asked == ["id=5&limit=100", "id=5&page=2", "id=5&page=4", "id=5&page=6"]
    assert len(people.list_for_course(store, COURSE)) == 3
    assert f"/staff/people/{dan.id}" in page


def test_a_list_that_cannot_be_had_is_told(school: School) -> None:
    school.launch(school.browser(), sub="ada", name="Ada")
    teacher = school.browser()
    elsewhere = {"context_memberships_url": f"{school.url}/nowhere"}
    school.launch(teacher, sub="grace", **{f"{LTI}roles": [TEACHER], NAMES: elsewhere})
    page = teacher.get("/staff/missing").text
    assert "the members were not listed: the platform answered 404" in page
    assert "opened the lab" in page
    assert (
        school.launch(school.browser(), **{NAMES: {"context_memberships_url": "http://evil.org"}}).status_code
        == 403
    )
    student = school.browser()
    school.launch(student, sub="ada", name="Ada")
    assert student.get("/staff/missing").status_code == 404
