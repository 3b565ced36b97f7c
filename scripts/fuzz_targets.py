"""Feed the targets of ``tests/fuzz`` with new inputs: ``scripts/fuzz_targets.py [SECONDS [TARGET …]]``.

Each target gets that many seconds, two targets at a time. Findings are saved, and printed with the command
that tries them again. Exit status 1 if something was found.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "fuzz"
AT_ONCE = 2
NEEDED = "atheris is to be had for Linux on x86-64 with Python 3.11, 3.12 or 3.13 only, and is not here"
_COUNT = re.compile(r"stat::number_of_executed_units: (\d+)")


def main(seconds: str = "600", *names: str) -> int:
    """Fuzz all targets, or the named ones; return the exit status."""
    known = targets()
    if unknown := sorted({*names} - {*known}):
        sys.exit(f"expected targets among {', '.join(known)}; got {', '.join(unknown)}")
    if find_spec("atheris") is None:
        print(f"Not fuzzed, since {NEEDED}: {', '.join(names or known)}.")
        return 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(partial(fuzz, seconds=int(seconds)), names or known))
    return int(any(found))


def targets() -> Collection[str]:
    """Return the names of all targets."""
    sys.path.insert(0, str(ROOT))
    from tests.fuzz.registry import TARGETS

    return TARGETS


def environment() -> dict[str, str]:
    """Return a target's environment; in CI with fixed hashes, so that inputs are the same each time."""
    return {**os.environ, "PYTHONHASHSEED": "0"} if os.environ.get("CI") else {**os.environ}


def fuzz(name: str, *, seconds: int, work: Path = WORK) -> bool:
    """Fuzz one target, and print the result; return whether something was found."""
    folder = work / name
    folder.mkdir(parents=True, exist_ok=True)
    before = {*folder.glob("found/*")}
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(seconds), str(folder)]
    with (folder / "log").open("wb") as log:
        status = subprocess.run(
            command, cwd=ROOT, env=environment(), stdout=log, stderr=log, check=False
        ).returncode
    if status == 0:
        counts = _COUNT.findall((folder / "log").read_text(encoding="utf-8", errors="replace"))
        print(f"{name}: {int(counts[-1]) if counts else 0:,} inputs, and nothing was found", flush=True)
        return False
    lines = [f"{name}: something was found (status {status}); {folder / 'log'} tells what. To try it again:"]
    lines += [
        f"  {sys.executable} -m tests.fuzz {name} {path}"
        for path in sorted({*folder.glob("found/*")} - before) or [folder / "found" / "*"]
    ]
    print("\n".join(lines), flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
