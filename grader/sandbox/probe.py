"""Choose a back end by trying those available, say which and why, and never silently take a weaker one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from grader.errors import SandboxError
from grader.lazy import LazyFunction
from grader.sandbox.base import Backend, Probe, Protection

# --- registry ---------------------------------------------------------------------------------------
# The back ends, each imported only when it is opened.


AUTO: Final = "auto"
"""Stands for the strongest back end that works here."""

BACKENDS: Final[Mapping[str, Callable[[], Backend]]] = {
    "docker": LazyFunction("grader.sandbox.docker.backend:DockerBackend"),
    "bubblewrap": LazyFunction("grader.sandbox.bubblewrap.backend:BubblewrapBackend"),
    "process": LazyFunction("grader.sandbox.process:ProcessBackend"),
}
"""The back ends, the strongest first: ``auto`` tries them in this order."""

_MARKS: Final = {True: "yes", False: "NO"}
_BROKEN: Final = "BROKEN"
PATIENCE_SECONDS: Final = 60.0
"""How long a failed sandbox may take to work again."""
_PAUSE_SECONDS: Final = 0.5
"""The pause between two tries."""
_LIMITS: Final = ("memory", "processes")
"""Promises without which one submission may end the grading of all."""
_MOST_NAMED: Final = 9
"""How many promises that are not kept the first line of a run names."""

Try = Callable[[Backend, frozenset[str]], Mapping[str, str]]
"""Test the promises of these names; return the broken ones, each with what was observed."""


def choose(name: str = AUTO, *, patience: float = PATIENCE_SECONDS) -> tuple[Backend, str]:
    """Return the named back end, or the strongest that works, and the first line of a run.

    That line says why it was chosen, and which promises it does not keep. A back end that fails temporarily
    gets ``patience`` seconds to work again. Raises SandboxError if the named back end, or every one, does not
    work here.
    """
    if name == AUTO:
        found, probe, choice = _strongest(patience)
        return found, _first_line(choice, probe)
    if name not in BACKENDS:
        raise SandboxError(f"expected one of {', '.join((AUTO, *BACKENDS))} as sandbox, got {name!r}")
    backend = BACKENDS[name]()
    probe = _probe_patiently(backend, patience)
    if not probe.works:
        raise SandboxError(f"the sandbox {name} does not work here: {_why(probe)}")
    return backend, _first_line(f"{name}: asked for by name", probe)


def doctor(try_promises: Try) -> str:
    """Return a table of the back ends and their promises here, after testing these."""
    lines = []
    for make in BACKENDS.values():
        backend = make()
        probe = _probe(backend)
        lines += [f"{probe.backend}: {'works' if probe.works else 'DOES NOT WORK'} - {_why(probe)}"]
        broken = try_promises(backend, frozenset(item.name for item in probe.protections if item.works))
        lines += [_line(item, broken.get(item.name, "")) for item in probe.protections]
        lines += [f"  {_BROKEN}: do not grade others' work with {probe.backend} here"] if broken else []
        lines.append("")
    try:
        lines.append(f"auto takes {_strongest()[2]}")
    except SandboxError as error:
        lines.append(f"auto fails: {error}")
    return "\n".join(lines) + "\n"


def _line(item: Protection, seen: str) -> str:
    """Format one promise: whether it is made here, and whether it was kept in the test."""
    mark = _BROKEN if seen else _MARKS[item.works]
    said = seen or item.advice
    return f"  {mark:<7}{item.name:<12} a submission {item.detail}{f'  ({said})' if said else ''}"


def _probe(backend: Backend) -> Probe:
    """Return what a back end can do here; nothing if it is broken in a way that nobody foresaw."""
    try:
        return backend.probe()
    except Exception as error:  # noqa: BLE001 - whatever is broken on this machine, the next one may work
        first = f"{error}".partition("\n")[0]
        return Probe(backend.name, False, f"{type(error).__name__}: {first}")


def _probe_patiently(backend: Backend, patience: float) -> Probe:
    probe = _probe(backend)
    end = time.monotonic() + patience * probe.passing
    while not probe.works and time.monotonic() < end:
        time.sleep(min(_PAUSE_SECONDS, patience))
        probe = _probe(backend)
    return probe


def _strongest(patience: float = 0.0) -> tuple[Backend, Probe, str]:
    """Return the strongest working back end, its probe, and why it was chosen. Raises SandboxError.

    One that drops limits here gives way to a later one that keeps them.
    """
    failures: dict[str, str] = {}
    working: list[tuple[Backend, Probe]] = []
    for name, make in BACKENDS.items():
        backend = make()
        probe = _probe_patiently(backend, patience)
        if probe.works:
            working.append((backend, probe))
            if not _dropped(probe):
                break
        else:
            failures[name] = _why(probe)
    if not working:
        told = "; ".join(f"{name} does not: {why}" for name, why in failures.items())
        raise SandboxError(f"no sandbox works here: {told}")
    backend, probe = min(working, key=lambda pair: len(_dropped(pair[1])))
    do_not = f" ({' and '.join(failures)} {'do' if len(failures) > 1 else 'does'} not)" if failures else ""
    weaker = [each for each in working if each[0] is not backend and _dropped(each[1])]
    less = "".join(f"; {each.name} drops limits here: {', '.join(_dropped(found))}" for each, found in weaker)
    return backend, probe, f"{backend.name}: the strongest that works here{do_not}{less}"


def _dropped(probe: Probe) -> list[str]:
    """Return the names of the limits that a working back end does not keep here."""
    return [item.name for item in probe.protections if item.name in _LIMITS and not item.works]


def _first_line(choice: str, probe: Probe) -> str:
    """Return a short line with the choice and the promises that it does not keep."""
    lost = [item.name for item in probe.protections if not item.works]
    more = [f"{len(lost) - _MOST_NAMED} more"] if len(lost) > _MOST_NAMED else []
    told = f"; not kept here: {', '.join([*lost[:_MOST_NAMED], *more])} (grader doctor tells more)"
    return f"{choice}{told if lost else ''}"


def _why(probe: Probe) -> str:
    return f"{probe.reason}; to get it, {probe.advice}" if probe.advice else probe.reason
