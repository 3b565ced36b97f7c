"""What a runner takes away from itself before it listens; goes into the box with it.

Theory of operation: no line of a submission has come in yet, so the process can still be trusted
to lock itself in, and none of it can be undone: limits are lowered with their ceilings, the rest is
one-way by the kernel's design. Whatever is asked for and cannot be done raises, and no runner
starts. Back ends that do the same from outside ask for less.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Mapping
from typing import Any, Final

_SET_DEATH_SIGNAL, _SET_DUMPABLE, _DROP_BOUND, _SET_SECCOMP = 1, 4, 24, 22
_SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 36, 38
_FILTER: Final = 2
_CAPABILITIES_VERSION: Final = 0x20080522
_LAST_CAPABILITY: Final = 63


def lock_in(rules: Mapping[str, Any]) -> None:
    """Lock this process in.

    ``forget``: names of the environment; ``limits``: ceilings by the name of the resource ("NPROC");
    ``parent``: the process to die with;
    ``no_capabilities``; ``no_new_privileges``; ``files``: the only files left, as
    {"read": [path, ...], "write": [path, ...]}; ``hide``: the names in / of which nothing but ``read``
    is left, where Landlock is there; ``filter``: refuse what seccomp.py lists (both need
    ``no_new_privileges``).
    """
    for name in rules.get("forget", ()):
        os.environ.pop(name, None)
    for name, value in rules.get("limits", {}).items():
        _limit(getattr(resource, f"RLIMIT_{name}"), value)
    if "parent" in rules:
        _die_with(rules["parent"])
    if rules.get("no_capabilities"):
        _drop_capabilities()
    if rules.get("no_new_privileges"):
        _control(_SET_NO_NEW_PRIVILEGES, 1)
    _leave_files(rules)
    if rules.get("filter"):
        from .seccomp import program

        load_filter(program())


def make_undumpable() -> None:
    """Keep other processes of the same user out of this one's memory."""
    _control(_SET_DUMPABLE, 0)


def become_subreaper() -> None:
    """Become the parent of every orphan below this process."""
    _control(_SET_SUBREAPER, 1)


def _limit(which: int, value: int) -> None:
    _, ceiling = resource.getrlimit(which)
    value = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
    resource.setrlimit(which, (value, value))


def _die_with(parent: int) -> None:
    """Ask to be killed when the parent ends, then check whether it has ended already."""
    _control(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _drop_capabilities() -> None:
    import ctypes
    import struct

    from .landlock import LIBC

    for capability in range(_LAST_CAPABILITY + 1):
        LIBC.prctl(_DROP_BOUND, capability, 0, 0, 0)  # those that the kernel does not know: an error
    if LIBC.capset(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), bytes(24)):
        raise OSError(ctypes.get_errno(), "cannot drop the capabilities")


def _leave_files(rules: Mapping[str, Any]) -> None:
    if "files" in rules:
        from .landlock import confine

        confine(**rules["files"])
    if "hide" in rules:
        from .landlock import confine, version

        if version():
            hide = rules["hide"]
            left = [f"/{name}" for name in os.listdir("/") if name not in hide["names"]]  # noqa: PTH208
            confine([*left, *hide["read"]], hide["write"])


def load_filter(program: bytes) -> None:
    """Have the kernel run a filter at every system call from now on. Raises OSError."""
    import ctypes
    import struct

    code = ctypes.create_string_buffer(program)
    lines = ctypes.create_string_buffer(struct.pack("HP", len(program) // 8, ctypes.addressof(code)))
    _control(_SET_SECCOMP, _FILTER, ctypes.addressof(lines))


def _control(option: int, *values: int) -> None:
    import ctypes

    from .landlock import LIBC

    words = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    if LIBC.prctl(option, *words):
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
