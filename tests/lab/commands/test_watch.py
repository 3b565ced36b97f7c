"""``maze watch``: each save runs the tests again, and the page in the browser follows."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from lab.commands import watch
from lab.commands.live_page import LivePage
from lab.exercises import EXERCISES
from tests.lab.running import MAZE

RIGHT, WRONG = "reversed(maze.valid_moves_at(position))", "maze.valid_moves_at(position)"
PATIENCE = 300_000
"""Milliseconds: a machine under load takes its time."""


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    command = [*MAZE, "watch", "dfs", "--no-open"]
    watching = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert watching.stdout is not None
    line = next(line for line in watching.stdout if line.startswith("The page is "))
    yield line.removeprefix("The page is ").strip()
    watching.send_signal(signal.SIGINT)
    assert watching.stdout.read().endswith("\nEnded.\n")
    assert watching.wait() == 0
    watching.stdout.close()


def save(path: Path, text: str) -> None:
    """Write the file in one go, so that it is seen to be saved once."""
    partial = path.with_suffix(".partial")
    partial.write_text(text)
    partial.replace(path)


def test_the_page_follows_what_is_saved(browser: Browser, address: str, folder: Path) -> None:
    page = browser.new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.goto(address)
    state = page.locator(".state")
    expect(state).to_have_text("All passed")
    dfs = folder / "solvers/dfs.py"
    save(dfs, dfs.read_text().replace(RIGHT, WRONG))
    expect(state).to_have_text("6 failed", timeout=PATIENCE)
    others = page.locator("#dfs .alike")
    others.locator("summary").click()
    with page.expect_event("load", timeout=PATIENCE):
        save(dfs, dfs.read_text() + "\n# saved again\n")
    expect(others.locator("li").first).to_be_visible()
    assert Axe().run(page).violations_count == 0
    assert trouble == []
    page.close()


def test_the_page_says_that_the_watch_has_ended(browser: Browser) -> None:
    page = browser.new_page()
    with LivePage() as served:
        served.show(lambda *, script: f"<title>shown</title><script>{script}</script>")
        page.goto(served.address)
        assert page.title() == "shown"
    page.wait_for_function("document.title == '(ended) shown'", timeout=PATIENCE)
    page.close()


@pytest.mark.parametrize(
    ("path", "host", "status"), [("/", None, 200), ("/x", None, 404), ("/", "evil.example", 404)]
)
def test_nothing_but_the_page_is_served_and_only_under_its_own_name(
    path: str, host: str | None, status: int
) -> None:
    with LivePage() as served:
        served.show(lambda *, script: "shown")
        own = served.address.removeprefix("http://").strip("/")
        connection = HTTPConnection(own, timeout=60)
        connection.request("GET", path, headers={"Host": host or own})
        answer = connection.getresponse()
        assert answer.status == status
        assert (answer.read() == b"shown") is (status == 200)
        connection.close()


def test_saves_are_seen_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "solvers").mkdir()
    (tmp_path / "a.py").write_text("1")
    happening: Iterator[Callable[[], object]] = iter(
        [
            lambda: (tmp_path / "check.html").write_text("2"),
            lambda: (tmp_path / "a.py").write_text("22"),
            lambda: (tmp_path / ".hidden").mkdir(),
            lambda: (tmp_path / ".hidden/b.py").write_text("3"),
            lambda: (tmp_path / "solvers/b.py").write_text("3"),
            lambda: (tmp_path / "a.py").unlink(),
        ]
    )
    left: list[int] = []

    def wait(_: float) -> None:
        left.append(1)
        next(happening)()

    monkeypatch.setattr("lab.commands.watch.time.sleep", wait)
    saved = [(sorted(path.name for path in saved), len(left)) for saved in islice(watch.saves(tmp_path), 4)]
    assert saved == [([], 0), (["a.py"], 2), (["b.py"], 5), (["a.py"], 6)]


def test_what_is_saved_concerns_its_exercise_and_those_that_import_it(folder: Path) -> None:
    def concerned(*names: str) -> list[str]:
        saved = {folder / name for name in names}
        return [each.id for each in watch.concerned(folder, saved, EXERCISES)]

    (folder / "queues.py").write_text("import grid\n")
    (folder / "solvers/bfs.py").write_text("from queues import Queue\n")
    (folder / "solvers/dfs.py").write_text("from . import grid\n")
    (folder / "solvers/dijkstra.py").write_text("from grid import (\n")
    assert concerned("solvers/search.py") == ["search"]
    assert concerned("queues.py") == ["bfs"]
    assert concerned("grid.py", "perfection_checker.py") == ["dfs", "bfs", "perfection"]
    assert concerned("notes.py") == []
