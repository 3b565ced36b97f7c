"""What is left of a submission once its calls are over, and what it can reach of the runner: nothing."""

from __future__ import annotations

import os

import psutil
import pytest

from grader.model.claims import IntValue, truth_value
from tests.grader.session.popen_box import (
    CHECKER,
    PopenBox,
    answered,
    ask,
    check,
    checker,
    open_session,
    question,
)

SURVIVORS = {
    "a child": "if not os.fork(): wait()",
    "a session of its own": "if not os.fork():\n    os.setsid(); wait()",
    "a double fork": "if not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\n    wait()",
    "signals ignored": (
        "if not os.fork():\n    os.setsid()\n    signal.pthread_sigmask(0, range(1, 64)); wait()"
    ),
    "many": "for _ in range(20):\n    if not os.fork():\n        os.setsid(); wait()",
}


@pytest.mark.parametrize("name", SURVIVORS)
def test_nothing_of_a_round_survives_it(name: str) -> None:
    before = "import os, signal, time\ndef wait():\n    while True: time.sleep(1)\n"
    files = {CHECKER.file: checker(f"{SURVIVORS[name]}\nreturn True", before=before)}
    with open_session(files) as session:
        (claim,) = session.run(CHECKER, [question()])
        assert claim.outcome == "returned"
        assert session._connection is not None
        box = session._connection.box
        assert isinstance(box, PopenBox)
        assert psutil.Process(box.process.pid).children(recursive=True) == []


def test_the_scratch_folder_is_emptied_between_processes() -> None:
    body = "import os\nfound = os.listdir()\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\n"
    body += "os.symlink('/', 'd')\n"
    claims = ask(
        {CHECKER.file: checker(body + "return len(found)")},
        CHECKER,
        question("a"),
        question("b"),
        isolate=True,
    )
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


def test_the_runners_own_modules_are_not_importable() -> None:
    (claim,) = check("import inside.wire")
    assert claim.fault is not None
    assert claim.fault.kind == "ModuleNotFoundError"
