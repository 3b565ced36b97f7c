"""Who takes part: folders of their own, secrets that are kept as digests, what lasts and what is used up."""

from __future__ import annotations

import pytest

from grader.serve.store import credentials, marks, people
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer
from tests.grader.serve.made import COURSE, a_person


def test_a_person_comes_back_as_the_same(store: Store) -> None:
    first = people.put(store, Newcomer(COURSE, "Ada", "student", "lti", "u1", "a@b.c"), 1.0)
    again = people.put(store, Newcomer(COURSE, "Ada L.", "staff", "lti", "u1"), 2.0)
    assert (again.id, again.folder, again.name, again.is_staff) == (first.id, first.folder, "Ada L.", True)
    assert people.get(store, first.id) == again
    assert people.get(store, 99) is None


def test_the_class_hears_of_a_person_only_where_something_is_new(store: Store) -> None:
    ada = people.put(store, Newcomer(COURSE, "Ada", "student", "lti", "u1", "a@b.c"), 1.0)
    for now, email, is_new in ((2.0, "a@b.c", False), (3.0, "ada@b.c", True)):
        store.rows("update people set changed = 0")
        people.put(store, Newcomer(COURSE, "Ada", "student", "lti", "u1", email), now)
        assert marks.list_flagged_people(store, COURSE) == [ada.id] * is_new


@pytest.mark.parametrize("name", ["index.html", "../../etc", "Ada", "ada", "a/b", ".hidden", "", "x" * 400])
def test_folders_are_safe_and_ones_own(store: Store, name: str) -> None:
    a_person(store, "Ada")
    folder = people.put(store, Newcomer(COURSE, name, "student", "invite", "other"), 1.0).folder
    assert "/" not in folder
    assert not folder.startswith(".")
    assert folder.casefold() not in ("index.html", "ada", "")
    assert len(folder.encode()) < 200


def test_sign_ins_end(store: Store) -> None:
    ada = a_person(store)
    token, sign_in = credentials.begin_sign_in(store, ada.id, 0.0)
    assert credentials.find_sign_in(store, token, 10.0) == sign_in
    hours = credentials.HOURS * 3600
    assert credentials.find_sign_in(store, token, hours - 1) == sign_in
    assert credentials.find_sign_in(store, token, 2 * hours - 2) == sign_in, "it lasts from the last time on"
    assert credentials.find_sign_in(store, token, 4 * hours) is None
    assert credentials.find_sign_in(store, "made up", 1.0) is None
    credentials.end_sign_in(store, sign_in)
    assert credentials.find_sign_in(store, token, 10.0) is None


def test_old_sign_ins_are_swept(store: Store) -> None:
    credentials.begin_sign_in(store, a_person(store).id, 0.0)
    credentials.sweep_sign_ins(store, credentials.HOURS * 3600 + 1)
    assert store.value("select count(*) from sessions") == 0


def test_an_invitation_is_for_once(store: Store) -> None:
    ada = a_person(store)
    old, new = (
        credentials.create_invitation(store, ada.id, 1.0),
        credentials.create_invitation(store, ada.id, 2.0),
    )
    assert credentials.use_invitation(store, old, 3.0) is None, "a newer link makes the older one void"
    assert credentials.use_invitation(store, new, 3.0) == (ada.id, None)
    assert credentials.use_invitation(store, new, 4.0) is None


def test_no_secret_is_in_the_file(store: Store) -> None:
    ada = a_person(store)
    secrets = [
        credentials.begin_sign_in(store, ada.id, 1.0)[0],
        credentials.create_token(store, ada.id, "x", 1.0),
    ]
    secrets.append(credentials.create_invitation(store, ada.id, 1.0))
    files = [path.read_bytes() for path in store.path.parent.glob("serve.sqlite*")]
    assert files
    assert not any(secret.encode() in content for secret in secrets for content in files)


def test_who_came_by_a_link_stays_signed_in_for_longer(store: Store) -> None:
    ada = a_person(store)
    token, _ = credentials.begin_sign_in(store, ada.id, 0.0, hours=credentials.HOURS_BY_LINK)
    days = 24 * 3600.0
    for day in (100.0, 250.0, 400.0):
        assert credentials.find_sign_in(store, token, day * days) is not None
    assert credentials.find_sign_in(store, token, 590 * days) is None
