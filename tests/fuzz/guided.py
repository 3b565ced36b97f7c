"""One target, fed with inputs that reach more and more of it: ``guided TARGET SECONDS FOLDER``.

atheris notes which lines and comparisons of the grader an input reaches, and libFuzzer changes the inputs
that reach new ones. The folder keeps those (``inputs``), and what was found (``found``).
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import atheris

WATCHED: Final = ["grader", "lab", "yaml", "zipfile", "tarfile"]
LONGEST: Final = 4096
"""The most bytes of an input."""
SLOW_SECONDS: Final = 10.0
"""So much of a processor's time for one input is a find,"""
SLOW_FLOODS: Final = 60.0
"""but for a flood: a whole exercise, judged, explained and shown, in code that atheris has changed."""
STUCK_SECONDS: Final = 120
"""So does an input that is not done by then, on however busy a machine."""
MEMORY_MIB: Final = 2048
_WORD: Final = re.compile(rb"[A-Za-z_][A-Za-z_0-9-]{2,24}")


class TooSlow(Exception):  # noqa: N818 - named after what happened
    """An input took more of a processor's time than any should."""


def main(name: str, seconds: str, folder: str) -> None:
    """Look for inputs on which the target raises, is slow, stuck, or takes too much memory."""
    with atheris.instrument_imports(include=WATCHED):
        from tests.fuzz.registry import CORPUS, TARGETS, kept
    target, work = TARGETS[name], Path(folder)
    for each in ("inputs", "found"):
        (work / each).mkdir(parents=True, exist_ok=True)
    known = [path.read_bytes() for path in kept(name)]
    for data in known:  # what is made once only takes its time here
        target(data)
    words = work / "words"
    words.write_text(_words(known), encoding="ascii")
    options = [
        f"-max_total_time={seconds}",
        f"-timeout={STUCK_SECONDS}",
        f"-rss_limit_mb={MEMORY_MIB}",
        f"-max_len={LONGEST}",
        *([f"-dict={words}"] if words.stat().st_size else []),  # libFuzzer takes no empty one
        f"-artifact_prefix={work}/found/",
        "-print_final_stats=1",
        *(["-seed=1"] if os.environ.get("CI") else []),  # the same inputs each time, as far as the time goes
    ]
    atheris.Setup(
        [name, *options, f"{work}/inputs", f"{CORPUS / name}"],
        _limited(target, work / "found", SLOW_FLOODS if name == "floods" else SLOW_SECONDS),
    )
    atheris.Fuzz()


def _limited(target: Callable[[bytes], None], found: Path, slow: float) -> Callable[[bytes], None]:
    """The target with a limit of its own for the time of a processor, which no other program can use up; what
    it raises on is kept first of all, under the name that libFuzzer has for it."""

    def one(data: bytes) -> None:
        began = time.process_time()
        try:
            target(data)
            took = time.process_time() - began
            if took > slow:
                raise TooSlow(f"{took:.1f} seconds for {len(data)} bytes")
        except Exception:
            found.joinpath(f"crash-{hashlib.sha1(data, usedforsecurity=False).hexdigest()}").write_bytes(data)
            raise

    return one


def _words(known: list[bytes]) -> str:
    """The words of the inputs that are kept, for new inputs to be made of."""
    found = {word for data in known for word in _WORD.findall(data)}
    return "".join(f'"{word.decode("ascii")}"\n' for word in sorted(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
