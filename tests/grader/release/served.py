"""The lab in a browser tab as static files, and a simple web server that has them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from grader.course.plan import load_plan
from grader.course.rubric import SHIPPED
from grader.release.browser import PYODIDE_FILES, make_browser
from grader.release.kit import kit_of


def write_page(folder: Path, page: Mapping[str, bytes]) -> None:
    for name, content in page.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def write_page_without_python(folder: Path) -> None:
    """Write a page that finds no Python, as where its CDN is out of reach."""
    page = make_browser(kit_of(load_plan(SHIPPED)), {}, dict.fromkeys(PYODIDE_FILES, b""), title="The course")
    write_page(folder, {name: content for name, content in page.items() if name != "kit.zip"})


class Files(SimpleHTTPRequestHandler):
    """Answers with files, and writes no log."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the inherited name
        """Say nothing."""


@contextmanager
def served(folder: Path, handler: type[Files] = Files) -> Iterator[str]:
    """Serve a folder; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()
