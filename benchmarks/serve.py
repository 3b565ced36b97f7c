"""The night before a deadline: a class hands in to ``grader serve``, and waits for its feedback.

    python -m benchmarks.serve [--students 300] [--minutes 10] [--jobs 1 2 4] [--sandbox docker]

Students come at random moments of the time before the deadline, each with a token of his own; a third of
what they hand in is wrong, and three loop without end. ``feedback`` runs from the moment at which the
upload is on the disk to the row that says that it is graded. All the while one of them, who is signed in,
asks for the first page (``home``) and for that of his attempt (``page``). Memory is the peak of all
processes of the service together, pages that they share counted once; what runs in containers is the
engine's.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

from benchmarks.batch_class import make_class
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, courses, credentials, people
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer

COURSE = "mazes"
COMMAND = [sys.executable, "-c", "import sys; from grader.cli import main; sys.exit(main())", "serve"]
_TOLD = ("home p50, p95", "page p50, p95", "upload p50, p95", "feedback p50, p95")
_LOOKS_ON = 1
"""The number of the first student, who hands in first, and looks at pages."""
_ASKED_SECONDS = 0.5
_LOOK_SECONDS = 1.0


@dataclass
class Seen:
    """The measurements, in seconds and megabytes."""

    uploads: list[float] = field(default_factory=list)
    home: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    peak: float = 0.0


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, nargs="+", default=[2])
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    print(f"{options.students} students in {options.minutes:g} minutes, sandbox {options.sandbox}")
    print(
        f"{'jobs':>4}  {'load':>4}  {'lost':>4}  {'last mark':>9}  {'memory':>7}",
        *(f"{each:>18}" for each in _TOLD),
    )
    for jobs in options.jobs:
        _play(options, jobs)
    return 0


def _play(options: argparse.Namespace, jobs: int) -> None:
    """Play one night, and print its line."""
    with tempfile.TemporaryDirectory() as folder:
        data = DataFolder(Path(folder, "data"))
        keys, cookie = _prepare(data, options.students)
        made = make_class(Path(folder, "class"), len(keys), _mix(len(keys)))
        zips = [_zipped(Path(folder, "class", name)) for name, _ in made]
        command = [*COMMAND, "--data", str(data.folder), "--port", "0", "--jobs", str(jobs)]
        command += ["--sandbox", options.sandbox]
        work = list(zip(keys, zips, strict=True))
        with (
            closing(Store(data.database)) as store,
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process,
        ):
            try:
                url = _address(process)
                threading.Thread(target=_drain, args=(process,), daemon=True).start()
                print(f"{jobs:>4}  {os.getloadavg()[0]:>4.1f}", end="  ", flush=True)
                _measure(options, store, url, work, cookie, process.pid)
            finally:
                process.terminate()
                process.wait()


def _mix(count: int) -> list[str]:
    """Return the kinds of submissions: a third is wrong, and three, a quarter of the night apart, loop."""
    mix = ["right", "right", "wrong"] * count
    for part in (1, 2, 3):
        mix[part * count // 4] = "loop"
    return mix


def _drain(process: subprocess.Popen[str]) -> None:
    """Read what the service prints, which would else wait for that."""
    for _ in process.stdout or ():
        pass


def _prepare(data: DataFolder, count: int) -> tuple[list[str], str]:
    """Fill the folder; return a token for every student, and the cookie of one who looks at pages."""
    data.create()
    store, now = Store(data.database), time.time()
    courses.put(store, COURSE, "Mazes as graphs")
    class_ = [
        people.put(store, Newcomer(COURSE, f"S{n}", "student", "demo", f"S{n}"), now) for n in range(count)
    ]
    found = [credentials.create_token(store, each.id, "benchmark", now) for each in class_]
    cookie, _ = credentials.begin_sign_in(store, class_[0].id, now)
    store.close()
    return found, cookie


def _zipped(folder: Path) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted(folder.rglob("*.py")):
            archive.write(path, path.relative_to(folder))
    return content.getvalue()


def _address(process: subprocess.Popen[str]) -> str:
    for line in process.stdout or ():
        if "Hand in at " in line:
            return line.split()[-1]
    raise SystemExit("the service did not start")


def _measure(
    options: argparse.Namespace,
    store: Store,
    url: str,
    work: Sequence[tuple[str, bytes]],
    cookie: str,
    pid: int,
) -> None:
    seen, over = Seen(), threading.Event()
    looking = threading.Thread(target=_look, args=(url, cookie, partial(_attempt, store), seen, over, pid))
    looking.start()
    rng, begun = random.Random(1), time.time()
    moments = sorted(rng.uniform(0, 60 * options.minutes) for _ in work)
    with ThreadPoolExecutor(32) as threads:
        pairs = zip(moments, work, strict=True)
        sent = list(threads.map(lambda each: _hand_in(url, begun + each[0], each[1], seen), pairs))
    while any(
        each.state in ("unread", "waiting", "running") for each in attempts.list_for_course(store, COURSE)
    ):
        if not looking.is_alive():
            raise SystemExit("the service answers no more")
        time.sleep(_LOOK_SECONDS)
    over.set()
    looking.join()
    _tell(attempts.list_for_course(store, COURSE), sent, seen)


def _attempt(store: Store) -> str:
    """Return the attempt of the student who looks at pages; empty as long as there is none."""
    return next((each.id for each in attempts.list_for_person(store, _LOOKS_ON)), "")


def _hand_in(url: str, moment: float, work: tuple[str, bytes], seen: Seen) -> float:
    """Wait until the moment, and hand in; return when that began."""
    key, content = work
    time.sleep(max(0.0, moment - time.time()))
    started = time.time()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/zip"}
    request = urllib.request.Request(f"{url}/api/submit", content, headers)  # noqa: S310 - of our own
    with urllib.request.urlopen(request, timeout=600) as answer:  # noqa: S310
        answer.read()
    seen.uploads.append(time.time() - started)
    return started


def _look(
    url: str, cookie: str, attempt: Callable[[], str], seen: Seen, over: threading.Event, pid: int
) -> None:
    """Request two pages of a student again and again: the first one and, once there is one, an attempt's."""
    while True:
        id_ = attempt()
        for path, times in (("/", seen.home), *([(f"/attempts/{id_}", seen.pages)] if id_ else [])):
            request = urllib.request.Request(f"{url}{path}", headers={"Cookie": f"session={cookie}"})  # noqa: S310
            started = time.monotonic()
            with urllib.request.urlopen(request, timeout=600) as answer:  # noqa: S310 - of our own
                answer.read()
            times.append(time.monotonic() - started)
        seen.peak = max(seen.peak, _memory(pid))
        if over.wait(_ASKED_SECONDS):
            return


def _memory(pid: int) -> float:
    total = 0.0
    with suppress(psutil.Error):
        service = psutil.Process(pid)
        for process in (service, *service.children()):
            with suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total / 1e6


def _tell(found: Sequence[attempts.Attempt], sent: Sequence[float], seen: Seen) -> None:
    ends = sorted(each.ended or 0.0 for each in found if each.state == "graded")
    waits = [(each.ended or 0.0) - each.at for each in found if each.state == "graded"]
    minutes = (ends[-1] - min(sent)) / 60
    print(f"{len(sent) - len(ends):>4}  {minutes:>7.1f} m  {seen.peak:>4.0f} MB", end=" ")
    for seconds in (seen.home, seen.pages, seen.uploads, waits):
        print(f"{statistics.median(seconds):>8.3f} {_part(sorted(seconds), 0.95):>8.3f} s", end="")
    print(flush=True)


def _part(seconds: Sequence[float], part: float) -> float:
    return seconds[min(len(seconds) - 1, int(part * len(seconds)))]


if __name__ == "__main__":
    sys.exit(main())
