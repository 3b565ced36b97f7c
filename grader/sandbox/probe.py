"""Which back end to take: tried for real, chosen in the open, never a weaker one in silence."""

from __future__ import annotations

from typing import Final

from grader.errors import SandboxError
from grader.sandbox.base import Backend, Probe
from grader.sandbox.registry import AUTO, BACKENDS

_MARKS: Final = {True: "yes", False: "NO"}


def probe_all() -> tuple[Probe, ...]:
    """Try every back end here."""
    return tuple(make().probe() for make in BACKENDS.values())


def choose(name: str = AUTO) -> tuple[Backend, str]:
    """Return the back end of that name, or the strongest that works, and why it is this one.

    Raises SandboxError where a back end that was asked for, or every one, does not work here.
    """
    if name == AUTO:
        return _strongest()
    if name not in BACKENDS:
        raise SandboxError(f"expected one of {', '.join((AUTO, *BACKENDS))} as sandbox, got {name!r}")
    backend = BACKENDS[name]()
    probe = backend.probe()
    if not probe.works:
        raise SandboxError(f"the sandbox {name} does not work here: {_why(probe)}")
    return backend, f"{name}: asked for by name; {probe.reason}"


def doctor() -> str:
    """Return a table of the back ends and of what each promises here, for people."""
    lines = []
    for probe in probe_all():
        lines += [f"{probe.backend}: {'works' if probe.works else 'DOES NOT WORK'} - {_why(probe)}"]
        for item in probe.protections:
            advice = f"  ({item.advice})" if item.advice else ""
            lines.append(f"  {_MARKS[item.works]:<4}{item.name:<13}a submission {item.detail}{advice}")
        lines.append("")
    try:
        lines.append(f"auto takes {_strongest()[1]}")
    except SandboxError as error:
        lines.append(f"auto fails: {error}")
    return "\n".join(lines) + "\n"


def _strongest() -> tuple[Backend, str]:
    failures: list[str] = []
    for name, make in BACKENDS.items():
        backend = make()
        probe = backend.probe()
        if probe.works:
            return backend, "; ".join([f"{name}: the strongest that works here", *failures])
        failures.append(f"{name} does not: {_why(probe)}")
    raise SandboxError(f"no sandbox works here: {'; '.join(failures)}")


def _why(probe: Probe) -> str:
    return f"{probe.reason}; to get it, {probe.advice}" if probe.advice else probe.reason
