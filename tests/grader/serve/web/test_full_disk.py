"""A disk that is full: what only reads goes on, and the rest says so and loses nothing."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.requests import Request

from grader.disk import disk_error
from grader.serve.store import attempts, credentials
from grader.serve.store.database import Store, Values
from tests.grader.serve.web.made import FILES, Clock, Visitor

NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full(token: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing can be written into the database, once there is a token."""
    assert token
    rows = Store.rows

    def fail(self: Store, statement: str, values: Values = ()) -> object:
        if statement.split()[0] in ("insert", "update", "delete"):
            raise disk_error(NO_SPACE, self.path)
        return rows(self, statement, values)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "rows", fail)
        yield


@pytest.fixture
def token(ada: Visitor) -> str:
    return credentials.create_token(ada.site.store, ada.person.id, "laptop", 1.0)


@pytest.mark.usefixtures("full")
def test_what_only_reads_goes_on(ada: Visitor, token: str, clock: Clock) -> None:
    clock.now += 3600.0
    assert ada.get("/").status_code == 200
    answer = ada.get("/api/attempts/none", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()) == (404, {"error": "expected an attempt of yours"})


@pytest.mark.usefixtures("full")
def test_a_program_that_hands_in_is_told(ada: Visitor, token: str, logged_errors: list[str]) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    answer = ada.client.post("/api/submit", content=b"zip", headers=headers)
    assert answer.status_code == 507
    assert "is full" in answer.json()["error"]
    assert logged_errors
    logged_errors.clear()


@pytest.mark.parametrize("what", ["database", "file", "form"])
def test_who_hands_in_is_told(
    ada: Visitor, monkeypatch: pytest.MonkeyPatch, logged_errors: list[str], what: str
) -> None:
    person, csrf = ada.person, ada.csrf()
    with monkeypatch.context() as patch:
        patch.setattr(
            *{
                "database": (attempts, "add", Mock(side_effect=disk_error(NO_SPACE, "serve.sqlite"))),
                "file": (Path, "write_bytes", Mock(side_effect=NO_SPACE)),
                "form": (Request, "form", Mock(side_effect=NO_SPACE)),
            }[what]
        )
        answer = ada.post("/submit", {"csrf": csrf}, files=[("files", file) for file in FILES])
    assert answer.status_code == 507
    assert "is full" in answer.text
    assert "try again" in answer.text
    assert "serve.sqlite" not in answer.text
    assert attempts.list_for_person(ada.site.store, person.id) == []
    assert list(ada.site.data.uploads.glob("*.partial")) == []
    assert len(logged_errors) == 1
    logged_errors.clear()
    assert ada.hand_in().status_code == 303, "the next may go in"
