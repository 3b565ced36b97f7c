"""The service and Caddy in containers: the way to the first mark as the page has it, and what lives on."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.containers import (
    BASE,
    GRADER,
    PROJECT,
    Shell,
    browser_of,
    docker,
    environment,
    fill_wheels,
    make_base,
    until,
)
from tests.grader.command import ROOT
from tests.grader.intake.shapes import RIGHT, zipped

pytestmark = [pytest.mark.processes, pytest.mark.ci]

MAIL = f"{PROJECT}-mail"
HOG = """
import os, time
for _ in range(12):
    if not os.fork():
        held = b"x" * (400 << 20)
        time.sleep(600)
time.sleep(2)
"""
"""Children that hold twice as much together as the container may have."""
_DFS = "solvers/dfs.py"
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


@dataclass(frozen=True)
class FirstSteps:
    """What somebody has who has followed the page *From nothing to the first mark* up to the link."""

    visitor: httpx2.Client
    link: str
    table: str


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstSteps]:
    make_base()
    page = (ROOT / "docs" / "administrators.md").read_text(encoding="utf-8")
    section = page[page.index("## From nothing to the first mark") : page.index("## Prepare the machine")]
    assert re.findall(r"^(\d)\. ", section, re.MULTILINE) == ["1", "2", "3", "4", "5"]
    get, dotenv, start, table = (
        dedent(each) for each in re.findall(r"^ *```\n(.*?)^ *```\n", section, re.S | re.M)
    )
    folder = tmp_path_factory.mktemp("machine")
    Shell(folder).run(get)
    (tree := folder / "maze-grader").joinpath("wheels").mkdir()
    fill_wheels(tree / "wheels", tmp_path_factory.mktemp("sources"))
    (tree / ".env").write_text(dotenv)
    shell = Shell(tree)
    try:
        link = shell.run_until(start, "The first teacher signs in, once: ").split()[-1]
        code = (ROOT / "tests" / "mail_server.py").read_text(encoding="utf-8")
        network = ("--network", f"{PROJECT}_default", "--network-alias", "mail")
        docker("run", "--detach", "--name", MAIL, *network, BASE, "python3", "-c", code, "2525")
        with browser_of("localhost", tree) as visitor:
            yield FirstSteps(visitor, link, table)
    finally:
        subprocess.run(["docker", "rm", "--force", MAIL], env=environment(), check=False, capture_output=True)
        shell.run("docker compose down --volumes")


def test_five_steps_lead_to_the_first_mark(steps: FirstSteps) -> None:
    visitor = steps.visitor
    assert steps.link.startswith("https://localhost/invite/")
    visitor.post(urlsplit(steps.link).path)
    files = {"table": ("class.csv", steps.table)}
    told = visitor.post("/staff/people", data={"csrf": _csrf(visitor, "/staff/")}, files=files).text
    assert "2 added, 0 there before; links on their way by mail: 2" in told
    until(lambda: docker("logs", MAIL).count("\n") == 2)
    mails = {mail["to"]: mail["text"] for mail in map(json.loads, docker("logs", MAIL).splitlines())}
    visitor.cookies.clear()
    visitor.post(urlsplit(re.findall(r"https://\S+", mails["ada@example.edu"])[0]).path)
    content = {"files": ("lab.zip", zipped(RIGHT))}
    visitor.post("/submit", data={"csrf": _csrf(visitor, "/")}, files=content)
    until(lambda: "100 / 100" in visitor.get("/").text)
    assert docker("inspect", "--format", "{{.State.Health.Status}}", GRADER).strip() != "unhealthy"


def _csrf(visitor: httpx2.Client, path: str) -> str:
    return str(re.findall(r'name="csrf" value="([^"]+)"', visitor.get(path).text)[0])


def test_a_mark_and_the_service_outlive_a_memory_hog(steps: FirstSteps) -> None:
    visitor = steps.visitor
    started = docker("inspect", "--format", "{{.State.StartedAt}}", GRADER).strip()
    right, hog = zipped(RIGHT), zipped({**RIGHT, _DFS: HOG.encode() + RIGHT[_DFS]})
    told = {name: _hand_in(visitor, name, content) for name, content in (("hog", hog), ("right", right))}
    until(lambda: all(_look(visitor, each)["state"] not in {"waiting", "running"} for each in told.values()))
    ended = {name: _look(visitor, each) for name, each in told.items()}
    assert (ended["right"]["state"], ended["right"]["score"]) == ("graded", 100.0)
    assert ended["hog"]["state"] in {"graded", "fault"}
    assert docker("inspect", "--format", "{{.State.StartedAt}}", GRADER).strip() == started
    assert visitor.get("/healthz").text == "well\n"


def _hand_in(visitor: httpx2.Client, name: str, content: bytes) -> tuple[str, str]:
    key = docker("exec", GRADER, "python", "-c", _KEY, name).strip()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/zip"}
    answer = visitor.post("/api/submit", content=content, headers=headers)
    return str(answer.json()["attempt"]), key


def _look(visitor: httpx2.Client, attempt: tuple[str, str]) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {attempt[1]}"}
    found: dict[str, object] = visitor.get(f"/api/attempts/{attempt[0]}", headers=headers).json()
    return found


@pytest.mark.usefixtures("steps")
def test_an_ordinary_user_finds_bubblewrap_working() -> None:
    said = docker("exec", GRADER, "sh", "-c", "grader doctor || true")
    assert "\nbubblewrap: works" in said
    assert docker("exec", GRADER, "id", "-un").strip() == "grader"


@pytest.mark.parametrize("path", ["/metrics", "/METRICS", "/%6detrics", "/metrics/"])
def test_caddy_passes_no_numbers_on(steps: FirstSteps, path: str) -> None:
    answer = steps.visitor.get(path)
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
