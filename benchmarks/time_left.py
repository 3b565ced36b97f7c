"""What a batch says of the time that is left, beside the time that was left.

    python -m benchmarks.time_left [--count 60] [--sandbox bubblewrap] [--jobs 2]

The class is that of ``benchmarks.batch_class``: right, wrong and looping submissions. The lines are those
that a batch prints into a pipe.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.batch_class import COMMAND, make_class

LEFT = re.compile(r"\[ *(\d+)/(\d+)\] (.* left)\n")
GRADED = re.compile(r"\[ *(\d+)/(\d+)\]")


def main() -> int:
    """Grade a class and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--sandbox", default="bubblewrap")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        submissions, out = Path(folder, "class"), Path(folder, "results")
        list(make_class(submissions, options.count))
        more = ["--sandbox", options.sandbox, "--jobs", str(options.jobs)]
        told, end = record([*COMMAND, str(submissions), "--out", str(out), *more])
    print("| still to grade | told | true |\n| ---: | --- | ---: |")
    for left, words, moment in told:
        print(f"| {100 * left:.0f} % | {words} | {minutes(end - moment)} |")
    return 0


def record(command: list[str]) -> tuple[list[tuple[float, str, float]], float]:
    """Run a batch; return its estimates (share left, words, moment), and when the last one was graded."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = [(line, time.monotonic()) for line in process.stdout or ()]
    return list(_told(lines)), max(moment for line, moment in lines if GRADED.match(line))


def _told(lines: list[tuple[str, float]]) -> Iterator[tuple[float, str, float]]:
    for line, moment in lines:
        if found := LEFT.fullmatch(line):
            yield 1 - int(found[1]) / int(found[2]), found[3], moment


def minutes(seconds: float) -> str:
    """Format a time as minutes and seconds."""
    return f"{seconds // 60:.0f}:{seconds % 60:02.0f}"


if __name__ == "__main__":
    sys.exit(main())
