"""The file: its version, its transactions, and what is said where it cannot be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.serve.store import courses, outbox, settings
from grader.serve.store.database import VERSION, Store
from tests.grader.serve.made import COURSE, a_person, an_attempt


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


def test_a_database_of_the_version_before_is_gone_on_with(tmp_path: Path) -> None:
    """What was sent by then is a submission at the platform already."""
    path = tmp_path / "serve.sqlite"
    store = Store(path)
    courses.put(store, COURSE, "Mazes")
    ada, bob = a_person(store), a_person(store, "Bob")
    store.rows(
        "insert into lti_platforms (issuer, client_id, deployments, auth_url, token_url, jwks_url) "
        "values ('i', 'c', '[]', '', '', '')"
    )
    for person, sent_at in ((ada, 5.0), (bob, None)):
        first, second = an_attempt(store, person), an_attempt(store, person)
        store.rows(
            "insert into outbox (person, attempt, platform, lineitem, score, max_score, stamp, sent_at) "
            "values (?, ?, 1, 'u', 1, 1, 1, ?)",
            (person.id, second.id, sent_at),
        )
        assert (first.number, second.number) == (1, 2)
    store.rows("alter table outbox drop column announced")
    store.rows("alter table attempts drop column bytes")
    store.rows("pragma user_version = 2")
    store.close()
    again = Store(path)
    assert again.value("pragma user_version") == VERSION
    assert {item.name: item.announced for item in outbox.list_for_course(again, COURSE)} == {
        "Ada": 2,
        "Bob": 0,
    }


def test_every_statement_of_the_schema_was_run(tmp_path: Path) -> None:
    store = Store(tmp_path / "serve.sqlite")
    names = {
        row["name"] for row in store.rows("select name from sqlite_schema where name not like 'sqlite_%'")
    }
    assert names >= {"people", "attempts", "one_waiting", "one_running", "outbox", "audit"}


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


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "serve.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("create table notes (text text)")
    other.close()
    with pytest.raises(InputError, match="expected a database of grader serve"):
        Store(path)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "serve.sqlite"
    path.write_bytes(b"this is no database at all, and long enough to be seen as none" * 20)
    with pytest.raises(InputError, match="restore it from a backup"):
        Store(path)


def test_two_writers_wait_for_each_other(store: Store) -> None:
    other = Store(store.path)
    courses.put(other, "other", "Other")
    assert set(courses.load_titles(store)) == {"mazes", "other"}
