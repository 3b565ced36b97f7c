"""Programs that try to break a promise of a sandbox, each by its shortest way.

They are submissions like any other. Each returns True where it reached nothing; ``given`` holds what it
needs to know, and would not be given in earnest. The tests try much more.
"""

from __future__ import annotations

from typing import Final

BEGIN: Final = '''
import ctypes, fcntl, mmap, os, signal, socket, sys, time
import lab

given = {given!r}
libc = ctypes.CDLL(None, use_errno=True)


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
"""What all begin with; the program is the body of the method."""

PROGRAMS: Final = {
    "files": "return not reaches(read, given['secret'])",
    "writing": """
places = [given["folder"], "/", os.path.dirname(lab.__file__), os.path.dirname(os.__file__)]
return not any(reaches(write, place + "/planted.py") for place in places)
""",
    "environment": "return os.environ.keys() <= {'PYTHONHASHSEED', 'LC_ALL', 'TZ', 'HOME'}",
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
for number in numbers[os.uname().machine]:
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
        os.getloadavg,
    ):
        if reaches(act):
            return False
return True
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
        time.sleep(60)
        os._exit(0)
    children.append(child)
while 0 in full[:]:
    if os.waitpid(-1, os.WNOHANG)[0]:
        return True
    time.sleep(0.01)
return False
""",
    "processes": """
for _ in range(2 * given["processes"]):
    try:
        if not os.fork():
            time.sleep(60)
            os._exit(0)
    except OSError:
        return True
return False
""",
    "processor": """
begun = time.monotonic()  # before all that is counted, however long a busy machine keeps this process waiting
for _ in range(3):
    if not os.fork():
        end = time.monotonic() + 2
        while time.monotonic() < end:
            sum(range(100_000))  # few turns of this loop, which are counted
        os._exit(0)
for _ in range(3):
    os.wait()
used = os.times()
return used.children_user + used.children_system < 1.3 * (time.monotonic() - begun)
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
        time.sleep(600)
    os._exit(0)
time.sleep(0.2)
return True
""",
    "deadlines": "return sum(range(10**15)) < 0",
}
"""By the name of the promise."""
