"""Who comes with a launch, and to which course."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import LaunchError
from grader.serve.lti import platforms
from grader.serve.lti.claims import LTI, check_claims, read_deep_linking, read_launch
from grader.serve.lti.platforms import RegisteredPlatform
from grader.serve.store import courses, credentials
from tests.grader.serve.lti.world import (
    DEEP_LINKING,
    ENDPOINT,
    ISSUER,
    LEARNER,
    LINE_ITEM,
    NOW,
    SCORE,
    TEACHER,
    URL,
    World,
    claims,
    registration,
)

_COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"
_SYSTEM = "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"
_ASSISTANT = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"


@pytest.mark.parametrize(
    ("roles", "rank"),
    [
        ([LEARNER], None),
        ([TEACHER], "teacher"),
        ([LEARNER, _ASSISTANT], "assistant"),
        ([_ASSISTANT, TEACHER], "assistant"),
        ([TEACHER, "TeachingAssistant"], "assistant"),
        ([f"{_COURSE}/TeachingAssistant#Grader"], "assistant"),
        ([f"{_COURSE}/Instructor#TeachingAssistantSection"], "assistant"),
        ([f"{_COURSE}/Learner#TeachingAssistant", TEACHER], "teacher"),
        ([LEARNER, _INSTITUTION, _SYSTEM], None),
        ([f"{_COURSE}/Learner#Instructor"], None),
        ([f"{_COURSE}/Mentor#Instructor", LEARNER], None),
        ([LEARNER, "https://evil.example.org/membership#Instructor"], None),
        ([LEARNER, f"{_COURSE}#Learner/Instructor", f"{_COURSE}#Instructor#Learner"], None),
        ([LEARNER, f"{_COURSE}/#Instructor", f"{_COURSE}//Instructor", "instructor", "INSTRUCTOR"], None),
        ([LEARNER, f"x{_COURSE}#Instructor", f"{_COURSE}#Instructor\n", f"{_COURSE}s#Instructor"], None),
    ],
)
def test_a_role_in_the_course_decides(roles: list[str], rank: str | None) -> None:
    assert read_launch(claims("n", **{f"{LTI}roles": roles}), 1).rank == rank


def test_an_assistant_of_the_platform_is_one_here(world: World) -> None:
    came = world.launch(world.answer(**{f"{LTI}roles": [_ASSISTANT, TEACHER]}))
    assert (came.role, came.rank) == ("staff", "assistant")


@pytest.mark.parametrize(
    "roles", ["Instructor", [_INSTITUTION], [5], [f"{_COURSE}/Mentor#Instructor"], ["learner"]]
)
def test_who_has_no_role_in_the_course_is_not_let_in(roles: object) -> None:
    with pytest.raises(LaunchError, match="expected a role"):
        read_launch(claims("n", **{f"{LTI}roles": roles}), 1)


_WORDS = st.sampled_from(["Instructor", "Learner", "TeachingAssistant", "Administrator", "Mentor", "Grader"])


@given(parent=_WORDS, sub=_WORDS)
def test_a_sub_role_is_what_its_principal_is(parent: str, sub: str) -> None:
    """Whatever the last word says."""

    def is_staff(role: str) -> bool:
        return read_launch(claims("n", **{f"{LTI}roles": [LEARNER, role]}), 1).is_staff

    assert is_staff(f"{_COURSE}/{parent}#{sub}") == is_staff(f"{_COURSE}#{parent}") == is_staff(parent)


@pytest.mark.parametrize(
    ("endpoint", "lineitem"),
    [
        ({"scope": [SCORE], "lineitem": LINE_ITEM}, LINE_ITEM),
        ({"scope": [], "lineitem": LINE_ITEM}, ""),
        ({"scope": [SCORE], "lineitems": LINE_ITEM}, ""),
    ],
)
def test_scores_go_where_the_platform_takes_them(endpoint: object, lineitem: str) -> None:
    assert read_launch(claims("n", **{ENDPOINT: endpoint}), 1).lineitem == lineitem


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


_ASKED = {
    DEEP_LINKING: {"accept_types": ["ltiResourceLink"], "deep_link_return_url": f"{ISSUER}/chosen"},
    f"{LTI}for_user": {"user_id": "ada"},
    f"{LTI}roles": [TEACHER],
}
_TYPES = st.sampled_from(["LtiResourceLinkRequest", "LtiDeepLinkingRequest", "LtiSubmissionReviewRequest"])


@given(type_=_TYPES, name=st.sampled_from(sorted({*claims("n"), *_ASKED})), value=_JSON)
def test_whatever_a_claim_is_a_message_is_refused_or_read(type_: str, name: str, value: object) -> None:
    said = {**claims("n"), **_ASKED, f"{LTI}message_type": type_, name: value}
    known = registration()
    fields = {field: getattr(known, field) for field in known.__slots__}
    read = read_deep_linking if type_ == "LtiDeepLinkingRequest" else read_launch
    try:
        check_claims(
            said,
            RegisteredPlatform(**fields, id=1),
            nonce_sha=credentials.digest("n"),
            launch_url=f"{URL}/lti/launch",
            now=NOW,
        )
        read(said, 1)
    except LaunchError:
        return


def _course(world: World, served: list[str], **changes: Any) -> str:
    launch = read_launch(claims("n", **changes), world.platform.id)
    return platforms.find_course(world.store, launch.asked, served)


def test_of_several_courses_one_is_named_once(world: World) -> None:
    courses.put(world.store, "trees", "Trees")
    with pytest.raises(LaunchError, match="set the custom parameter course to one of mazes, trees"):
        _course(world, ["mazes", "trees"])
    assert _course(world, ["mazes", "trees"], **{f"{LTI}custom": {"course": "trees"}}) == "trees"
    assert _course(world, ["mazes", "trees"]) == "trees"


def test_a_launch_without_a_course_goes_by_its_link(world: World) -> None:
    assert _course(world, ["mazes"], **{f"{LTI}context": None}) == "mazes"
    assert [bound.context for bound in platforms.list_bindings(world.store)] == ["link link-4"]
