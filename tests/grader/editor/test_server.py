"""What the page begins with, and the server behind it: what it saves, and what it refuses."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser

from grader.editor.server import EditedFile, Server, find_caught_mistakes, open_maze, render
from grader.errors import GraderError
from grader.shipped import folder
from lab import Dimension, Factory

START = """# drawn by hand
name: One dead end # as in the lab
catches: a solver that stops
visibility: hidden
maze: |
  +-+-+-+
  |S    |
  + +-+-+
  |    E|
  +-+-+-+
"""
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
    expected = "a wall '|' or an opening (' ' or '2' to '9')"
    assert answer.text.startswith(f"start.yaml:7:5: maze: expected {expected}, got 'x'")
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


def test_a_file_that_is_not_there_yet_begins_with_a_room(tmp_path: Path) -> None:
    opened = open_maze(tmp_path / "long-way.yaml")
    assert (opened.file, opened.fields.name, opened.fields.catches) == ("long-way.yaml", "Long way", "")
    assert opened.fields.maze == Factory().fully_connected(Dimension(5, 5)).to_text()
    assert (opened.head, opened.blocks) == ("", ())


MAZES = sorted((folder("grader") / "mazes").glob("*.yaml"))


@pytest.mark.parametrize("path", MAZES, ids=lambda path: path.stem)
def test_the_blocks_of_a_file_are_the_file(path: Path) -> None:
    opened = open_maze(path)
    assert opened.head + "".join(block for _, block in opened.blocks) == path.read_text(encoding="utf-8")


def test_a_comment_between_keys_and_a_mark_at_the_start_are_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    keys = 'name: "a: b"\n# catches: nothing\ncatches: x\nvisibility: public\n'
    text = f"\ufeff# first\n\n{keys}maze: |\n  +-+\n  |S|\n  +-+"
    path.write_text(text, encoding="utf-8")
    opened = open_maze(path)
    assert opened.head == "# first\n\n"
    assert opened.blocks[0] == ("name", 'name: "a: b"\n# catches: nothing\n')
    assert [key for key, _ in opened.blocks] == ["name", "catches", "visibility", "maze"]


MAZE = """name: A corner
catches: a solver that goes West first
visibility: hidden
exercises: [dfs]
maze: |
  +-+-+
  |E S|
  + + +
  |   |
  +-+-+
"""


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Two wrong submissions, one of which goes North before anything else, as it should."""
    folder_ = tmp_path / "bank"
    for kind in ("right", "wrong"):
        (folder_ / kind).mkdir(parents=True)
    right = (folder("reference") / "solvers" / "dfs.py").read_text(encoding="utf-8")
    for file in ("solvers/search.py", "solvers/dfs.py"):
        (folder_ / "base" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder_ / "base" / file).write_bytes((folder("reference") / file).read_bytes())
    turned = right.replace("reversed(maze.valid_moves_at(position))", "maze.valid_moves_at(position)[::-1]")
    (folder_ / "wrong" / "dfs-as-it-should.py").write_text(turned, encoding="utf-8")
    (folder_ / "wrong" / "dfs-other-end.py").write_text(right.replace("last_pending", "first_pending"))
    (folder_ / "right.yaml").write_text("{}\n")
    (folder_ / "wrong.yaml").write_text(
        "dfs-as-it-should: {dfs: {lost: [visit-order]}}\ndfs-other-end: {dfs: {lost: [visit-order]}}\n"
    )
    return folder_


@pytest.mark.processes
def test_the_names_of_those_that_are_caught(bank: Path, tmp_path: Path) -> None:
    file = tmp_path / "corner.yaml"
    file.write_text(MAZE.replace("|E S|", "|S  |").replace("|   |\n  +-+-+\n", "|  E|\n  +-+-+\n"))
    found = find_caught_mistakes(file, ["--bank", str(bank), "--sandbox", "process"])
    assert found == {"dfs": {"due": 2, "caught": ["wrong--dfs-other-end"]}}


def test_what_the_command_cannot_do_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = subprocess.CompletedProcess([], 1, "", "grader: a\ngrader: wrong.yaml:3:1: it is")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(GraderError, match=r"^wrong\.yaml:3:1: it is$"):
        find_caught_mistakes(tmp_path / "wrong.yaml")
