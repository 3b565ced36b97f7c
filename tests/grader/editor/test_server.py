"""The server behind the page: what it saves, what it refuses, and the page that works with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser

from grader.editor.server import EditedFile, Server, open_maze, render
from grader.errors import GraderError
from tests.grader.editor.pages import START

CAUGHT = {"dfs": {"due": 3, "caught": ["wrong--a", "wrong--b"]}, "bfs": {"due": 2, "caught": []}}


class Answer(NamedTuple):
    status: int
    text: str


class Running(NamedTuple):
    server: Server
    file: Path

    def ask(self, method: str, place: str, body: bytes | None = None) -> Answer:
        """`place` is seen from the page, unless it begins with a slash."""
        url = self.server.url + place
        if place.startswith("/"):
            url = f"http://{urlsplit(url).netloc}{place}"
        try:
            with urlopen(Request(url, data=body, method=method), timeout=60) as answer:  # noqa: S310 - our own
                return Answer(answer.status, answer.read().decode())
        except HTTPError as refused:
            with refused:
                return Answer(refused.code, refused.read().decode())


Started = Callable[..., Running]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    servers = []

    def start(text: str | None = START, caught: Mapping[str, Any] | str = CAUGHT) -> Running:
        file = tmp_path / "start.yaml"
        if text is not None:
            file.write_text(text, encoding="utf-8")

        def asks(path: Path) -> Mapping[str, Any]:
            assert path == file
            if isinstance(caught, str):
                raise GraderError(caught)
            return caught

        server = Server(EditedFile(file, asks), render(open_maze(file), saves_to=file))
        servers.append(server)
        threading.Thread(target=server.serve_forever).start()
        return Running(server, file)

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_test_maze_is_saved(started: Started) -> None:
    running = started(None)
    assert running.ask("PUT", "file", START.encode()) == (200, f"Saved to {running.file}")
    assert running.file.read_text(encoding="utf-8") == START
    again = START.replace("One", "No")
    assert running.ask("PUT", "file", again.encode()).status == 200
    assert running.file.read_text(encoding="utf-8") == again


def test_what_is_none_is_refused_with_line_and_column(started: Started) -> None:
    running = started()
    answer = running.ask("PUT", "file", START.replace("|S ", "|Sx").encode())
    assert answer.status == 409
    assert answer.text.startswith("start.yaml:7:5: maze: expected a wall '|' or an opening ' ', got 'x'")
    assert running.file.read_text(encoding="utf-8") == START


def test_what_another_maze_of_the_course_has_is_refused(started: Started, tmp_path: Path) -> None:
    running = started(None)
    (tmp_path / "other.yaml").write_text(START, encoding="utf-8")
    same_name = START.replace("One", "ONE").replace("|    E|", "|   |E|")
    for text in (same_name, START.replace("One dead end", "Another")):
        answer = running.ask("PUT", "file", text.encode())
        assert answer.status == 409
        assert "other.yaml already" in answer.text
    assert not running.file.exists()


def test_a_file_that_somebody_changed_is_left_alone(started: Started) -> None:
    running = started()
    running.file.write_text("theirs", encoding="utf-8")
    answer = running.ask("PUT", "file", START.encode())
    assert answer.status == 409
    assert "was changed by somebody else" in answer.text
    assert running.file.read_text(encoding="utf-8") == "theirs"


def test_nothing_answers_without_the_path_of_the_page(started: Started) -> None:
    running = started()
    for place in ("/", "/file", "/mistakes", "/x/file", "other", "../file"):
        for method in ("GET", "PUT", "POST"):
            body = None if method == "GET" else b"x"
            assert running.ask(method, place, body) == (404, "no such page")
    assert running.file.read_text(encoding="utf-8") == START


def test_it_listens_on_this_machine_alone(started: Started) -> None:
    server = started().server
    assert server.server_address[0] == "127.0.0.1"
    assert len(server.root) > 30


def test_more_than_a_file_can_hold_is_refused(started: Started) -> None:
    running = started()
    request = Request(running.server.url + "file", method="PUT", headers={"Content-Length": str(1 << 21)})  # noqa: S310
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=60)  # noqa: S310
    with refused.value:
        assert refused.value.code == 413


def test_the_page_saves_and_asks(started: Started, browser: Browser) -> None:
    running = started()
    context = browser.new_context()
    page, trouble = context.new_page(), []
    page.on("console", lambda message: trouble.append(message.text))
    page.goto(running.server.url)
    page.get_by_label("Name").fill("Another name")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text(f"Saved to {running.file}", exact=True).wait_for()
    expected = START.replace("One dead end # as in the lab", "Another name")
    assert running.file.read_text(encoding="utf-8") == expected
    page.get_by_role("button", name="All walls").click()
    page.get_by_role("button", name="Save and ask").click()
    page.get_by_text("dfs: catches 2 of 3 mistakes").click()
    assert page.locator("#mistakes li").all_text_contents() == ["wrong--a", "wrong--b"]
    assert "|S| | |" in running.file.read_text(encoding="utf-8")
    page.get_by_role("button", name="Undo").click()
    assert page.locator("#asked").text_content() == "The maze has changed since: ask again."
    assert trouble == []
    context.close()


def test_the_page_tells_what_could_not_be_done(started: Started, browser: Browser) -> None:
    running = started(caught="nobody could be graded")
    context = browser.new_context()
    page = context.new_page()
    page.goto(running.server.url)
    page.get_by_role("button", name="Save and ask").click()
    page.get_by_text("nobody could be graded").wait_for()
    running.file.write_text("theirs", encoding="utf-8")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed by somebody else").wait_for()
    running.server.shutdown()
    running.server.server_close()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("grader maze edit has ended").wait_for()
    context.close()
