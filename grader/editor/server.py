"""The editor of test mazes: a page and its server, for one person, on this machine, for one file.

Theory of operation: the server listens on 127.0.0.1 and answers only below an unguessable path, so that
neither another user of the machine nor another site open in the same browser can reach it. It writes only the
file that it was started with, and only content that is a valid test maze as a whole. If another program has
changed the file in the meantime, it is not overwritten.
"""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final

from grader.batch.report import standalone
from grader.course.maze_files import load_maze_file, load_other_mazes, refuse_twins
from grader.course.plan import disagreement
from grader.course.statements import WITH_MAZES
from grader.course.yaml_source import MAX_BYTES
from grader.disk import write_whole
from grader.errors import GraderError, InputError
from lab import Dimension, Factory
from lab.exercises import BY_ID, SOLVER_IDS

_MOST_BYTES: Final = 1 << 20
"""The largest body of a request."""

FindMistakes = Callable[[Path], Mapping[str, Any]]
"""Return which mistakes the maze in a file catches, by exercise, as plain data. Raises GraderError."""


@dataclass
class EditedFile:
    """The file being edited: it can be saved, and checked against the bank of mistakes."""

    path: Path
    asks: FindMistakes
    folders: Sequence[Path] = ()
    """Folders of the course's test mazes other than the file's own."""
    own: Sequence[str] = ()
    """The ids of the course's own exercises."""
    _content: bytes | None = None
    """What this process last read from or wrote to the file; None if there was no file."""
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._content = self._on_disk()

    def save(self, content: bytes) -> str:
        """Write the file and return a message for the user.

        Raises GraderError if the content is not a valid test maze, if another maze has its name or drawing,
        or if the file has changed since.
        """
        with self._lock:
            maze = load_maze_file(Path(self.path.name), agrees=disagreement, content=content, own=self.own)
            refuse_twins(maze, load_other_mazes(self.path, self.folders, self.own))
            if self._on_disk() != self._content:
                raise GraderError(f"{self.path} was changed by somebody else since it was opened here: "
                                  "download this one, and compare")  # fmt: skip
            write_whole(self.path, content)
            self._content = content
        return f"Saved to {self.path}"

    def mistakes(self) -> str:
        """Return, as JSON, which mistakes the saved maze catches. Raises GraderError."""
        return json.dumps(self.asks(self.path))

    def _on_disk(self) -> bytes | None:
        return self.path.read_bytes() if self.path.exists() else None


class Server(ThreadingHTTPServer):
    """Serve the page, and handle its requests to save and to find mistakes."""

    daemon_threads = True

    def __init__(self, desk: EditedFile, page: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.desk, self.page, self._token = desk, page.encode(), secrets.token_urlsafe(24)

    @property
    def root(self) -> str:
        """Return the path of the page."""
        return f"/{self._token}/"

    @property
    def url(self) -> str:
        """Return the URL of the page."""
        return f"http://127.0.0.1:{self.server_address[1]}{self.root}"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if self._is_for(""):
            self._answer(HTTPStatus.OK, self.server.page, "text/html")

    def do_PUT(self) -> None:
        if self._is_for("file"):
            self._do(lambda body: self.server.desk.save(body))

    def do_POST(self) -> None:
        if self._is_for("mistakes"):
            self._do(lambda _body: self.server.desk.mistakes())

    def _is_for(self, name: str) -> bool:
        if secrets.compare_digest(self.path.encode(), f"{self.server.root}{name}".encode()):
            return True
        self._answer(HTTPStatus.NOT_FOUND, b"no such page")
        return False

    def _do(self, act: Callable[[bytes], str]) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if size > _MOST_BYTES:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"the file is too large")
            return
        try:
            self._answer(HTTPStatus.OK, act(self.rfile.read(size)).encode())
        except GraderError as error:
            self._answer(HTTPStatus.CONFLICT, str(error).encode())

    def _answer(self, status: HTTPStatus, body: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the inherited name
        """Log nothing: the page shows the result of each request."""


def find_caught_mistakes(path: Path, options: Sequence[str] = ()) -> Mapping[str, Any]:
    """Run ``grader verify --maze`` in a subprocess, to find which mistakes of the bank a maze catches.

    Return, by exercise, the number of wrong submissions (``due``) and the names of those caught.
    Raises GraderError if the command fails.
    """
    with TemporaryDirectory(prefix="maze-grader-") as folder:
        found = Path(folder, "findings.json")
        command = [sys.executable, "-m", "grader", "verify", "--maze", str(path), "--json", str(found)]
        asked = subprocess.run(  # noqa: S603 - the grader's own command
            [*command, "--only", "wrong--*", "--quiet", *options],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if not found.exists():
            lines = asked.stderr.strip().splitlines()
            raise GraderError(lines[-1].removeprefix("grader: ") if lines else "the bank was not graded")
        findings = json.loads(found.read_bytes())
    return {
        exercise: {"due": due, "caught": findings["caught"].get(exercise, [])}
        for exercise, (_, due) in findings["by_exercise"].items()
    }


MOST_ROWS_OR_COLUMNS: Final = 100
"""The most rows or columns of a maze in the editor; a page cannot show more cells."""

_SUFFIXES: Final = (".yaml", ".yml")
_NEW_SIZE: Final = Dimension(5, 5)
_KEY: Final = re.compile(r"([A-Za-z_]+)\s*:")


@dataclass(frozen=True, slots=True)
class MazeFields:
    """The fields of a test maze that the page can change."""

    name: str
    catches: str
    visibility: str
    exercises: tuple[str, ...]
    orders: bool
    """Whether the file contains visit orders."""
    maze: str


@dataclass(frozen=True, slots=True)
class MazeDocument:
    """A file: its fields, and its text by YAML key, so that unchanged keys are saved exactly as they were."""

    file: str
    fields: MazeFields
    head: str = ""
    """The text above the first key."""
    blocks: tuple[tuple[str, str], ...] = ()
    taken: tuple[str, ...] = ()
    """Names of the course's other mazes."""
    offered: tuple[str, ...] = WITH_MAZES
    """The exercises of the course for which a maze can be."""

    def as_data(self) -> dict[str, Any]:
        """Return plain data for the page."""
        return asdict(self)


def open_maze(path: Path | None, folders: Sequence[Path] = (), own: Sequence[str] = ()) -> MazeDocument:
    """Read a test maze; if the file does not exist yet, start with an empty room of 5 x 5 cells.

    ``folders`` are those of the course's mazes other than the file's own, and ``own`` its own exercises.
    Raises InputError if the maze cannot be edited, MazeFileError if the file is not a valid test maze.
    """
    offered = (*WITH_MAZES, *own)
    if path is not None and path.suffix.lower() not in _SUFFIXES:
        raise InputError("expected a name that ends in .yaml", path=path)
    others = load_other_mazes(path, folders, own) if path is not None else ()
    taken = tuple(other.name for other in others)
    if path is None or not path.exists():
        name = path.stem.replace("-", " ").capitalize() if path is not None else "New maze"
        room = Factory().fully_connected(_NEW_SIZE).to_text()
        return MazeDocument(
            path.name if path else "new-maze.yaml",
            MazeFields(name, "", "hidden", offered, False, room),
            taken=taken,
            offered=offered,
        )
    read = load_maze_file(path, own=own)
    size = read.maze.dimension
    if max(size.row_count, size.column_count) > MOST_ROWS_OR_COLUMNS:
        raise InputError(f"expected at most {MOST_ROWS_OR_COLUMNS} rows and columns, got {size}", path=path)
    head, blocks = _split_keys(path.read_text(encoding="utf-8-sig"))
    orders = bool(read.visit_order)
    exercises = offered if read.exercises == WITH_MAZES else read.exercises
    fields = MazeFields(read.name, _on_one_line(read.catches), read.visibility, exercises, orders, read.text)
    return MazeDocument(path.name, fields, head, blocks, taken, offered)


def _on_one_line(words: str) -> str:
    """Join a text into one line, as the page's fields hold it."""
    return " ".join(words.split())


def _split_keys(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Split the text into that above the first key, and each key with the text up to the next one."""
    lines = [f"{line}\n" for line in text.rstrip().splitlines()]
    head = "".join(takewhile(lambda line: not _KEY.match(line), lines))
    blocks: list[tuple[str, str]] = []
    for line in "".join(lines)[len(head) :].splitlines(keepends=True):
        key = _KEY.match(line)
        if key is not None:
            blocks.append((key[1], line))
        else:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + line)
    return head, tuple(blocks)


_STYLES: Final = (
    ("lab.render", "theme.css"),
    ("grader.batch.report", "pages/staff.css"),
    (__package__, "files/editor.css"),
)
_SCRIPTS: Final = tuple(
    (__package__, f"files/{name}.js") for name in ("dom", "maze", "file", "board", "saving", "editor")
)

_SOLVERS: Final = tuple(BY_ID[id_] for id_ in SOLVER_IDS)
"""The lab's solvers: depth-first ones share a visit order, all others another."""


def render(opened: MazeDocument, *, saves_to: Path | None) -> str:
    """Render the page; with ``saves_to`` it can ask its server to save the maze and to grade it."""
    return standalone(
        "grader.editor",
        "files/editor.html.j2",
        _assets(_STYLES),
        _assets(_SCRIPTS),
        name=opened.fields.name,
        state=json.dumps(opened.as_data(), ensure_ascii=False),
        exercises=opened.offered,
        deep=[each for each in _SOLVERS if each.goes_deep],
        broad=[each for each in _SOLVERS if not each.goes_deep],
        most=MOST_ROWS_OR_COLUMNS,
        most_bytes=MAX_BYTES,
        saves=saves_to is not None,
        path=saves_to,
    )


@cache
def _assets(places: tuple[tuple[str, str], ...]) -> str:
    return "".join(files(package).joinpath(name).read_text(encoding="utf-8") for package, name in places)
