"""Run the commands of an input, and keep everything that the program says.

The commands of ``run`` are those that a user would type, one after the other, in a folder that holds the
input's tree (``inputs.py``): ``grader``, which reads its answers from a file (``< answers.txt``), ``maze``,
and ``cp`` and ``mv``, which change files between two of them; what visitors of a service do stands there, too
(``service.py``). What is said goes to ``expected/said.txt``; of the files that are written, those that match
the patterns of ``keep`` are kept beside it. ``limits`` lowers some of intake's, by name. Only what differs
between two runs or two machines is replaced.

Two commands are no user's: ``page RESULTS LANGUAGE`` shows the page of kept results, with ``--script`` also
what its script may say; ``tab REQUEST`` asks what the lab in a browser tab asks of Python, where ``zip``
names a file.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import datetime
import getpass
import html
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from email.message import Message
from functools import partial
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any
from unittest import mock

import yaml

import lab
from grader.batch import change_detection
from grader.cli import main
from grader.exercises.kit.folders.code import know
from grader.feedback import render_html
from grader.intake import Caps, bulk_download, selection
from lab import cli, worker
from lab.commands import submit, tab
from tests.golden.inputs import ROOT, build

HERE = Path(__file__).parent
INPUTS = sorted(path.parent.relative_to(HERE).as_posix() for path in HERE.glob("*/*/input.yaml"))
"""All inputs, as ``kind/name``."""
_SETTINGS = {
    "COLUMNS": "100",
    "LC_ALL": "C.UTF-8",
    "LANGUAGE": "C",
    "LOGNAME": "grace",
    "MAZE_TOKEN": "",
    "NO_COLOR": "1",
    "PYTHONPATH": str(ROOT),
    "TZ": "UTC",
}
"""The environment of every command, on top of the machine's: what a user may set shows nowhere."""


_HOMES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
"""Variables by which the students' command has a home of its own, in which it remembers."""


def outputs_of(name: str) -> dict[str, str]:
    """Return everything that the program says to an input, by the path of the file that holds it."""
    settings = yaml.safe_load((HERE / name / "input.yaml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="golden-") as made:
        folder = Path(made).resolve() / "lab"
        build(settings, folder)
        folder.mkdir(exist_ok=True)
        with _environment(folder), _limits(settings.get("limits", {})), _playing(settings, folder) as play:
            found = {"said.txt": "\n".join(map(play, settings["run"]))}
        for pattern in settings.get("keep", ()):
            paths = sorted(path for path in folder.glob(pattern) if path.is_file())
            assert paths, f"{name}: no file is called {pattern}\n{found['said.txt']}"
            found |= dict(_kept(path, path.relative_to(folder).as_posix()) for path in paths)
        return {path: _normalised(text, folder) for path, text in found.items()}


def expected_of(name: str) -> dict[str, str]:
    """Return the golden files of an input."""
    folder = HERE / name / "expected"
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def write(name: str) -> list[str]:
    """Write the golden files of an input anew, and return which have changed."""
    folder = HERE / name / "expected"
    before, after = expected_of(name), outputs_of(name)
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    for path in changed:
        (folder / path).unlink(missing_ok=True)
        if path in after:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(after[path], encoding="utf-8", newline="\n")
    return [str((folder / path).relative_to(ROOT)) for path in changed]


@contextlib.contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Run in the folder, at a clock, a language and a width that are the same everywhere, with Ctrl-C."""
    interrupted = signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it was ignored
    try:
        now = time.time_ns()
        trusting_none = mock.patch.object(
            change_detection, "FRESH_NS", now
        )  # each file is read, however fast
        with mock.patch.dict(os.environ, _SETTINGS), contextlib.chdir(folder), trusting_none:
            know(())  # no exercises but the lab's, until a rubric brings some
            time.tzset()
            yield
    finally:
        time.tzset()
        signal.signal(signal.SIGINT, interrupted)


@contextlib.contextmanager
def _playing(settings: Mapping[str, Any], folder: Path) -> Iterator[Callable[[str], str]]:
    """Yield what plays a step: a command or, where a service is described, one of its visitors."""
    run = partial(_run, answering=_Answering(settings.get("service", ())))
    if "serve" not in settings:
        yield run
        return
    from tests.golden.service import STEP, Service

    with Service(settings["serve"], folder, visible_text) as played:
        yield lambda step: played.play(step) if STEP.fullmatch(step) else run(step)


@contextlib.contextmanager
def _limits(lower: Mapping[str, int]) -> Iterator[None]:
    """Lower what intake reads at most, so that an input that goes beyond it can be small."""
    with contextlib.ExitStack() as stack:
        for module in (bulk_download, selection):
            for name in lower.keys() & vars(module):
                stack.enter_context(mock.patch.object(module, name, lower[name]))
        defaults = tuple(lower.get(each.name, each.default) for each in dataclasses.fields(Caps))
        stack.enter_context(mock.patch.object(Caps.__init__, "__defaults__", defaults))
        yield


def _run(command: str, answering: _Answering) -> str:
    """Return a command with what it prints, errors last, and its exit status where that is not 0."""
    words = shlex.split(command)
    programs: dict[str, Callable[[Sequence[str]], tuple[int, str, str]]]
    programs = {
        "grader": partial(_call, main),
        "maze": partial(_maze, answering),
        "cp": partial(_change_file, shutil.copyfile),
        "mv": partial(_change_file, shutil.move),
        "page": _page,
        "tab": _tab,
    }
    place = next(place for place, word in enumerate(words) if word in programs)
    homes = dict.fromkeys(_HOMES, str(Path.cwd() / ".home")) if words[place] == "maze" else {}
    with mock.patch.dict(os.environ, homes | dict(word.split("=", 1) for word in words[:place])):
        status, output, errors = programs[words[place]](words[place + 1 :])
    ended = f"[exit status {status}]\n" if status else ""
    return f"$ {command}\n{output}{errors}{ended}"


def _call(called: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> tuple[int, str, str]:
    """Run a command in this process, where plans are made once; a file may hold what is typed."""
    typed, output, errors = io.StringIO(), io.StringIO(), io.StringIO()
    if "<" in arguments:
        *arguments, _, answers = arguments
        typed = io.StringIO(Path(answers).read_text(encoding="utf-8"))
    with (
        mock.patch.object(sys, "stdin", typed),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        mock.patch.object(getpass, "getpass", side_effect=EOFError),
    ):
        try:
            status = called(arguments)
        except SystemExit as wrong_usage:
            status = int(wrong_usage.code or 0)
    return status, output.getvalue(), errors.getvalue()


def _maze(answering: _Answering, arguments: Sequence[str]) -> tuple[int, str, str]:
    """Run the students' command, in a process of its own if it loads their code here, or if it is the one of
    a kit that lies in the folder."""
    kit = Path("kit/mazes-lab")
    if kit.is_dir() or _loads_code(*arguments):
        lab_at = {"PYTHONPATH": str(kit.resolve())} if kit.is_dir() else {}
        done = subprocess.run(
            [sys.executable, "-P", "-m", "lab.cli", *arguments],
            env={**os.environ, **lab_at},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout, done.stderr
    asks_at_once = mock.patch.dict(submit.submit.__kwdefaults__, pause=lambda _: None)
    know(())
    with mock.patch.object(submit, "_OPENER", answering), asks_at_once:
        return _call(cli.main, arguments)


def _loads_code(command: str, *options: str) -> bool:
    """Tell whether a maze command loads students' code in its own process, or lets it print there."""
    return command in {"solve", "race", "perfect", "gallery", "trace"} or bool(
        {"mine", "--solution"} & {*options}
    )


class _Answering:
    """Answers maze submit as the service of a course would: with ``service`` of the input, one by one."""

    def __init__(self, answers: Iterable[dict[str, Any] | int]) -> None:
        self._answers = iter(answers)

    def open(self, request: urllib.request.Request, timeout: float) -> IO[bytes]:
        """Give the next answer: one in JSON, or an error, which is a number."""
        del timeout
        answer = next(self._answers, 503)
        content = io.BytesIO(json.dumps(answer).encode())
        status = answer if isinstance(answer, int) else answer.get("status", 200)
        if status == 200:
            return content
        raise urllib.error.HTTPError(request.full_url, status, HTTPStatus(status).phrase, Message(), content)


def _page(arguments: Sequence[str]) -> tuple[int, str, str]:
    file, language, *options = arguments
    page = render_html(json.loads(Path(file).read_bytes()), language=language)
    return 0, visible_text(page) + (_words_of_script(page) if options else ""), ""


def _tab(arguments: Sequence[str]) -> tuple[int, str, str]:
    request = {"files": {}, "ended": [], **json.loads(arguments[0])}
    contents = {name: Path(name).read_bytes() for name in request.get("given", ())}
    request["given"] = {name: base64.b64encode(content).decode() for name, content in contents.items()}
    know(())
    with mock.patch.object(worker, "on_look"):
        return 0, tab.answer(json.dumps(request), lambda _: None, Path(".tab").resolve()) + "\n", ""


def _change_file(change: Callable[[str, str], object], arguments: Sequence[str]) -> tuple[int, str, str]:
    source, target = arguments
    change(source, target)
    return 0, "", ""


def _kept(path: Path, name: str) -> tuple[str, str]:
    """Return under which name a file is kept, and its text."""
    if path.suffix == ".html":
        page = _SECONDS.sub(r"\1…", path.read_text(encoding="utf-8"))
        return f"{name}.txt", visible_text(page)
    if path.suffix == ".zip":
        return f"{name}.txt", "".join(f"{each}\n" for each in sorted(zipfile.ZipFile(path).namelist()))
    if path.name in ("results.json", "staff.json"):
        results: dict[str, Any] = json.loads(path.read_bytes())
        del results["timing"]
        results.pop("margins", None)  # a call that takes 0.02 s is told, and takes longer on a busy machine
        return name, _as_lines(results)
    return name, path.read_bytes().decode().replace("\r\n", "\n")


def _as_lines(value: Any) -> str:
    """Write plain data as JSON, a line for each entry, but a part that holds no mapping on one line."""

    def write(value: Any, indent: str) -> str:
        deeper = f"{indent} "
        parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        is_deep = isinstance(value, Mapping) and any(isinstance(part, list) and part for part in parts)
        if not is_deep and not any(isinstance(part, Mapping) for part in parts):
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, Mapping):
            inner = [f"{json.dumps(key)}: {write(part, deeper)}" for key, part in value.items()]
        else:
            inner = [write(part, deeper) for part in value]
        opened, closed = "{}" if isinstance(value, Mapping) else "[]"
        return f"{opened}\n{deeper}" + f",\n{deeper}".join(inner) + f"\n{indent}{closed}"

    return write(value, "") + "\n"


_SECONDS = re.compile(r'(data-label="Seconds"[^>]*>)[\d.]+')
"""How long a submission took, on the page of a class."""


class _Visible(HTMLParser):
    """Collects the texts and labels of a page, without scripts, styles and what stands in drawings."""

    _SKIPPED = frozenset({"script", "style", "template", "text"})
    _LABELS = ("aria-label", "data-too-large", "data-folder", "data-sending")
    """What is read aloud, or shown by a script."""
    _INLINE = frozenset(
        {"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "small", "span", "strong", "time"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped += tag in self._SKIPPED
        if tag not in self._INLINE:
            self.pieces.append("\n")
        labels = dict(attrs)
        self.pieces += [f"[{labels[name]}] " for name in self._LABELS if labels.get(name)]

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in self._SKIPPED
        if tag not in self._INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.pieces.append(data)


def visible_text(page: str) -> str:
    """Return the texts of a page, a line for each block."""
    parser = _Visible()
    parser.feed(page)
    lines = (line.rstrip() for line in "".join(parser.pieces).splitlines())
    return "".join(f"{line}\n" for line in lines if line.strip())


def _words_of_script(page: str) -> str:
    """Return what the script of a page may say, a line for each text."""
    body = re.search("<body [^>]*>", page)
    assert body
    found = re.findall(r' data-([a-z-]+)="([^"]*)"', body[0]) + re.findall(
        r' data-(both|none)="([^"]*)"', page
    )
    return "".join(f"{name}: {html.unescape(words)}\n" for name, words in dict.fromkeys(found))


def _normalised(text: str, folder: Path) -> str:
    """Replace what differs between runs: paths, versions, today's date, durations and the time left."""
    text = (
        text.replace(str(folder), "FOLDER").replace(str(ROOT), "PROJECT").replace(lab.__version__, "VERSION")
    )
    today = datetime.datetime.now(tz=datetime.UTC).date()
    days = "|".join(str(today - datetime.timedelta(days=n)) for n in (0, 1))
    text = re.sub(rf"(?:{days})[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?", "NOW", text)
    ahead = "|".join(str(today + datetime.timedelta(days=n)) for n in (27, 28, 29))
    text = re.sub(rf"(?<=deadline: )(?:{ahead})T23:59:00[+-]\d\d:\d\d", "IN-FOUR-WEEKS", text)
    text = re.sub(r"^\[ *\d+/\d+\] [^\n]*\d (?:s|min|h) left\b[^\n]*\n", "", text, flags=re.MULTILINE)
    text = re.sub(rf"{re.escape(tempfile.gettempdir())}/maze-grader-\w+", "TEMPORARY", text)
    text = re.sub(r"\(Python 3\.\d+\)", "(Python 3.…)", text)
    return re.sub(r'\d+\.\d(?= s$)|(?<= time=")\d+\.\d+', "…", text, flags=re.MULTILINE)
