"""The lab in a browser tab, in a real browser: what a student does there, and what code may not do.

``scripts/pyodide.sh`` fetches the Python that runs in it.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FrameLocator, Page, expect

from grader.cli import main
from grader.course.plan import load_plan
from grader.course.rubric import SHIPPED
from grader.release import browser as tab
from grader.release.kit import Kit, handouts_of, kit_of
from grader.release.secrets import collect_secrets, opened, refusal
from lab.render import layout
from tests.grader.release.served import Files, served, write_page

ROOT: Final = Path(__file__).parents[3]
PYODIDE: Final = ROOT / "build" / "pyodide"
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PATIENCE: Final = 180_000
"""Milliseconds that Python may take, on a busy machine."""
SKELETON: Final = (ROOT / "student_template/solvers/bfs.py").read_text(encoding="utf-8")
RIGHT: Final = (ROOT / "reference/solvers/bfs.py").read_text(encoding="utf-8")
SEARCH: Final = (ROOT / "reference/solvers/search.py").read_text(encoding="utf-8")
WRONG: Final = RIGHT.replace("first_pending", "last_pending").replace(
    "        search.mark", "        print('here I am')\n        search.mark", 1
)
RENDERS: Final = {"check", "check_page", "trace", "layout", "board", "story", "strokes", "symbols", "page"}
"""The stems of what makes the pages of maze check and maze trace."""
ATTEMPT: Final = {"attempt": "7", "number": 1, "state": "waiting", "page": "/attempts/7", "told": "It waits."}
GRADED: Final = {
    **ATTEMPT,
    "state": "graded",
    "told": "It is graded.",
    "score": 20,
    "max_score": 100,
    "causes": ["DFS: it is not written."],
}


def doing(code: str) -> str:
    """A BFS that does this in place of its work."""
    return SKELETON.replace("raise NotImplementedError", code)


ENDINGS: Final = (
    ("while True:\n            pass", "Your code did not come to an end within 1,000,000 jumps."),
    (
        "kept = []\n        while True:\n            kept.append(bytearray(1_000_000))",
        "Your code took more memory than it may (MemoryError)",
    ),
    ("return sum(iter(int, 1))", "Your code did not come to an end."),  # a loop in C
)
"""Code that does not come to an end, and what is said of it."""
HOSTILE: Final = """import js
        said = []
        for attempt in (
            lambda: js.fetch("{url}stolen?fetch"),
            lambda: js.WebSocket.new("{url}stolen?socket".replace("http", "ws")),
            lambda: js.EventSource.new("{url}stolen?events"),
            lambda: js.Worker.new("{url}stolen?worker"),
            lambda: js.indexedDB.open("mazes-lab /"),
            lambda: js.eval("import('{url}stolen?import')"),
            lambda: asked("{url}stolen?asked"),
        ):
            try:
                attempt()
                said.append("went")
            except BaseException as error:
                said.append(type(error).__name__)
        print(said)
        return None


def asked(url):
    import js
    request = js.XMLHttpRequest.new()
    request.open("GET", url, False)
    request.send()
    return request.status


class Never:
    def solve(self, maze, search):
        return []"""

TAKEN: Final = """<!doctype html><head><link rel=dns-prefetch href=//stolen.invalid>
<meta http-equiv=refresh content="0;url=/stolen?refresh"><style>body { color: red }</style></head>
<body onload="document.title = 'ran'"><p id=ran>The page was taken.</p>
<script>document.title = 'ran'; new RTCPeerConnection()</script>
<script src="/stolen?script"></script><script type=module>document.title = 'ran'</script>
<img src="/stolen?img" onerror="document.title = 'ran'"><iframe src="/stolen?frame"></iframe>
<svg><image href="/stolen?image"/><g onload="document.title = 'ran'"/></svg><object data="/stolen?o"></object>
<a href="/stolen?a">here</a><form action="/stolen?form"><input name=q></form>
<template><script>document.title = 'ran'</script></template>"""
"""A page that code has made in the place of the kit's."""


class Site(Files):
    """A simple web server with the page; and a service for its zip, where one is asked for."""

    asked: Final[list[str]] = []
    handed_in: Final[list[tuple[str, bytes]]] = []

    def do_GET(self) -> None:
        """Answer with a file, or with the attempt that was handed in."""
        self.asked.append(self.path)
        if self.path.startswith("/api/attempts/"):
            self._tell(GRADED)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        """Take what is handed in."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.handed_in.append((self.headers["Authorization"], body))
        self._tell(ATTEMPT)

    def _tell(self, data: Mapping[str, Any]) -> None:
        content = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture(scope="module")
def made() -> tuple[Kit, dict[str, bytes]]:
    """The shipped rubric's kit and its page, made once, with Pyodide beside it."""
    plan = load_plan(SHIPPED)
    kit = kit_of(plan)
    return kit, tab.make_browser(kit, handouts_of(plan), tab.read_pyodide(PYODIDE), title="The course")


@pytest.fixture(scope="module")
def address(made: tuple[Kit, dict[str, bytes]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("browser")
    write_page(folder, made[1])
    with served(folder, Site) as found:
        yield found


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page of a student whose Search is right; each test writes the BFS that it needs."""
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    opened_at(page, address)
    write(page, "solvers/search.py", SEARCH)
    told(page, "15 of 15 so far. All public tests passed.")
    yield page
    context.close()


def opened_at(page: Page, address: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    told(page, re.compile("Public tests|Tests that wait"))


def told(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#status")).to_contain_text(text, timeout=PATIENCE)


def write(page: Page, name: str, text: str) -> None:
    """Write a file anew in the editor."""
    page.locator(f'[role=tab][title="{name}"]').click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    page.keyboard.press("Control+s")


def panel(page: Page) -> FrameLocator:
    return page.frame_locator("#panel iframe:not(.coming)")


def shows(page: Page, text: str) -> None:
    expect(panel(page).locator("body")).to_contain_text(text, timeout=PATIENCE)


def test_from_an_empty_profile_to_full_marks(
    browser: Browser, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Write BFS wrong, see why, step to the place, mend it, reload, export, hand in: full marks for BFS."""
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page, trouble = context.new_page(), list[str]()
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    with_service = partial(_with_service, address)
    page.route("**/config.json", lambda route: route.fulfill(json=with_service(route.fetch().json())))
    opened_at(page, address)
    write(page, "solvers/search.py", SEARCH)
    told(page, "15 of 15 so far. All public tests passed.")
    write(page, "solvers/bfs.py", WRONG)
    told(page, " of 20 so far")
    shows(page, "Visit 2: here your code came to (2, 1). (1, 2) was to come next.")
    panel(page).get_by_role("button", name="line 25").first.click()
    page.keyboard.press("End")
    expect(page.locator(".cm-activeLine")).to_have_text("            position = search.last_pending()")
    page.locator("#printed summary").click()
    expect(page.locator("#printed pre")).to_contain_text("here I am")

    panel(page).get_by_role("button", name="Follow BFS to where it goes wrong").first.click()
    shows(page, "BFS on a_empty_room.txt")
    panel(page).get_by_label("Moment").press("Home")
    panel(page).get_by_label("Moment").press("ArrowRight")
    expect(panel(page).locator(".now-at")).to_contain_text("Line 2 of")
    expect(page.locator(".cm-line.at")).to_have_text("        search.mark_as_pending(maze.entry)")
    panel(page).get_by_label("Moment").press("ArrowRight")
    expect(page.locator('[role=tab][aria-selected="true"]')).to_have_text("search.py")
    expect(page.locator(".cm-line.at")).to_have_text("        self._distances[position] = 0")
    expect(panel(page).locator("#values")).to_contain_text("position = (2, 2)")
    expect(panel(page).locator("#code")).to_be_hidden()
    write(page, "solvers/bfs.py", RIGHT)
    told(page, "18 of 20 so far; 2 are hidden. All public tests passed.")
    page.locator("#check-all").click()
    expect(page.locator("#sum")).to_have_text("All: 33 of 100")

    page.reload()
    expect(page.locator("#sum")).to_have_text("All: 33 of 100")
    bfs = page.locator('[role=tab][title="solvers/bfs.py"]')
    expect(bfs).to_have_attribute("class", "passed")
    bfs.click()
    expect(page.locator(".cm-content")).to_contain_text("first_pending")
    shows(page, "All public tests passed")
    page.locator(".cm-content").press("Control+End")
    page.keyboard.type("# more")
    expect(page.locator("#panel")).to_have_class("stale")
    expect(bfs).to_have_class("passed stale")
    with page.expect_download(timeout=PATIENCE) as download:
        page.locator("#export").click()
    download.value.save_as(tmp_path / "submission.zip")
    expect(page.locator("#check")).to_be_enabled(timeout=PATIENCE)
    page.locator("#hand-in").click()
    expect(page.locator("#question")).to_contain_text("solvers/dfs.py still raises", timeout=PATIENCE)
    page.get_by_role("button", name="OK").click()
    expect(page.locator("#question")).to_contain_text("Your token", timeout=PATIENCE)
    expect(page.locator("#where")).to_have_attribute("href", f"{address}#token")
    page.locator("#given").fill("a-token")
    page.get_by_role("button", name="OK").click()
    expect(page.locator("#attempt")).to_have_text("Attempt 1: 20 of 100 points")
    expect(page.locator("#causes li")).to_have_text(["DFS: it is not written."])
    assert trouble == []
    context.close()

    [(token, content)] = Site.handed_in
    assert token == "Bearer a-token"  # noqa: S105 - no secret
    assert "solvers/bfs.py" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    exported = ["grade", str(tmp_path / "submission.zip"), "--out", str(tmp_path / "out")]
    assert main([*exported, "--sandbox", "process"]) == 0, capsys.readouterr().err
    exercises = json.loads((tmp_path / "out" / "results.json").read_text())["exercises"]
    marks = {each["id"]: (each["score"], each["max_score"]) for each in exercises}
    assert marks["bfs"] == (20, 20)


def _with_service(address: str, config: dict[str, Any]) -> dict[str, Any]:
    return {**config, "service": address}


def test_what_does_not_end_is_told_and_the_next_check_works(page: Page) -> None:
    for code, said in ENDINGS:
        write(page, "solvers/bfs.py", doing(code))
        shows(page, said)
        told(page, "0 of 20 so far")
    write(page, "solvers/bfs.py", RIGHT)
    told(page, "18 of 20 so far; 2 are hidden. All public tests passed.")


def test_code_comes_to_nothing_outside(page: Page, address: str) -> None:
    """It reaches no server and no storage."""
    write(page, "solvers/bfs.py", doing(HOSTILE.replace("{url}", address)))
    told(page, "so far; 2 are hidden. Public tests that failed")
    shows(page, "Public tests that failed")
    expect(page.locator("#printed pre")).to_contain_text("JsException")
    assert [path for path in Site.asked if "stolen" in path] == []


def test_a_page_that_code_has_made_runs_nothing_and_asks_for_nothing(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    opened_at(page, address)
    taken = f"from lab.commands import tab\n        tab.to_html = lambda *_: {TAKEN!r}\n        return []"
    write(page, "solvers/bfs.py", doing(taken))
    shows(page, "The page was taken.")
    body = panel(page).locator("body")
    assert body.evaluate("() => document.title") == ""
    assert body.evaluate("() => getComputedStyle(document.body).color") != "rgb(255, 0, 0)"
    left = body.evaluate("() => [...document.querySelectorAll('body *')].map((each) => each.localName)")
    assert sorted(set(left)) == ["g", "p", "script", "svg"]
    assert [path for path in Site.asked if "stolen" in path] == []
    context.close()


def test_a_page_of_the_kit_is_made_of_elements_that_are_shown() -> None:
    """Else a part of it would be missing in the tab, and nobody told."""
    render = Path(layout.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in render.iterdir() if path.stem in RENDERS]
    made = set(re.findall(r"<([a-z][a-z0-9]*)\b", "".join(sources)))
    shown = (ROOT / "grader/release/browser/shown.js").read_text(encoding="utf-8")
    [kept] = re.findall(r"new Set\(`([^`]+)`", shown)
    assert made - set(kept.split()) == {"html", "head", "meta", "style", "script", "noscript"}


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_sticks_out(page: Page, width: int, scheme: Any) -> None:
    page.locator("#mazes").select_option("sample_maze.txt")
    expect(page.locator(".cm-content")).to_have_attribute("aria-readonly", "true")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    for side in ["code", "result"] if width == 390 else [""]:
        if side:
            page.locator(f'button[data-side="{side}"]').click()
        found = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1200, "height": 800})


def test_nothing_hidden_is_in_it(made: tuple[Kit, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in its archive and in its data is looked at, too."""
    kit, page = made
    monkeypatch.setattr("grader.release.secrets.find_answers", lambda _: [])
    secrets = collect_secrets(load_plan(SHIPPED))
    assert refusal(kit, secrets, page) == ""
    hidden = next(iter(secrets.words))
    config = json.loads(page["config.json"]) | {"title": hidden}
    told = refusal(kit, secrets, {**page, "config.json": json.dumps(config).encode()})
    assert "browser/config.json/title:1:" in told
    inside = opened({"browser/kit.zip": page["kit.zip"]})
    shown = {name: content for name, content in kit.files.items() if name.startswith("lab/")}
    assert {name.removeprefix("browser/kit.zip/") for name in inside} == set(opened(shown))


def test_without_a_folder_python_comes_from_its_cdn(made: tuple[Kit, dict[str, bytes]]) -> None:
    page = tab.make_browser(made[0], {})
    wanted = json.loads(page["config.json"])["wanted"]
    assert wanted["pyodide.asm.wasm"]["from"] == f"{tab.PYODIDE}pyodide.asm.wasm"
    assert wanted["pyodide.asm.wasm"]["integrity"].startswith("sha256-")
    assert f"connect-src 'self' {tab.PYODIDE};" in page["index.html"].decode()
    assert not [name for name in page if name.startswith("pyodide/")]
