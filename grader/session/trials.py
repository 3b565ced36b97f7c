"""Trying the promises of a sandbox on this machine: a program each, in a box of its own.

Whoever runs the grader sees what holds here, not only what should: an engine may be set up otherwise, a
kernel may lack what its version has. A promise holds where its program returns that it reached nothing, or
ended as the promise says that it must.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psutil

from grader.errors import BeyondBounds, SandboxError
from grader.model import Call, Claim, IsPerfect, Limits, Submission, Target
from grader.model.claims import truth_value
from grader.reader import Reader
from grader.sandbox.base import Backend
from grader.sandbox.contents import ENVIRONMENT
from grader.session.session import Session
from lab import desktop

# --- trial programs ---------------------------------------------------------------------------------
# Programs that try to break a promise of a sandbox, each by its shortest way.
#
# They are submissions like any other. Each returns True where it reached nothing; ``given`` holds what it
# needs to know, and would not be given in earnest. The tests try much more.

REAL_TIME: Final = '''
import os, select


def now():
    """The seconds of the machine: other clocks are the call's own."""
    return os.times().elapsed


def wait(seconds):
    """Wait for real: other waits end at once."""
    end = now() + seconds
    while now() < end:
        select.poll().poll(20)
'''
"""What a program in a box needs that has to wait for others."""
BEGIN: Final = (
    """
import ctypes, fcntl, mmap, os, socket, sys
import _signal as signal  # handlers that are set by the other one are passed over
import lab

given = {given!r}
libc = ctypes.CDLL(None, use_errno=True)
"""
    + REAL_TIME
    + '''

def reaches(act, *arguments):
    """Whether something can be done."""
    try:
        return act(*arguments) != -1
    except (OSError, ValueError):
        return False


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path):
    with open(path, "ab") as file:
        file.write(b"#")


class Trial:
    def is_perfect(self, maze):
'''
)
"""What all begin with; the program is the body of the method."""

PROGRAMS: Final = {
    "files": "return not reaches(read, given['secret'])",
    "writing": """
places = [given["folder"], "/", os.path.dirname(lab.__file__), os.path.dirname(os.__file__)]
return not any(reaches(write, place + "/planted.py") for place in places)
""",
    "environment": """
names, told = set(), ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")  # Python's is made up
while told[len(names)] is not None:
    names.add(told[len(names)].decode().partition("=")[0])
return names <= given["environment"]
""",
    "desktop": """
import datetime, getpass, locale, multiprocessing, pathlib, platform, pwd, shutil, zoneinfo
for question, answer in given["answers"].items():
    heard = eval(question)
    if heard != answer:
        raise AssertionError(f"{question} is {heard!r}")
return True
""",
    "sight": """
path = f"/proc/{given['bystander']}/cmdline"
return not (reaches(read, path) and given["word"].encode() in read(path))
""",
    "signals": """
if given["bystander"] != os.getpid():
    reaches(os.kill, given["bystander"], signal.SIGTERM)
return True
""",
    "runner": """
runner = os.getppid()
for name in ("mem", "environ", "maps", "fd/10", "fd/11"):
    if reaches(os.open, f"/proc/{runner}/{name}", os.O_RDONLY | os.O_NONBLOCK):
        return False
for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    reaches(os.kill, runner, number)
return not reaches(libc.ptrace, 16, runner, 0, 0)
""",
    "network": """
for family in range(1, 46):
    for kind in (1, 2, 3, 5):
        if reaches(lambda: socket.socket(family, kind).close()):
            return False
return True
""",
    "calls": """
numbers = {
    "x86_64": (101, 165, 246, 248, 250, 272, 298, 304, 308, 310, 319, 321, 323, 425, 435, 438),
    "aarch64": (117, 40, 104, 217, 219, 97, 241, 265, 268, 270, 279, 280, 282, 425, 435, 438),
}
for number in numbers[given["machine"]]:
    ctypes.set_errno(0)
    if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 38):
        return False
return True
""",
    "silence": """
with open(lab.__file__, "rb", buffering=0) as shared:
    for act in (
        lambda: fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.fcntl(shared, 1024, 0),
        lambda: os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_DONTNEED),
        lambda: os.utime("/dev/null"),
        lambda: os.statvfs("/"),
        os.pipe,
        lambda: os.mkfifo("pipe"),
        os.getloadavg,
    ):
        if reaches(act):
            return False
return {os.fstat(pipe).st_dev for pipe in (0, 1, 2, 8, 9)} == {os.stat(".").st_dev}
""",
    "traces": """
return {os.stat(path).st_dev for path in ("/", os.__file__, lab.__file__)} == {given["memory"]}
""",
    "notes": """
left = "left" in os.listdir() or "user.left" in os.listxattr(".") or os.stat(".").st_mode & 0o777 == 0o751
left = left or bool(fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK)
fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
reaches(os.makedirs, "left/locked")
reaches(os.setxattr, ".", "user.left", b"1")
for path, mode in (("left/locked", 0), ("left", 0), (".", 0o751)):
    reaches(os.chmod, path, mode)
return not left
""",
    "privileges": """
head, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
libc.capget(head, sets)
return not any(sets) and libc.prctl(39, 0, 0, 0, 0) == 1 and not reaches(os.chroot, "/")
""",
    "memory": """
full = mmap.mmap(-1, 8)
children = []
for number in range(8):
    child = os.fork()
    if not child:
        os.setsid()
        hoard = [b"x" * 2**20 for _ in range(40)]
        full[number] = 1
        wait(60)
        os._exit(0)
    children.append(child)
while 0 in full[:]:
    if os.waitpid(-1, os.WNOHANG)[0]:
        return True
    wait(0.01)
return False
""",
    "processes": """
for _ in range(2 * given["processes"]):
    try:
        if not os.fork():
            wait(60)
            os._exit(0)
    except OSError:
        return True
return False
""",
    "processor": """
begun = now()  # before all that is counted, however long a busy machine keeps this process waiting
for _ in range(3):
    if not os.fork():
        end = now() + 2
        while now() < end:
            sum(range(100_000))  # few turns of this loop, which are counted
        os._exit(0)
for _ in range(3):
    os.wait()
used = os.times()
return used.children_user + used.children_system < 1.3 * (now() - begun)
""",
    "disk": """
written = 0
for number in range(64):
    try:
        with open(f"file{number}", "wb", buffering=0) as file:
            written += file.write(bytes(given["disk"] // 8))
    except OSError:
        break
return written <= given["disk"]
""",
    "inodes": """
for number in range(200_000):
    try:
        os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY))
    except OSError:
        return True
return False
""",
    "survivors": """
if not os.fork():
    os.setsid()
    if not os.fork():
        libc.prctl(15, given["name"].encode(), 0, 0, 0)
        for number in range(1, 65):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                reaches(signal.signal, number, signal.SIG_IGN)
        wait(600)
    os._exit(0)
wait(0.2)
return True
""",
    "deadlines": "return sum(range(10**15)) < 0",
}
"""By the name of the promise."""

ANSWERS: Final[Mapping[str, object]] = {
    **dict.fromkeys(("getpass.getuser()", "os.getlogin()", "os.environ['USERNAME']"), desktop.USER),
    "[os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()]": [desktop.NUMBER] * 5,
    "pwd.getpwuid(os.getuid()).pw_name": desktop.USER,
    "pwd.getpwnam(getpass.getuser()).pw_dir": desktop.HOME,
    "dict(os.environ)": dict(desktop.ENVIRONMENT),
    "[str(pathlib.Path.home()), os.path.expanduser('~')]": [desktop.HOME] * 2,
    "[os.uname().nodename, platform.node(), socket.gethostname()]": [desktop.HOST] * 3,
    "[os.cpu_count(), multiprocessing.cpu_count(), len(os.sched_getaffinity(0))]": [desktop.PROCESSORS] * 3,
    "[tuple(shutil.get_terminal_size()), tuple(os.get_terminal_size())]": [desktop.SCREEN] * 2,
    "[locale.setlocale(locale.LC_ALL, ''), '.'.join(locale.getlocale())]": [desktop.LOCALE] * 2,
    "__import__('signal').signal(14, 0).value": 0,
    "zoneinfo.ZoneInfo('Europe/Oslo').utcoffset(datetime.datetime(2026, 7, 1)).seconds": 7200,
    "os.makedirs(os.path.join(os.path.dirname(__file__), 'made', 'here'), exist_ok=True)": None,
    "pathlib.Path(__file__).with_name('kept').write_text('kept')": 4,
    "open(os.path.join(os.path.dirname(__file__), 'kept')).read()": "kept",
}
"""What work may ask of its machine, and what it hears in every box."""

LIMITS: Final = Limits(
    call_cpu_seconds=10.0,
    call_wall_seconds=60.0,
    memory_bytes=128 * 1024 * 1024,
    processes=16,
    disk_bytes=1024 * 1024,
)
_OTHER_LIMITS: Final = {
    "deadlines": replace(LIMITS, call_cpu_seconds=1.0, call_wall_seconds=5.0),
    "inodes": replace(LIMITS, memory_bytes=64 * 1024 * 1024),
}
_SIGNAL_SECONDS: Final = 1.0
_READER_SECONDS: Final = 0.5
_TARGET: Final = Target("trial.py", "Trial")
_CALL: Final = Call("trial", IsPerfect("+-+-+\n|S E|\n+-+-+"))
_AGAIN: Final = replace(_CALL, id="again")
_TWICE: Final = ("notes", "desktop")
"""Promises about what one process finds of the other, or hears as the other does."""
_ENDS: Final[Mapping[str, tuple[str, ...]]] = {
    "deadlines": ("timeout",),
    "memory": ("out-of-memory", "died"),
    "inodes": ("out-of-memory", "died"),
}
"""How a program may also end where its promise holds."""


@dataclass(frozen=True, slots=True)
class _Bystander:
    """A process and a file of this machine that no box may reach."""

    process: subprocess.Popen[bytes]
    given: Mapping[str, Any]

    def is_well(self) -> bool:
        """Tell whether nobody has ended the process; wait a little, since a signal may be on its way."""
        try:
            self.process.wait(_SIGNAL_SECONDS)
        except subprocess.TimeoutExpired:
            return True
        return False


def broken(backend: Backend, names: frozenset[str]) -> dict[str, str]:
    """Try the promises of those names; return those that do not hold here, each with what was seen."""
    found: dict[str, str] = {}
    if sys.platform != "linux":
        return found
    with _bystander() as bystander:
        for name in PROGRAMS:
            if name in names and (seen := _try(backend, name, bystander)):
                found[name] = seen
    if "deadlines" in names and (seen := _try_reader()):
        found.setdefault("deadlines", seen)
    return found


def _try_reader() -> str:
    """Return what shows that to read a submission may take for ever; an empty text where it has bounds."""
    try:
        Reader(_READER_SECONDS, LIMITS.memory_bytes).read(lambda: sum(iter(int, 1)), int)
    except BeyondBounds:
        return ""
    except SandboxError as error:
        return str(error)
    return "reading that never ends came to an end"


def _try(backend: Backend, name: str, bystander: _Bystander) -> str:
    """Return what shows that a promise is broken; an empty text where it holds."""
    submission = Submission("trial", {_TARGET.file: _source(name, bystander.given).encode()})
    try:
        with Session(backend, _OTHER_LIMITS.get(name, LIMITS), submission) as session:
            session.leftovers = "charged"
            claims = session.run(_TARGET, [_CALL, _AGAIN][: 1 + (name in _TWICE)], isolate=True)
            if _lives(bystander.given["name"]):
                return "a process was left behind"
            if name == "signals" and not bystander.is_well():
                return "a process of the machine was ended"
            if name == "runner" and session.restarts:
                return "the runner was ended"
    except SandboxError as error:
        return str(error)
    return next((seen for claim in claims if (seen := _seen(name, claim))), "")


def _seen(name: str, claim: Claim) -> str:
    if claim.outcome in _ENDS.get(name, ()):
        return ""
    if claim.outcome == "returned":
        value = getattr(claim.value, "returned", None)
        return "" if value == truth_value(True) else "a program got through"
    said = f": {claim.fault.kind} {claim.fault.message}".rstrip() if claim.fault else ""
    return f"a program ended otherwise than it should, {claim.outcome}{said}"


def _source(name: str, given: Mapping[str, Any]) -> str:
    body = textwrap.indent(PROGRAMS[name].strip(), " " * 8)
    return BEGIN.replace("{given!r}", repr(dict(given))) + body + "\n"


@contextmanager
def _bystander() -> Iterator[_Bystander]:
    word, name = f"secret-{secrets.token_hex(8)}", f"left-{secrets.token_hex(4)}"
    sleep = [sys.executable, "-c", "import time; time.sleep(3600)", word]
    nowhere = subprocess.DEVNULL  # a Ctrl-C in the terminal ends it as well
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(sleep, stderr=nowhere) as process,  # noqa: S603
    ):
        secret = Path(folder, "secret")
        secret.write_text(word)
        given = {
            "word": word,
            "name": name,
            "secret": str(secret),
            "folder": folder,
            "bystander": process.pid,
            "environment": {*ENVIRONMENT},
            "answers": ANSWERS,
            "machine": os.uname().machine,
            "memory": _device(Path("/dev/shm")),  # noqa: S108 - looked at only
            "processes": LIMITS.processes,
            "disk": LIMITS.disk_bytes,
        }
        try:
            yield _Bystander(process, given)
        finally:
            process.send_signal(signal.SIGKILL)


def _device(folder: Path) -> int:
    return folder.stat().st_dev if folder.is_dir() else 0


def _lives(name: str) -> bool:
    """Tell whether a process of that name is there, as far as this machine can see."""
    for process in psutil.process_iter():
        try:
            if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
                return True
        except psutil.Error:
            continue
    return False
