"""A child that is no fork of the runner, but Python started once more: with another seed for its hashes.

In which order a set of strings comes out follows from that seed, which is another one whenever a
student starts a program. The job comes as a line over the descriptor on which the grader's answers come.
"""

from __future__ import annotations

import os
import sys
from binascii import a2b_base64, b2a_base64
from typing import Final, NoReturn

import lab.watch  # noqa: F401 - a fork has it as well
from lab.waits import LOADING

from .child import run
from .child_process import ANSWERS, REPLIES
from .files import ChildJob
from .wire import Budget, Pace, decode, encode

HASH_SEED: Final = "29"
"""Found by trying: most sets of names of moves, however they are written, come out in another order than
they do with the seed 0, which all other processes have."""
_CHUNK_BYTES: Final = 65536


def start(folder: str, replies: int, answers: int) -> NoReturn:
    """Replace the forked process with a newly started Python; its job is to follow."""
    for descriptor in (replies, answers):
        os.set_inheritable(descriptor, True)
    code = f"import sys; sys.path.insert(0, {folder!r}); from inside.fresh_start import main; main()"
    options = sys.orig_argv[1 : sys.orig_argv.index("-c")]
    environment = {**os.environ, "PYTHONHASHSEED": HASH_SEED}
    os.execve(sys.executable, [sys.executable, *options, "-c", code], environment)  # noqa: S606 - itself


def written(job: ChildJob) -> bytes:
    """Return the job as the line that is handed over."""
    files = {path: b2a_base64(content).decode() for path, content in job.files.items()}
    return encode({**job._asdict(), "files": files, "codes": {}, "mark": job.mark.hex()})


def main() -> NoReturn:
    """Read the job and do it."""
    for descriptor in (REPLIES, ANSWERS):
        os.set_inheritable(descriptor, False)
    line = _line()
    told = decode(line, cap=len(line))
    files = {path: a2b_base64(content) for path, content in told["files"].items()}
    for call in told["calls"]:
        call["budget"] = Budget(*call["budget"])
    changed = {"files": files, "pace": Pace(*told["pace"]), "mark": bytes.fromhex(told["mark"])}
    run(ChildJob(**{**told, **changed}), REPLIES, ANSWERS, 2 * LOADING)


def _line() -> bytes:
    line = bytearray()
    while not line.endswith(b"\n"):
        data = os.read(ANSWERS, _CHUNK_BYTES)
        if not data:
            os._exit(1)
        line += data
    return bytes(line)
