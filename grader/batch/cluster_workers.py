"""Choose the workers of a cluster that may grade: those with the same versions as here and a working sandbox.

Other versions draw other cases, and without a sandbox there is no mark. Each worker is asked once, by a task
that is bound to it: a worker that never answers delays nobody, and gets no work. Workers that are left out
are reported in one line per reason.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import hypothesis

from grader.batch.job import sources_digest
from grader.errors import SandboxError
from grader.sandbox.probe import BACKENDS
from grader.text import visible

RPC_SECONDS: Final = 10.0
"""How long the scheduler, or a worker with an answer, may take to send it."""
_NONE: Final = "no sandbox"
_MOST_CHARACTERS: Final = 80
"""A version that a worker reports is shown up to 80 characters."""


def versions() -> dict[str, str]:
    """Return the versions of everything that affects which cases are drawn and what is said about them."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {"grader": sources_digest(), "Python": python, "hypothesis": hypothesis.__version__}


def describe_worker(sandbox: str) -> dict[str, str]:
    """Return the versions and the sandbox of the worker on which this runs."""
    try:
        works = BACKENDS[sandbox]().probe().works
    except (KeyError, SandboxError):
        works = False
    return {**versions(), "sandbox": sandbox if works else _NONE}


class EligibleWorkers:
    """The workers of a Dask client that may grade in a given sandbox."""

    def __init__(self, client: Any, sandbox: str, tell: Callable[[str], None]) -> None:
        self._client, self._sandbox, self._tell = client, sandbox, tell
        self._expected = {**versions(), "sandbox": sandbox}
        self._asked: dict[str, Any] = {}
        self._left_out: set[str] = set()
        self._reported: set[str] = set()
        self.fit: frozenset[str] = frozenset()
        """Their addresses at the last refresh."""

    def refresh(self) -> frozenset[str]:
        """Return the addresses of eligible workers that are connected now, after asking new ones.

        Raises Dask's exceptions if the scheduler is gone.
        """
        there = frozenset(self._client.nthreads(callback_timeout=RPC_SECONDS))
        self._asked = {address: task for address, task in self._asked.items() if address in there}
        self._left_out &= there
        for address in sorted(there - self.fit - self._left_out - self._asked.keys()):
            self._asked[address] = self._client.submit(
                describe_worker, self._sandbox, workers=[address], allow_other_workers=False, pure=False
            )
        answered = [address for address, task in self._asked.items() if task.done()]
        wrong = {address: self._what_is_wrong(self._asked.pop(address)) for address in answered}
        self._left_out |= {address for address, reason in wrong.items() if reason}
        self.fit = (self.fit & there) | {address for address, reason in wrong.items() if not reason}
        for address, reason in wrong.items():
            self._say(address, reason)
        return self.fit

    def _what_is_wrong(self, task: Any) -> str:
        """Return how a worker differs from this machine; empty if it does not."""
        try:
            found: object = task.result(timeout=RPC_SECONDS)
        except Exception as error:  # noqa: BLE001 - an older grader knows no such task, or there is none
            return f"it has another version of the grader, or none ({type(error).__name__})"
        return difference(found, self._expected)

    def _say(self, address: str, reason: str) -> None:
        if reason and reason not in self._reported:
            self._reported.add(reason)
            self._tell(f"a worker is left out, and so are all like it ({visible(address)}): {reason}")


def difference(found: object, expected: Mapping[str, str]) -> str:
    """Return how a worker's versions differ from the expected ones; empty if they are equal."""
    has = found if isinstance(found, dict) else {}
    for name, value in expected.items():
        other = has.get(name)
        if other != value:
            said = visible(str(other), limit=_MOST_CHARACTERS, one_line=True)
            return {
                "grader": "it has another version of the grader: install the same everywhere",
                "sandbox": f"{value} does not work there: see grader doctor on that machine",
            }.get(name, f"it has {name} {said}, not {value}: install the same everywhere")
    return ""
