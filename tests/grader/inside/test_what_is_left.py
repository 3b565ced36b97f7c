"""What is left of a submission once its calls are over, and what it can reach of the runner: nothing."""

from __future__ import annotations

import os
import textwrap

import psutil
import pytest

from grader.model import Target
from grader.model.claims import IntValue, truth_value
from tests.grader.session.popen_box import (
    CHECKER,
    PopenBox,
    answered,
    ask,
    ask_each,
    check,
    checker,
    open_session,
    question,
)

pytestmark = pytest.mark.processes

SURVIVORS = {
    "a child": "if not os.fork(): wait()",
    "a double fork": "if not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\n    wait()",
    "signals ignored": (
        "if not os.fork():\n    os.setsid()\n    signal.pthread_sigmask(0, range(1, 64)); wait()"
    ),
}


def test_nothing_of_a_round_survives_it() -> None:
    before = (
        "import os, signal, time\nfrom threading import Event\ndef wait():\n    while True: Event().wait(1)\n"
    )
    bodies = [f"{code}\nreturn True" for code in SURVIVORS.values()]
    files = {f"{n}.py": checker(body, before=before) for n, body in enumerate(bodies)}
    with open_session(files) as session:
        for name, file in zip(SURVIVORS, files, strict=True):
            (claim,) = session.run(Target(file, CHECKER.name), [question()])
            assert claim.outcome == "returned"
            assert session._connection is not None
            box = session._connection.box
            assert isinstance(box, PopenBox)
            assert psutil.Process(box.process.pid).children(recursive=True) == [], name


NOTES = {
    "a locked folder": "os.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.chmod('a/b', 0)\nos.chmod('a', 0)",
    "a deep folder": "for _ in range(60):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\nos.chmod('.', 0)",
    "a link": "os.symlink('/', 'root'); os.symlink('nowhere', 'nothing')",
    "no rights": "open('a', 'w').close(); os.chmod(home, 0)",
    "an attribute": "os.setxattr(home, 'user.note', b'1')",
}


def test_no_note_outlives_a_process() -> None:
    body = "import os\nhome = os.getcwd()\nfound = (os.listdir(), os.stat('.').st_mode, os.listxattr('.'))\n"
    bodies = [
        f"{body}try:\n{textwrap.indent(note, '    ')}\nexcept OSError: pass\nreturn repr(found)"
        for note in NOTES.values()
    ]
    found = ask_each([checker(body) for body in bodies], *map(question, "abc"), isolate=True)
    for name, claims in zip(NOTES, found, strict=True):
        assert len({answered(claim) for claim in claims}) == 1, name
        assert "[]" in str(answered(claims[0]))


def test_what_is_set_of_an_input_is_not_seen_by_the_next_process() -> None:
    body = "import fcntl, os\nfound = fcntl.fcntl(0, fcntl.F_GETFL)\n"
    body += "fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)\nreturn found"
    claims = ask({CHECKER.file: checker(body)}, CHECKER, question("a"), question("b"), isolate=True)
    assert [answered(claim) for claim in claims] == [IntValue(0)] * 2


def test_no_descriptor_of_the_runner_is_left_to_the_submission() -> None:
    body = """
    import os, stat
    kinds = []
    for descriptor in range(256):
        try: kinds.append((descriptor, stat.S_ISFIFO(os.fstat(descriptor).st_mode)))
        except OSError: pass
    return kinds == [(0, True), (1, True), (2, True), (8, True), (9, True)]
    """
    (claim,) = check(body)
    assert answered(claim) == truth_value(True)


def test_the_runners_memory_and_descriptors_are_out_of_reach() -> None:
    body = """
    import os
    reached = []
    for path in (f"/proc/{os.getppid()}/mem", f"/proc/{os.getppid()}/environ"):
        try: reached.append(open(path, "rb").read(1))
        except OSError: pass
    return len(reached)
    """
    (claim,) = check(body)
    most = 0 if os.geteuid() else 2  # root may look at everything; boxes do not run as root
    assert answered(claim) in [IntValue(count) for count in range(most + 1)]
