"""The service and Caddy, built and started by compose.yaml: what is graded there, and what lives on."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.grader.command import ROOT
from tests.grader.serve.deploy.containers import (
    BASE,
    GRADER,
    PROJECT,
    Shell,
    browser_of,
    docker,
    fill_wheels,
    make_base,
    until,
)
from tests.submissions.loader import Case

pytestmark = [pytest.mark.processes, pytest.mark.ci]

HOG = """
import os, time
for _ in range(12):
    if not os.fork():
        held = b"x" * (400 << 20)
        time.sleep(600)
time.sleep(2)
"""
"""Children that hold twice as much together as the container may have."""
_KEY = """
import sys, time
from pathlib import Path
from grader.serve.store import credentials, people
from grader.serve.store.database import Store
store = Store(Path("/data/serve.sqlite"))
who = people.put(store, people.Newcomer("mazes", sys.argv[1], "student", "demo", sys.argv[1]), 1.0)
print(credentials.create_token(store, who.id, "test", time.time()))
"""
_STUB = """
from http.server import *
class Stub(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
HTTPServer(("127.0.0.1", 8080), Stub).serve_forever()
"""
_ASK = """
import sys, urllib.error, urllib.request
try:
    print(urllib.request.urlopen("http://127.0.0.1:8081" + sys.argv[1]).status)
except urllib.error.HTTPError as error:
    print(error.code)
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A folder with what is needed to build both containers, which run."""
    make_base()
    folder = tmp_path_factory.mktemp("tree")
    for name in ("compose.yaml", ".dockerignore"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "grader" / "serve" / "deploy", folder / "grader" / "serve" / "deploy")
    (folder / "wheels").mkdir()
    fill_wheels(folder / "wheels", tmp_path_factory.mktemp("sources"))
    (folder / ".env").write_text("NAME=localhost\nMEMORY=2g\nJOBS=2\n")
    shell = Shell(folder)
    shell.run("docker compose up --detach")
    yield shell
    shell.run("docker compose down --volumes")


@pytest.fixture(scope="module")
def visitor(shell: Shell) -> Iterator[httpx2.Client]:
    with browser_of("localhost", shell.folder) as client:
        until(lambda: client.get("/healthz").status_code == 200)
        yield client


def test_a_mark_and_the_service_outlive_a_memory_hog(visitor: httpx2.Client, tmp_path: Path) -> None:
    Case("right", "plain").materialise(tmp_path / "right")
    shutil.copytree(tmp_path / "right", tmp_path / "hog")
    dfs = tmp_path / "hog" / "solvers" / "dfs.py"
    dfs.write_text(HOG + dfs.read_text())
    started = docker("inspect", "--format", "{{.State.StartedAt}} {{.State.OOMKilled}}", GRADER).split()[0]
    told = {name: _hand_in(visitor, name, tmp_path / name) for name in ("hog", "right")}
    until(lambda: all(_look(visitor, each)["state"] not in {"waiting", "running"} for each in told.values()))
    ended = {name: _look(visitor, each) for name, each in told.items()}
    assert (ended["right"]["state"], ended["right"]["score"]) == ("graded", 100.0)
    assert ended["hog"]["state"] in {"graded", "fault"}
    assert docker("inspect", "--format", "{{.State.StartedAt}}", GRADER).strip() == started
    assert visitor.get("/healthz").text == "well\n"


def _hand_in(visitor: httpx2.Client, name: str, folder: Path) -> tuple[str, str]:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in folder.rglob("*.py"):
            archive.write(path, path.relative_to(folder))
    key = docker("exec", GRADER, "python", "-c", _KEY, name).strip()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/zip"}
    answer = visitor.post("/api/submit", content=content.getvalue(), headers=headers)
    return str(answer.json()["attempt"]), key


def _look(visitor: httpx2.Client, attempt: tuple[str, str]) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {attempt[1]}"}
    found: dict[str, object] = visitor.get(f"/api/attempts/{attempt[0]}", headers=headers).json()
    return found


@pytest.mark.usefixtures("visitor")
def test_an_ordinary_user_finds_bubblewrap_working() -> None:
    said = docker("exec", GRADER, "sh", "-c", "grader doctor || true")
    assert "\nbubblewrap: works" in said
    assert docker("exec", GRADER, "id", "-un").strip() == "grader"


@pytest.mark.parametrize("path", ["/metrics", "/METRICS", "/%6detrics", "/metrics/"])
def test_caddy_passes_no_numbers_on(visitor: httpx2.Client, path: str) -> None:
    answer = visitor.get(path)
    assert (answer.status_code, answer.headers["server"], answer.content) == (404, "Caddy", b"")


def test_nginx_passes_no_numbers_on_by_the_lines_of_the_page() -> None:
    page = (ROOT / "docs" / "administrators.md").read_text(encoding="utf-8")
    lines = page[page.index("location = /grader/metrics") : page.index("proxy_buffering off;")]
    server = f"events {{}} http {{ access_log off; server {{ listen 8081; {lines} }} }} }}"
    name = f"{PROJECT}-nginx"
    run = 'printf %s "$CONF" > /conf; python3 -c "$STUB" & exec nginx -e stderr -c /conf -g "daemon off;"'
    make_base()
    docker(
        *("run", "--detach", "--name", name, "--network", "none", "--env", f"STUB={_STUB}"),
        *("--env", f"CONF={server}", "--env", "PATH=/usr/sbin:/usr/bin:/bin", BASE, "sh", "-c", run),
    )
    try:
        until(lambda: _asked(name, "/grader/healthz") == "200")
        assert [_asked(name, f"/grader/{path}") for path in ("metrics", "/metrics", "%6detrics")] == [
            "404"
        ] * 3
    finally:
        docker("rm", "--force", name)


def _asked(name: str, path: str) -> str:
    return docker("exec", name, "sh", "-c", 'python3 -c "$0" "$1" 2>&1 || true', _ASK, path).strip()
