"""The file: its version, its transactions; who is in it, and secrets that it keeps as digests."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from grader.errors import InputError
from grader.serve.lti import platforms
from grader.serve.store import attempts, courses, credentials, marks, outbox, people, settings
from grader.serve.store.attempts import Upload
from grader.serve.store.database import VERSION, Store
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Newcomer, Person, Rank, Role
from tests.grader.serve.lti.world import registration
from tests.grader.serve.made import COURSE, a_person, an_attempt, now

DAY: Final = 86400.0


def test_begun_and_opened_again(tmp_path: Path) -> None:
    first = Store(tmp_path / "serve.sqlite")
    settings.put(first, "workers", "3")
    first.close()
    again = Store(tmp_path / "serve.sqlite")
    assert settings.get(again, "workers") == "3"
    assert settings.get(again, "nothing", "so") == "so"
    assert again.value("pragma user_version") == VERSION
    assert again.value("pragma journal_mode") == "wal"
    assert again.value("pragma synchronous") == 2


_SINCE: Final = {
    4: "counting.results invites.made_by lti_platforms.audience lti_lineitems.container lti_lineitems.link",
    5: "counting.waits tokens.expires invites.expires attempts.again",
    6: "attempts.unread",
    7: "people.rank people.rank_given attempts.stamp attempts.edition attempts.state_before counting.points",
    8: "lti_contexts.members",
    9: "lti_platforms.course lti_platforms.inside",
    10: "",
    11: "",
    12: "",
}
"""The columns that came with each version."""


@pytest.fixture(params=range(3, VERSION))
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def earlier(tmp_path: Path, version: int) -> Path:
    """A database of an earlier version, with one row at least in most tables."""
    path, made = tmp_path / "serve.sqlite", time.time() - 3 * 365 * DAY
    store = Store(path)
    courses.put(store, COURSE, "Mazes")
    ada = a_person(store)
    attempt, platform = an_attempt(store, ada), platforms.add(store, registration())
    marks.put(store, ada.id, PersonMark(attempt.id, 5.0, 10.0))
    outbox.put_lineitem(store, ada.id, platform=platform.id, url="https://p.org/line")
    credentials.create_invitation(store, ada.id, made)
    credentials.create_token(store, ada.id, "x", made)
    grace = people.put(store, Newcomer(COURSE, "Grace", "staff", "invite", "Grace"), 1.0)
    credentials.begin_sign_in(store, grace.id, made)
    store.rows("update sessions set expires = ?", (time.time() + 180 * DAY,))
    store.rows("update people set changed = 0")
    if version < 6:
        store.rows("drop index one_waiting")
        where = "state = 'waiting' and result_key is null"
        store.rows(f"create unique index one_waiting on attempts (person) where {where}")
    for since in range(version, VERSION):
        for column in _SINCE[since + 1].split():
            store.rows("alter table {} drop column {}".format(*column.split(".")))
    newer = ("mails", "lti_registrations") if version < 10 else ()
    answers = ("answers",) if version < 11 else ()
    for table in ("tries", *answers, *newer, *(("second_results", "regrades") if version < 7 else ())):
        store.rows(f"drop table {table}")
    if version < 5:
        store.rows("alter table attempts add column clock text not null default 'silent' check (clock != '')")
    store.rows(f"pragma user_version = {version}")
    store.close()
    return path


def test_only_who_holds_the_folder_brings_a_database_up_to_date(earlier: Path, version: int) -> None:
    with pytest.raises(InputError, match="start grader serve once"):
        Store(earlier)
    copy, before = earlier.with_name(f"serve.sqlite.before-{version}"), _counts(earlier)
    copy.write_bytes(b"of an upgrade that was killed")
    assert Store(earlier, migrates=True).value("pragma user_version") == VERSION
    assert _counts(earlier).items() >= before.items() == _counts(copy).items()
    assert len([count for count in before.values() if count]) >= 8
    assert copy.stat().st_mode & 0o077 == 0
    Store(earlier).rows(f"pragma user_version = {VERSION + 1}")
    with pytest.raises(InputError, match="go on with the grader that made it"):
        Store(earlier, migrates=True)


def _counts(path: Path) -> dict[str, int]:
    """The number of rows of each table."""
    with closing(sqlite3.connect(path)) as read:
        names = [name for (name,) in read.execute("select name from sqlite_schema where type = 'table'")]
        return {name: read.execute(f"select count(*) from {name}").fetchone()[0] for name in names}


def test_what_a_version_promises_holds_of_what_an_earlier_one_left(earlier: Path, version: int) -> None:
    """Results are published again, with the points of each check; what lets people in ends from now on."""
    again, now = Store(earlier, migrates=True), time.time()
    (ada, grace) = again.column("select id from people order by id")
    assert marks.list_flagged_people(again, COURSE) == ([ada, grace] if version < 7 else [])

    def valid(days: int) -> set[str]:
        return {each.kind for each in credentials.list_access(again, now + days * DAY)}

    if version < 5:
        assert (valid(6), valid(8), valid(31)) == ({"link", "sign-in", "token"}, {"link", "token"}, set())
    else:
        assert valid(0) == {"sign-in"}
    attempts.add(again, ada, Upload("new", "sha", ("odd.zip",)), 2.0, is_read=False)
    assert [each.state for each in attempts.list_for_person(again, ada)] == ["unread", "waiting"]
    outbox.add(again, ada, 2.0)
    assert [item.lineitem for item in outbox.list_for_course(again, COURSE)] == ["https://p.org/line"]


def test_a_mark_that_waits_for_a_person_is_sent_when_it_is_decided(store: Store) -> None:
    ada = a_person(store)
    attempt, platform = an_attempt(store, ada), platforms.add(store, registration())
    outbox.put_lineitem(store, ada.id, platform=platform.id, url="https://p.org/line")
    marks.put(store, ada.id, PersonMark(attempt.id, 5.0, 10.0, waits=True))
    outbox.add(store, ada.id, 2.0)
    assert outbox.take(store, 3.0) is None
    marks.put(store, ada.id, PersonMark(attempt.id, 5.0, 10.0))
    assert outbox.take(store, 3.0) is not None


def test_what_rank_a_teacher_gave_no_launch_changes_and_one_teacher_stays(store: Store) -> None:
    def launched(name: str, rank: Rank) -> Person:
        return people.put(store, Newcomer(COURSE, name, "staff", "lti", name, rank=rank), 1.0)

    tea = launched("Tea", "teacher")
    assert launched("Tea", "assistant").is_teacher, "nobody else is"
    assert not people.give_rank(store, tea, "assistant")
    grace = launched("Grace", "teacher")
    assert [launched("Tea", rank).rank for rank in ("assistant", "teacher", "assistant")] == [
        *("assistant", "teacher", "assistant")
    ]
    assert people.give_rank(store, tea, "teacher")
    assert people.give_rank(store, grace, "assistant")
    assert [launched("Tea", "assistant").rank, launched("Grace", "teacher").rank] == ["teacher", "assistant"]


@pytest.mark.parametrize("state", ["graded", "refused", "fault", "waiting", "running", "unread", "replaced"])
def test_a_withdrawal_is_undone(store: Store, state: str) -> None:
    attempt = an_attempt(store, a_person(store))
    store.rows(
        "update attempts set state = ?, unread = ?",
        ("waiting" if state == "unread" else state, state == "unread"),
    )
    assert not attempts.restore(store, attempt.id)
    attempts.withdraw(store, attempt.id)
    attempts.withdraw(store, attempt.id)
    assert attempts.restore(store, attempt.id)
    assert now(store, attempt).state == ("waiting" if state == "running" else state)


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        _fail_within(store)
    assert list(courses.load_titles(store)) == ["mazes"]


def _fail_within(store: Store) -> None:
    with store.transaction():
        courses.put(store, "other", "Other")
        with store.transaction():
            courses.put(store, "third", "Third")
        raise ZeroDivisionError


@pytest.mark.parametrize("name", ["index.html", "../../etc", "ada", ".hidden", "", "x" * 400])
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


@pytest.mark.parametrize(("role", "days", "signed_in"), [("student", 30, 180), ("staff", 7, 7)])
def test_links_and_tokens_end_and_sign_ins_by_link(
    store: Store, role: Role, days: int, signed_in: int
) -> None:
    who = people.put(store, Newcomer(COURSE, "Ada", role, "invite", "Ada"), 1.0).id
    link, late = days * DAY - 1, days * DAY
    invitation, token = (
        credentials.create_invitation(store, who, 0.0),
        credentials.create_token(store, who, "", 0.0),
    )
    cookie, sign_in = credentials.begin_sign_in(store, who, 0.0)
    kinds = [each.kind for each in credentials.list_access(store, link)]
    assert kinds == ["link", "sign-in", "token"]
    assert credentials.find_invited(store, invitation, link) == who
    assert credentials.find_invited(store, invitation, late) is None
    assert credentials.use_invitation(store, invitation, late) is None
    assert credentials.find_owner(store, token, link) == who
    assert credentials.find_owner(store, token, link + late - 1) == who, "it lasts from the last time on"
    assert credentials.find_owner(store, token, link + 3 * late) is None
    assert credentials.find_sign_in(store, cookie, signed_in * DAY - 1) == sign_in
    assert credentials.find_sign_in(store, cookie, 2 * signed_in * DAY) is None
    credentials.sweep_ended(store, 400 * DAY)
    assert [store.value(f"select count(*) from {each}") for each in ("sessions", "tokens", "invites")] == [
        0
    ] * 3


def test_a_sign_in_is_as_short_as_that_of_what_one_has_become(store: Store) -> None:
    newcomer = Newcomer(COURSE, "Ada", "student", "invite", "Ada")
    ada = people.put(store, newcomer, 1.0)
    cookie, sign_in = credentials.begin_sign_in(store, ada.id, 0.0)
    people.put(store, replace(newcomer, role="staff"), 1.0)
    assert credentials.find_sign_in(store, cookie, DAY) == sign_in
    assert credentials.find_sign_in(store, cookie, 9 * DAY) is None


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
