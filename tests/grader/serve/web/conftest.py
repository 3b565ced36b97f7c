"""A site without a dispatcher: what that would do, the tests do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from grader.batch.code_text import code_with
from grader.batch.job import CODE_FILE
from grader.batch.journal import Journal, JournalRow
from grader.batch.report.class_facts import ClassFacts, save
from grader.course.late_work import Allowance, LatePolicy
from grader.course.rules import CourseRules, load_rules
from grader.feedback import render_html
from grader.intake.class_listing import ClassListing, HandIn
from grader.serve.data_folder import DataFolder
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE, Clock
from tests.grader.serve.web.made import DEADLINE, Visitor, results

Enter = Callable[..., Visitor]
CODE = code_with({"dfs.py": b"class DFS:\n  ..."})


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


@pytest.fixture
def folder(ada: Visitor, site: Site) -> Path:
    """Where Ada's result counts, which staff have to look at."""
    attempt = ada.gets()
    made, folder = results(), site.data.course(COURSE).path
    made["exercises"][0]["checks"][0]["status"] = "violation"
    folder.mkdir()
    with Journal(folder) as journal:
        content = json.dumps(made, indent=1, ensure_ascii=False).encode() + b"\n"
        journal.record(JournalRow("Ada", "key", "graded", 1.0, ""), content, render_html(made).encode(), CODE)
    site.data.result(attempt).joinpath(CODE_FILE).write_bytes(CODE)
    exercises = (("dfs", "DFS"), ("bfs", "BFS"))
    save(folder, ClassFacts("Mazes", "fake", exercises, 300.0, ClassListing("", (HandIn("Ada", ()),), ())))
    return folder
