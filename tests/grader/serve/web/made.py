"""Visitors, and results that nobody had to grade."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

from grader.feedback import render_html
from grader.grading.engine import write_results
from grader.model import CheckResult, ExerciseResult, GradedSubmission, Verdict, Visibility
from grader.results import as_data
from grader.serve.store import attempts, marks, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person
from grader.serve.store.queue import Outcome
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE, taken

DEADLINE = 1_800_000_000.0
ORIGIN = "http://testserver"
FILES = (("bfs.py", b"class BFS: ..."), ("dfs.py", b"class DFS: ..."))


@dataclass
class Visitor:
    """A browser, with what its pages would send."""

    client: TestClient
    site: Site
    name: str = ""

    def get(self, path: str, **more: Any) -> Response:
        return self.client.get(path, **more)

    def post(self, path: str, form: dict[str, str] | None = None, **more: Any) -> Response:
        """Send a form of the page, with all that a browser adds."""
        headers = {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin", **more.pop("headers", {})}
        data = {"csrf": self.csrf(), **(form or {})}
        return self.client.post(path, data=data, headers=headers, **more)

    def sign_in(self, name: str, role: str = "student") -> Response:
        self.name = name
        form = {"name": name, "role": role, "course": COURSE}
        answer = self.client.post("/sign-in", data=form, headers={"Origin": ORIGIN})
        assert answer.status_code == 303, answer.text
        return answer

    def hand_in(self, *files: tuple[str, bytes]) -> Response:
        return self.post("/submit", files=[("files", file) for file in files or FILES])

    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.client.get("/staff/audit").text)
        found = found or re.search(r'name="csrf" value="([^"]+)"', self.client.get("/").text)
        return found[1] if found else ""

    def gets(self, made: dict[str, Any] | None = None) -> Attempt:
        """Hand in, and have it graded, as the dispatcher would."""
        self.hand_in()
        attempt = newest(self.site, self.person)
        graded(self.site, attempt, made)
        return attempt

    def bearer(self) -> dict[str, str]:
        """Make a token on the page; the header with it."""
        token = self.post("/token").text.split("MAZE_TOKEN=")[1].split()[0]
        return {"Authorization": f"Bearer {token}"}

    @property
    def person(self) -> Person:
        return person(self.site, self.name)


def person(site: Site, name: str) -> Person:
    return next(each for each in people.list_for_course(site.store, COURSE) if each.name == name)


def results(*, lost: tuple[str, ...] = (), name: str = "Ada") -> dict[str, Any]:
    """Results of two exercises of two checks each, of which the second is hidden."""

    def check(id_: str, visibility: Visibility) -> CheckResult:
        verdict = Verdict("failed", f"lost {id_}") if id_ in lost else Verdict("passed")
        return CheckResult(id_, f"The check {id_}", 10.0, visibility, verdict)

    exercises = (
        ExerciseResult(
            id_, id_.upper(), (check(f"{id_}.valid-path", "public"), check(f"{id_}.hidden-mazes", "hidden"))
        )
        for id_ in ("dfs", "bfs")
    )
    return dict(as_data(GradedSubmission(name, "fake", "Mazes", "", tuple(exercises))))


def graded(site: Site, attempt: Attempt, made: dict[str, Any] | None = None) -> None:
    """Have an attempt taken and graded, as the dispatcher would."""
    assert taken(site.store, site.clock(), "test").id == attempt.id
    finish(site, attempt, made or results())


def finish(site: Site, attempt: Attempt, made: dict[str, Any], key: str = "key") -> None:
    """Leave what the dispatcher would leave of an attempt that is graded."""
    folder, page = site.data.attempt(attempt.id), render_html(made).encode()
    folder.mkdir(parents=True, exist_ok=True)
    write_results(folder, json.dumps(made).encode(), page, {"staff.html": page})
    marks.put(site.store, attempt.person, PersonMark(attempt.id, made["score"], made["max_score"]))
    outcome = Outcome("graded", key, made["score"], made["max_score"], 2.0)
    assert queue.finish(site.store, "test", attempt.id, outcome, site.clock())


def newest(site: Site, who: Person) -> Attempt:
    return attempts.list_for_person(site.store, who.id)[0]
