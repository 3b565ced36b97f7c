"""Landlock: a process shuts itself out of all files but a few, for good; no rights are needed.

Goes into the box with the runner, which confines itself; each of its children then stands apart.
Newer kernels also cut off TCP and signals to processes that are not as confined. The numbers are those of
the kernel's include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from typing import Final

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights over files a version knows; from version 5 on, 16."""
_NET, _SCOPES, _SIGNAL_SCOPE = 0b11, 0b11, 0b10
_KNOWS_SCOPES: Final = 6
_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_MAKE_BLOCK_DEVICE: Final = 1 << 11
LIBC: Final = ctypes.CDLL(None, use_errno=True)
"""Loaded once: each child of the runner calls it half a dozen times."""
_REFER, _DEVICES = 1 << 13, 1 << 15 | 1 << 6 | _MAKE_BLOCK_DEVICE


def version() -> int:
    """Return the version of Landlock that the kernel speaks; 0 for none."""
    answer = LIBC.syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    return max(0, int(answer))


def stand_apart() -> None:
    """Keep this process and all that it starts from tracing any other, or signalling one (version 6).

    That includes the process that it was forked from, and lasts. The process must be barred from new
    privileges; where the kernel cannot do this, nothing happens.
    """
    if sys.platform != "linux":
        return
    try:
        if version() >= _KNOWS_SCOPES:
            _restrict(0, _SIGNAL_SCOPE)
        elif version():
            _restrict(_MAKE_BLOCK_DEVICE, 0)  # it has to be something that nobody may do anyway
    except OSError:
        return


def _restrict(rights: int, scopes: int) -> None:
    """Take these rights and scopes from this process, whatever the path. Raises OSError."""
    attributes = struct.pack("=QQQ", rights, 0, scopes)
    rules = _call(_CREATE, attributes, ctypes.c_size_t(24 if scopes else 8), 0)
    try:
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def confine(read: Iterable[str], write: Iterable[str]) -> None:
    """Leave this process and its children only those files and folders, with all that is in them.

    Paths that are not there are left out. Raises OSError.
    """
    known = version()
    handled = (1 << _FILE_RIGHTS.get(known, 16)) - 1
    attributes = struct.pack("=QQQ", handled, _NET, _SCOPES)
    size = 8 if known < 4 else 16 if known < 6 else 24
    rules = _call(_CREATE, attributes, ctypes.c_size_t(size), 0)
    try:
        _allow(rules, read, (_EXECUTE | _READ | _LIST) & handled)
        _allow(rules, write, handled & ~(_EXECUTE | _REFER | _DEVICES))
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            folder = stat.S_ISDIR(os.fstat(place).st_mode)
            only = rights if folder else rights & (_EXECUTE | _READ | _WRITE | _TRUNCATE)
            _call(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", only, place), 0)
        finally:
            os.close(place)


def _call(*arguments: object) -> int:
    answer = int(LIBC.syscall(*arguments))
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return answer
