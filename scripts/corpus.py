"""Grade every submission of ``tests/submissions``, and compare what such runs found.

    python scripts/corpus.py grade OUT [KIND/NAME ...] [--sandbox bubblewrap] [--jobs 2]
    python scripts/corpus.py marks [OUT]
    python scripts/corpus.py compare BEFORE AFTER
    python scripts/corpus.py same OUT [KIND/NAME ...] [--jobs 2]

``grade`` runs ``grader batch`` over the corpus. ``marks`` grades it as tests/grader/test_corpus.py does,
into OUT, where what has not changed is not graded again, and writes the table tests/submissions/marks.txt
anew. ``compare`` lists each submission whose results.json is not the same, byte for byte, apart from the
keys under ``timing``; exit status 1 where there is one.
``same`` shows that only the work decides: it grades in bubblewrap, there again while four loops keep the
machine busy, and in Docker, and compares the three, apart from what names the sandbox.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.submissions.class_run import MARKS, grade_class, results_of, table
from tests.submissions.loader import cases

BUSY_LOOPS = 4
TIMING = ("timing",)
SANDBOX = ("timing", "sandbox", "isolation")
"""Keys that differ between two runs on one sandbox, and on two."""


def main() -> int:
    """Run the subcommand of the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    grade = _grading(commands.add_parser("grade", help="grade the corpus into a folder"), _grade)
    grade.add_argument("--sandbox", default="bubblewrap")
    _grading(commands.add_parser("same", help="grade it three times, and compare"), _same)
    marks = commands.add_parser(
        "marks", help="grade the corpus as the tests do, and write its table of marks"
    )
    marks.add_argument("out", type=Path, nargs="?", default=Path("build/marks"))
    marks.set_defaults(run=_marks)
    compare = commands.add_parser("compare", help="list what differs between two folders")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.set_defaults(run=_compare)
    options = parser.parse_args()
    return int(options.run(options))


def _grading(
    parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser.add_argument("out", type=Path)
    parser.add_argument("only", nargs="*", metavar="KIND/NAME", help="patterns such as wrong/bfs-*")
    parser.add_argument("--jobs", default="2")
    parser.set_defaults(run=run)
    return parser


def _same(options: argparse.Namespace) -> int:
    quiet, busy, docker = (options.out / name for name in ("quiet", "busy", "docker"))
    failed = _grade_into(quiet, options, "bubblewrap")
    with _busy_machine():
        failed |= _grade_into(busy, options, "bubblewrap")
    failed |= _grade_into(docker, options, "docker")
    print("quiet and busy:")
    failed |= _report(_results(quiet, TIMING), _results(busy, TIMING))
    print("bubblewrap and Docker:")
    return failed | _report(_results(quiet, SANDBOX), _results(docker, SANDBOX))


@contextmanager
def _busy_machine() -> Iterator[None]:
    """Keep some processes busy until the block ends."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _grade(options: argparse.Namespace) -> int:
    return _grade_into(options.out, options, options.sandbox)


def _grade_into(out: Path, options: argparse.Namespace, sandbox: str) -> int:
    chosen = [
        case
        for case in cases()
        if not options.only or any(fnmatch(f"{case.kind}/{case.name}", pattern) for pattern in options.only)
    ]
    with tempfile.TemporaryDirectory() as folder:
        for case in chosen:
            target = Path(folder, f"{case.kind}--{case.name}")
            target.mkdir()
            case.materialise(target)
        command = [sys.executable, "-m", "grader", "batch", folder, "--out", str(out), "--quiet"]
        return subprocess.call([*command, "--sandbox", sandbox, "--jobs", options.jobs])


def _marks(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        grade_class(options.out.resolve(), Path(folder))
    MARKS.write_text(table(results_of(options.out, cases())), encoding="utf-8")
    return 0


def _compare(options: argparse.Namespace) -> int:
    return _report(_results(options.before, TIMING), _results(options.after, TIMING))


def _report(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print the differences between two runs; return 1 if there are any."""
    different = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    for name in different:
        print(name)
        for line in _differences("", before.get(name), after.get(name)):
            print("   ", line)
    print(f"{len({*before, *after})} submissions, {len(different)} with differences")
    return 1 if different else 0


def _results(folder: Path, without: tuple[str, ...]) -> dict[str, Any]:
    """Return the results by submission, without some keys."""
    read = {path.parent.name: json.loads(path.read_bytes()) for path in sorted(folder.glob("*/results.json"))}
    return {
        name: {key: value for key, value in results.items() if key not in without}
        for name, results in read.items()
    }


def _differences(where: str, before: Any, after: Any) -> Iterator[str]:
    """Yield a line for each difference between two JSON trees."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _differences(f"{where}.{key}", before.get(key), after.get(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            name = one["id"] if isinstance(one, dict) and "id" in one else number
            yield from _differences(f"{where}[{name}]", one, other)
    elif before != after:
        yield f"{where}: {_short(before)} -> {_short(after)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:160] + "…"


if __name__ == "__main__":
    sys.exit(main())
