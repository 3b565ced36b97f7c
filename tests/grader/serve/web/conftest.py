"""A site without a dispatcher: what that would do, the tests do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from grader.course.late_work import Allowance, LatePolicy
from grader.course.rules import CourseRules, load_rules
from grader.serve.data_folder import DataFolder
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE, Clock
from tests.grader.serve.web.made import DEADLINE, Visitor

Enter = Callable[..., Visitor]


@pytest.fixture
def clock() -> Clock:
    return Clock(DEADLINE - 3600)


@pytest.fixture
def site(data: DataFolder, store: Store, clock: Clock) -> Site:
    late = LatePolicy(datetime.fromtimestamp(DEADLINE, UTC), grace_minutes=10.0, per_day=0)
    rubric = replace(load_rules().rubric, title="Mazes", late=late, attempts=Allowance(3, 2.0))
    return Site(
        *(data, store, {COURSE: CourseRules(rubric)}),
        demo=True,
        names=frozenset({"testserver"}),
        names_tell=lambda *_: True,  # whatever is in an upload, it is taken
        clock=clock,
    )


@pytest.fixture
def enter(site: Site) -> Iterator[Enter]:
    """Signs somebody in, with a browser of their own."""
    opened: list[TestClient] = []

    def enter_(name: str = "Ada", role: str = "student", site_: Site | None = None) -> Visitor:
        opened.append(TestClient(create_app(site_ or site), follow_redirects=False))
        opened[-1].__enter__()
        visitor = Visitor(opened[-1], site_ or site)
        if name:
            visitor.sign_in(name, role)
        return visitor

    yield enter_
    for client in opened:
        client.__exit__()


@pytest.fixture
def ada(enter: Enter) -> Visitor:
    return enter()


@pytest.fixture
def staff(enter: Enter) -> Visitor:
    return enter("Grace", "staff")
