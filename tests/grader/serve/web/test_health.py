"""What programs that watch the service are told."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest
from httpx2 import Response

from grader.serve.store import attempts, settings
from grader.serve.web import health
from grader.serve.web.visits import Site
from tests.grader.serve.made import Clock, Graded, an_attempt
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import Visitor


@pytest.fixture
def nobody(enter: Enter, site: Site, clock: Clock) -> Visitor:
    """Who has not signed in, while the dispatcher lives."""
    settings.put(site.store, settings.BEAT, repr(clock.now))
    return enter("")


def test_a_service_is_well(nobody: Visitor) -> None:
    assert _told(nobody.client.get("/healthz")) == (200, "well\n")


def test_a_dispatcher_without_a_sign_of_life_is_missed(nobody: Visitor, clock: Clock) -> None:
    clock.now += health.BEATS_SECONDS + 1
    assert _told(nobody.client.get("/healthz")) == (503, "dispatcher\n")
    assert nobody.client.get("/sign-in").status_code == 200


def test_a_full_disk_is_told(nobody: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    free = SimpleNamespace(free=health.LEAST_FREE_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    assert _told(nobody.client.get("/healthz")) == (503, "disk\n")


def test_a_database_that_takes_no_row_is_told(nobody: Visitor, site: Site) -> None:
    with closing(sqlite3.connect(site.data.database, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert _told(nobody.client.get("/healthz")) == (503, "database\n")
    assert _told(nobody.client.get("/healthz")) == (200, "well\n")


def test_numbers_are_told(nobody: Visitor, ada: Visitor, site: Site, clock: Clock, graded: Graded) -> None:
    graded(ada.person, 60.0, 1.0)
    an_attempt(site.store, ada.person, clock.now - 90)
    (seconds,) = (
        each.seconds for each in attempts.list_for_person(site.store, ada.person.id) if each.seconds
    )
    nobody.client.get("/sign-in")
    told = nobody.client.get("/metrics").text
    for line in (
        'attempts{state="graded"} 1',
        'attempts{state="waiting"} 1',
        "oldest_waiting_seconds 90",
        'grading_seconds_bucket{le="+Inf"} 1',
        f"grading_seconds_sum {seconds:g}",
        "faults 0",
        "outbox 0",
        'requests_total{route="/sign-in",status="200"} 1',
    ):
        assert f"maze_grader_{line}\n" in told
    assert ada.person.name not in told


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
def test_who_comes_through_a_proxy_gets_no_numbers(nobody: Visitor, header: str) -> None:
    assert nobody.client.get("/metrics", headers={header: "198.51.100.7"}).status_code == 404
    assert nobody.client.get("/healthz", headers={header: "198.51.100.7"}).status_code == 200


def _told(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.text
