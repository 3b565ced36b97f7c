"""Feed one target with inputs that reach more and more of it: ``guided TARGET SECONDS FOLDER``.

atheris records which lines and comparisons of the grader an input reaches, and libFuzzer changes inputs to
reach new ones. The folder keeps those (``inputs``), and the findings (``found``).
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
"""An input that takes this much processor time is a finding,"""
SLOW_TIMES: Final = 4
"""unless that is less than this many times what the slowest kept input takes in the same run."""
STUCK_SECONDS: Final = 600
"""So is an input that has not ended by then, on however busy a machine."""
MEMORY_MIB: Final = 2048
_WORD: Final = re.compile(rb"[A-Za-z_][A-Za-z_0-9-]{2,24}")


class TooSlow(Exception):  # noqa: N818 - named after what happened
    """An input took too much processor time."""


def main(name: str, seconds: str, folder: str) -> None:
    """Search for inputs on which the target raises, is slow, gets stuck, or takes too much memory."""
    with atheris.instrument_imports(include=WATCHED):
        from tests.fuzz.registry import CORPUS, TARGETS, kept
    target, work = TARGETS[name], Path(folder)
    for each in ("inputs", "found"):
        (work / each).mkdir(parents=True, exist_ok=True)
    known = [path.read_bytes() for path in kept(name)]
    slowest = max((_took(target, data) for data in known), default=0.0)  # also builds what is cached
    words = work / "words"
    words.write_text(_words(known), encoding="ascii")
    options = [
        f"-max_total_time={seconds}",
        f"-timeout={STUCK_SECONDS}",
        f"-rss_limit_mb={MEMORY_MIB}",
        f"-max_len={LONGEST}",
        *([f"-dict={words}"] if words.stat().st_size else []),  # libFuzzer accepts no empty one
        f"-artifact_prefix={work}/found/",
        "-print_final_stats=1",
        # in CI the same inputs each time, as far as the time allows
        *(["-seed=1"] if os.environ.get("CI") else []),
    ]
    atheris.Setup(
        [name, *options, f"{work}/inputs", f"{CORPUS / name}"],
        _limited(target, work / "found", max(SLOW_SECONDS, SLOW_TIMES * slowest)),
    )
    atheris.Fuzz()


def _took(target: Callable[[bytes], None], data: bytes) -> float:
    """Return the seconds of this process's own time, which no other program can use up."""
    began = time.process_time()
    target(data)
    return time.process_time() - began


def _limited(target: Callable[[bytes], None], found: Path, slow: float) -> Callable[[bytes], None]:
    """Return the target with a limit on its processor time.

    An input on which it raises is saved first, under libFuzzer's name for it.
    """

    def one(data: bytes) -> None:
        try:
            if (took := _took(target, data)) > slow:
                raise TooSlow(f"{took:.1f} seconds for {len(data)} bytes")
        except Exception:
            found.joinpath(f"crash-{hashlib.sha1(data, usedforsecurity=False).hexdigest()}").write_bytes(data)
            raise

    return one


def _words(known: list[bytes]) -> str:
    """Return the words of the kept inputs, from which new inputs are made."""
    found = {word for data in known for word in _WORD.findall(data)}
    return "".join(f'"{word.decode("ascii")}"\n' for word in sorted(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
