"""Grade every submission of ``tests/submissions``, or compare what two such runs found.

    python scripts/corpus.py grade OUT [KIND/NAME ...] [--sandbox bubblewrap] [--jobs 2]
    python scripts/corpus.py compare BEFORE AFTER

``grade`` runs ``grader batch`` over the corpus. ``compare`` lists each submission whose results.json
is not the same, byte for byte, apart from the keys under ``timing``; exit status 1 where there is one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.submissions.loader import cases


def main() -> int:
    """Run the command that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    grade = commands.add_parser("grade", help="grade the corpus into a folder")
    grade.add_argument("out", type=Path)
    grade.add_argument("only", nargs="*", metavar="KIND/NAME", help="patterns such as wrong/bfs-*")
    grade.add_argument("--sandbox", default="bubblewrap")
    grade.add_argument("--jobs", default="2")
    grade.set_defaults(run=_grade)
    compare = commands.add_parser("compare", help="list what differs between two folders")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    compare.set_defaults(run=_compare)
    options = parser.parse_args()
    return int(options.run(options))


def _grade(options: argparse.Namespace) -> int:
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
        command = [sys.executable, "-m", "grader", "batch", folder, "--out", str(options.out), "--quiet"]
        return subprocess.call([*command, "--sandbox", options.sandbox, "--jobs", options.jobs])


def _compare(options: argparse.Namespace) -> int:
    before, after = _results(options.before), _results(options.after)
    different = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    for name in different:
        print(name)
        for line in _differences("", before.get(name), after.get(name)):
            print("   ", line)
    print(f"{len({*before, *after})} submissions, {len(different)} with differences")
    return 1 if different else 0


def _results(folder: Path) -> dict[str, Any]:
    """The results by submission, without what the clock decides and the folder's own name."""
    found = {}
    for path in sorted(folder.glob("*/results.json")):
        results = json.loads(path.read_bytes())
        results.pop("timing", None)
        found[path.parent.name] = results
    return found


def _differences(where: str, before: Any, after: Any) -> Iterator[str]:
    """The places in which two trees of JSON differ, a line each."""
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
