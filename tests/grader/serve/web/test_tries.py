"""The part of a request's page on which staff try the work on a maze."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.api import ClassFolder, LookRequest
from grader.serve.store import courses, tries
from grader.serve.store.database import Store
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.made import Visitor, newest

CHECK = "dfs.valid-path"
MAZE = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n"
REQUEST = LookRequest("Ada", CHECK, "", "2026-11-01T10:00:00+00:00", "Ada", "Look again, please.")
PATH = f"/staff/requests/{REQUEST.id}"


@pytest.fixture(autouse=True)
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada asks for another look at a check."""
    assert (folder / "Ada").is_dir()
    monkeypatch.setattr(ClassFolder, "requests", lambda *_: [REQUEST])


def test_what_comes_of_a_try_is_shown_when_it_is_there_and_as_text(
    staff: Visitor, ada: Visitor, site: Site, store: Store
) -> None:
    assert "data-follow" not in staff.get(PATH).text
    answer = staff.post(f"{PATH}/try", {"maze": MAZE.replace("\n", "\r\n")})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PATH}#try")
    page = staff.get(PATH).text
    assert "It is being tried" in page
    assert 'data-follow="/staff/events"' in page
    found = tries.find(store, newest(site, ada.person).id, CHECK)
    assert found is not None
    assert found.maze == MAZE.rstrip()
    tries.finish(store, found.id, "Passed <script>alert(1)</script>\u202e")
    page = staff.get(PATH).text
    assert "Passed &lt;script&gt;alert(1)&lt;/script&gt;\\u202e" in page
    assert "It is being tried" not in page
    assert "data-follow" not in page
    assert ("try on a maze", "Ada") in [(each.what, each.whom) for each in courses.list_log(store, COURSE)]


@pytest.mark.parametrize(
    ("maze", "told"),
    [
        ("", "the maze: line 1"),
        ("+-+\n|<b>", "the maze: line 1"),
        ("|" * (64 * 1024 + 1), "expected a maze of at most 64 KiB, but this one is larger"),
    ],
)
def test_what_is_no_maze_or_too_large_is_refused_and_comes_back(
    staff: Visitor, store: Store, maze: str, told: str
) -> None:
    page = staff.post(f"{PATH}/try", {"maze": maze}).text
    assert told in page
    assert maze.replace("<b>", "&lt;b&gt;") in page
    assert store.column("select * from tries") == []


def test_a_maze_of_64_kib_is_taken_and_a_larger_form_is_not_read(staff: Visitor) -> None:
    row, wall = "|S" + " " * 251 + "E|\n", "+" + "-+" * 127 + "\n"
    empty = row.replace("S", " ").replace("E", " ")
    maze = wall + row + (("+" + " +" * 127 + "\n") + empty) * 126 + wall
    assert 64 * 1000 < len(maze) <= 64 * 1024
    assert staff.post(f"{PATH}/try", {"maze": maze.replace("\n", "\r\n")}).status_code == 303
    assert staff.post(f"{PATH}/try", {"maze": "|" * 100_000}).status_code == 413


def test_only_staff_try_and_only_what_is_asked_about(staff: Visitor, ada: Visitor) -> None:
    assert ada.post(f"{PATH}/try", {"maze": MAZE}).status_code == 404
    assert staff.post("/staff/requests/none/try", {"maze": MAZE}).status_code == 404
