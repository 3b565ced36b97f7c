"""What a machine answers to work that asks it: one made-up desktop, on every machine alike.

Theory of operation. A sandbox has no screen, no home and no users, or others than the next one, and a
student's own machine has others again. None of that is part of an exercise. So Python answers in the
machine's place (``lab/leftovers.py`` puts these answers where the functions were): who is there, what the
machine is called, how many processors and columns it has, and what its environment holds. What follows from
these, such as ``getpass.getuser``, ``Path.home``, ``shutil.get_terminal_size`` and ``platform.node``, needs
no answer of its own. What work sets on a machine, such as a locale or a handler of a signal, is passed over.
What no such machine has stands in ``LACKING``: from it come the warnings of ``maze pack``, what is said of
exceptions, and what the handout names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import EEXIST
from importlib import import_module
from io import SEEK_END, SEEK_SET, BytesIO, TextIOWrapper
from typing import Any, Final

USER, HOST, LOCALE, NUMBER, PROCESSORS = "student", "desktop", "en_US.UTF-8", 1000, 4
HOME: Final = f"/home/{USER}"
SCREEN: Final = (80, 24)
"""Columns and lines."""
ENVIRONMENT: Final[Mapping[str, str]] = {
    "COMPUTERNAME": HOST,
    "HOME": HOME,
    "LANG": LOCALE,
    "LOGNAME": USER,
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "SHELL": "/bin/bash",
    "TERM": "xterm-256color",
    "USER": USER,
    "USERNAME": USER,
    "USERPROFILE": HOME,
}
"""The environment of the made-up desktop; the names of Windows are there as well."""
_USERS: Final = (
    (USER, "x", NUMBER, NUMBER, "Student", HOME, "/bin/bash"),
    ("root", "x", 0, 0, "root", "/root", "/bin/bash"),
)
_GROUPS: tuple[tuple[Any, ...], ...] = ((USER, "x", NUMBER, []), ("root", "x", 0, []))


LACKING: Final[Mapping[str, tuple[str, ...]]] = {
    "files": ("shelve", "sqlite3"),
    "network": (
        *("asyncio", "http", "select", "socket", "socketserver", "ssl", "urllib", "urllib.request"),
        "webbrowser",
    ),
    "other programs": (
        *("ctypes", "fcntl", "multiprocessing", "pty", "readline", "subprocess", "tkinter", "turtle"),
    ),
}
"""What is there on no machine on which work is graded, and the modules that need it."""
LACKED: Final = ("FileNotFoundError", "PermissionError")
"""What Python raises for want of it."""


def _always(answer: object) -> Callable[..., object]:
    return lambda *_, **_named: answer


def _row(kind: str, rows: tuple[tuple[Any, ...], ...], place: int, complaint: str) -> Callable[[Any], object]:
    """Return a function that looks up a user or a group by what stands at a place of its row."""
    module, _, name = kind.partition(".")

    def found(wanted: Any) -> object:
        for row in rows:
            if row[place] == wanted:
                return getattr(import_module(module), name)(row)
        raise KeyError(complaint.format(wanted))

    return found


ANSWERS: Final[Mapping[str, Callable[..., object]]] = {
    "os.getlogin": _always(USER),
    **dict.fromkeys(("os.getuid", "os.geteuid", "os.getgid", "os.getegid"), _always(NUMBER)),
    **dict.fromkeys(("os.getresuid", "os.getresgid"), _always((NUMBER,) * 3)),
    "os.getgroups": lambda: [NUMBER],
    "os.uname": lambda: os.uname_result(("Linux", HOST, "6.1.0", "#1 SMP", "x86_64")),
    "os.cpu_count": _always(PROCESSORS),
    "os.process_cpu_count": _always(PROCESSORS),
    "os.sched_getaffinity": lambda _: {*range(PROCESSORS)},
    "os.get_terminal_size": lambda *_: os.terminal_size(SCREEN),
    "pwd.getpwnam": _row("pwd.struct_passwd", _USERS, 0, "getpwnam(): name not found: {!r}"),
    "pwd.getpwuid": _row("pwd.struct_passwd", _USERS, 2, "getpwuid(): uid not found: {}"),
    "grp.getgrnam": _row("grp.struct_group", _GROUPS, 0, "getgrnam(): name not found: {!r}"),
    "grp.getgrgid": _row("grp.struct_group", _GROUPS, 2, "getgrgid(): gid not found: {}"),
    "socket.gethostname": _always(HOST),
    "socket.getfqdn": lambda name="": name or HOST,
    "locale.getlocale": lambda *_: tuple(LOCALE.split(".")),
    "locale.getdefaultlocale": lambda *_: tuple(LOCALE.split(".")),
}
"""What is answered, by the name of the function."""


def is_answered(name: str) -> bool:
    """Tell whether a name in a module stands for something that is answered, or follows from that."""
    return name in ANSWERS or name == "multiprocessing.cpu_count"


@contextmanager
def environment() -> Iterator[None]:
    """Have ``os.environ`` be the desktop's in this context; programs that are started get the real one."""
    environ: Any = os.environ
    before = {**environ._data}
    environ._data.clear()
    environ._data.update(
        (environ.encodekey(name), environ.encodevalue(value)) for name, value in ENVIRONMENT.items()
    )
    try:
        yield
    finally:
        environ._data.clear()
        environ._data.update(before)


class _Kept(BytesIO):
    """A file in memory, which says whenever it is flushed or closed what it holds."""

    def __init__(self, content: bytes, keep: Callable[[bytes], object], mode: str, name: object) -> None:
        super().__init__(content)
        vars(self).update(mode=mode, name=name)
        self._keep = keep
        self._keep(content)

    def flush(self) -> None:
        """Keep what was written."""
        super().flush()
        self._keep(self.getvalue())

    def close(self) -> None:
        """Keep what was written, and close the file."""
        if not self.closed:
            self._keep(self.getvalue())
        super().close()


class KeptFiles:
    """Files in memory, by path, in the place of those that work writes beside itself."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._contents

    def open(
        self,
        path: str,
        mode: str = "r",
        buffering: int = -1,  # noqa: ARG002 - as open has it
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        **_: object,
    ) -> Any:
        """Open a file as ``open`` does. Raises what that raises where the file is there, or is not."""
        if "x" in mode and path in self:
            raise FileExistsError(EEXIST, os.strerror(EEXIST), path)
        content = b"" if "w" in mode else self._contents.get(path, b"")
        kept = _Kept(content, lambda now: self._contents.update({path: now}), mode, path)
        kept.seek(0, SEEK_END if "a" in mode else SEEK_SET)
        return kept if "b" in mode else TextIOWrapper(kept, encoding or "utf-8", errors, newline)
