"""The files of a submission, compiled once for all children of its box.

Theory of operation. To compile runs none of the submission's code, but may take long, need much memory, or
end the interpreter. So a process of its own does it and hands over what it made, in the form of Python's own
``.pyc`` files. What it did not come to, a child compiles when it imports it, with the same result.
"""

from __future__ import annotations

import gc
import marshal
import os
import resource
import select
import signal
import sys
import warnings
from collections.abc import Mapping
from time import monotonic
from types import CodeType
from typing import Final

from .files import ROOT, Codes, Loader
from .limits import RECURSION_LIMIT

MOST_BYTES: Final = 64 * 1024
"""Files of 64 KB in all are compiled ahead, the smallest first."""
_CPU_SECONDS: Final = 1
_WALL_SECONDS: Final = 5.0
_CHUNK: Final = 65536


def compiled_ahead(files: Mapping[str, bytes]) -> Codes:
    """Return the code of the files that compile without a warning; none at all where compiling goes wrong."""
    some = _smallest(files)
    if not some:
        return {}
    source, sink = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            _compile(some, sink)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(sink)
    made = _read(source)
    os.close(source)
    if made is None:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if made is None or status:
        return {}
    codes: list[CodeType | None] = marshal.loads(made)  # noqa: S302 - written before any line of the submission ran
    return {each: code for each, code in zip(some, codes, strict=True) if code is not None}


def _smallest(files: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    """Return the smallest Python files, as long as there is room, with the paths to import them by."""
    chosen, left = [], MOST_BYTES
    for path, content in sorted(files.items(), key=lambda file: (len(file[1]), file[0])):
        left -= len(content)
        if path.endswith(".py") and left >= 0:
            chosen.append((f"{ROOT}/{path}", content))
    return chosen


def _compile(files: list[tuple[str, bytes]], sink: int) -> None:
    """Compile the files in a process of its own, and write the results to ``sink``."""
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    gc.disable()  # it would look at all that the process was forked with
    # a child's: code too deep to be walked through has no turns counted
    sys.setrecursionlimit(RECURSION_LIMIT)
    warnings.simplefilter("error")  # where there is something to say, each child has to say it
    view = memoryview(marshal.dumps([_code(path, content) for path, content in files]))
    while view:
        view = view[os.write(sink, view) :]


def _code(path: str, content: bytes) -> CodeType | None:
    try:
        return Loader(path, content).get_code()
    except Exception:  # noqa: BLE001 - a child is told of it when it imports the file
        return None


def _read(source: int) -> bytes | None:
    """Return all that is written; None where that takes too long."""
    deadline, made = monotonic() + _WALL_SECONDS, bytearray()
    poll = select.poll()
    poll.register(source, select.POLLIN)
    while poll.poll(max(0.0, deadline - monotonic()) * 1000):
        data = os.read(source, _CHUNK)
        if not data:
            return bytes(made)
        made += data
    return None
