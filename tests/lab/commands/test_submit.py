"""``maze submit``, against a service that says what the test wants it to."""

from __future__ import annotations

import argparse
import io
import json
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lab.commands import submit
from lab.commands.errors import CommandError

KEY = "a-token-of-ada"
WAITS = {"attempt": "a/b", "number": 2, "state": "waiting", "page": "http://here/2", "told": "2 come first."}
DONE = {**WAITS, "state": "graded", "told": "It is graded.", "score": 87.5, "max_score": 100.0,
        "causes": ["Depth-first search (7.5 of 20): finds a way: DFS found no way."]}  # fmt: skip
Answer = tuple[int, dict[str, str], Any]


class Service:
    """Answers one request after the other with what is next, and keeps what came."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.came: list[tuple[str, str, bytes, str]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers["Content-Length"])))

            def do_GET(self) -> None:
                self._answer(b"")

            def _answer(self, body: bytes) -> None:
                token = self.headers["Authorization"]
                service.came.append((self.command, self.path, body, token))
                status, headers, data = service.answers.pop(0)
                content = json.dumps(data).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file in which address and token are kept."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("MAZE_TOKEN", KEY)
    return tmp_path / "config" / "maze" / "submit.json"


def hand_in(folder: Path, to: str | None, *, no_wait: bool = False) -> None:
    submit.submit(argparse.Namespace(dir=str(folder), to=to, no_wait=no_wait), pause=lambda _: None)


def test_it_hands_in_and_tells_what_comes_of_it(
    folder: Path, service: Service, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.answers = [(201, {}, WAITS), (200, {}, WAITS), (200, {}, DONE)]
    hand_in(folder, service.url + "/")
    [(_, path, body, token), *asked] = service.came
    assert (path, token) == ("/api/submit", f"Bearer {KEY}")
    assert "solvers/dfs.py" in zipfile.ZipFile(io.BytesIO(body)).namelist()
    assert [(method, path) for method, path, _, _ in asked] == [("GET", "/api/attempts/a%2Fb")] * 2
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "Handed in as attempt 2: http://here/2",
        "2 come first.",
        "It is graded.",
        "  Depth-first search (7.5 of 20): finds a way: DFS found no way.",
        "87.5 of 100 points: http://here/2",
    ]
    assert json.loads(kept.read_text()) == {"url": service.url, "token": KEY}
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_known_token_goes_to_no_other_address(
    folder: Path, service: Service, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps({"url": "https://elsewhere.example", "token": "of-elsewhere"}))
    monkeypatch.delenv("MAZE_TOKEN")
    monkeypatch.setattr("getpass.getpass", lambda _: " typed-in ")
    service.answers = [(201, {}, DONE)]
    hand_in(folder, service.url)
    assert [token for *_, token in service.came] == ["Bearer typed-in"]


def test_a_redirection_is_not_followed(folder: Path, service: Service) -> None:
    service.answers = [(302, {"Location": service.url + "/elsewhere"}, {})]
    with pytest.raises(CommandError, match="the service answered 302"):
        hand_in(folder, service.url)
    assert len(service.came) == 1


@pytest.mark.parametrize("address", ["http://mazes.example.edu", "ftp://127.0.0.1", "mazes.example.edu"])
def test_a_token_goes_by_https_or_stays_here(folder: Path, address: str) -> None:
    with pytest.raises(CommandError, match="begins with https://"):
        hand_in(folder, address)
