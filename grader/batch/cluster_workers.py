"""Which workers of a cluster may grade: those that have what is here.

Another version draws other cases, and where no sandbox works there is no mark. A worker is asked once, by a
task that only it may do, so that one that never answers holds up nobody: it is given no work. Who is left out
is told in a line, once for all that are left out for the same reason.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import hypothesis

from grader.batch.job import sources_digest
from grader.errors import SandboxError
from grader.sandbox.registry import BACKENDS
from grader.text import visible

RPC_SECONDS: Final = 10.0
"""How long the scheduler, or a worker that has an answer, may take to tell it."""
_NONE: Final = "no sandbox"
_WORDS: Final = 80


def version() -> dict[str, str]:
    """All that decides which cases are drawn, and what is said about them."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {"grader": sources_digest(), "Python": python, "hypothesis": hypothesis.__version__}


def about(sandbox: str) -> dict[str, str]:
    """What a worker has, told by itself."""
    try:
        works = BACKENDS[sandbox]().probe().works
    except (KeyError, SandboxError):
        works = False
    return {**version(), "sandbox": sandbox if works else _NONE}


class EligibleWorkers:
    """The workers of a client that may grade in a sandbox."""

    def __init__(self, client: Any, sandbox: str, tell: Callable[[str], None]) -> None:
        self._client, self._sandbox, self._tell = client, sandbox, tell
        self._expected = {**version(), "sandbox": sandbox}
        self._asked: dict[str, Any] = {}
        self._left_out: set[str] = set()
        self._told: set[str] = set()
        self.fit: frozenset[str] = frozenset()
        """As they were when they were looked for last."""

    def look(self) -> frozenset[str]:
        """The addresses of those that are there now. Raises what Dask does where the scheduler is gone."""
        there = frozenset(self._client.nthreads(callback_timeout=RPC_SECONDS))
        self._asked = {address: task for address, task in self._asked.items() if address in there}
        self._left_out &= there
        for address in sorted(there - self.fit - self._left_out - self._asked.keys()):
            self._asked[address] = self._client.submit(
                about, self._sandbox, workers=[address], allow_other_workers=False, pure=False
            )
        answered = [address for address, task in self._asked.items() if task.done()]
        wrong = {address: self._what_is_wrong(self._asked.pop(address)) for address in answered}
        self._left_out |= {address for address, reason in wrong.items() if reason}
        self.fit = (self.fit & there) | {address for address, reason in wrong.items() if not reason}
        for address, reason in wrong.items():
            self._say(address, reason)
        return self.fit

    def _what_is_wrong(self, task: Any) -> str:
        """How a worker differs; empty where it does not."""
        try:
            found: object = task.result(timeout=RPC_SECONDS)
        except Exception as error:  # noqa: BLE001 - an older grader knows no such task, or there is none
            return f"it has another version of the grader, or none ({type(error).__name__})"
        return difference(found, self._expected)

    def _say(self, address: str, reason: str) -> None:
        if reason and reason not in self._told:
            self._told.add(reason)
            self._tell(f"a worker is left out, and so are all like it ({visible(address)}): {reason}")


def difference(found: object, expected: Mapping[str, str]) -> str:
    """In which way what a worker says is not what is here; empty where it is the same."""
    has = found if isinstance(found, dict) else {}
    for name, value in expected.items():
        other = has.get(name)
        if other != value:
            said = visible(str(other), limit=_WORDS, one_line=True)
            return {
                "grader": "it has another version of the grader: install the same everywhere",
                "sandbox": f"{value} does not work there: see grader doctor on that machine",
            }.get(name, f"it has {name} {said}, not {value}: install the same everywhere")
    return ""
