"""What root's boxes keep to, those of an ordinary user do who was handed a control group; and who was not."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import cgroup
from grader.sandbox.cgroup import sweep
from tests.grader.sandbox.handed_over import ROOT, User, user_with
from tests.grader.sandbox.test_owner import OVER

TRIED = ("exhaustion", "survivors")
"""Of the hostile programs those that hang on control groups; the other walls are the same for everybody."""


@pytest.fixture
def user() -> Iterator[User]:
    with user_with() as user:
        yield user


def test_the_promises_to_a_user_hold(user: User) -> None:
    """The tests of the sandboxes in a pytest of the user's own."""
    files = [f"tests/grader/sandbox/test_{name}.py" for name in TRIED]
    options = ["-v", "-c", "/dev/null", "--rootdir=.", "--confcutdir=tests/grader/sandbox"]
    options += ["--import-mode=importlib", "-p", "no:cacheprovider", "-p", "tests.rounds", "-W", "error"]
    options += ["-p", "xdist.plugin", "--numprocesses", "2"]
    said = user.run("-m", "pytest", *options, *files)
    passed = set(re.findall(r"PASSED \S+::(\S+)", said))
    assert {
        f"{test}[{name}]"
        for name in ("bubblewrap", "process")
        for test in (
            "test_memory_of_many_processes_is_capped_together",
            "test_processes_are_capped",
            "test_all_processes_together_get_one_processor",
        )
    } <= passed, said
    assert "skipped" not in said
    assert user.groups() <= {"supervisor"}, "a box or a killed grader left its group"


def test_what_a_killed_grader_left_is_ended_and_gone_at_once() -> None:
    trees = cgroup.trees()
    assert trees
    left = [folder / f"maze-grader-{OVER['no process has the number']}-0a" for folder in trees.folders]
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as survivor:
        for group in left:
            group.mkdir()
            (group / "cgroup.procs").write_text(str(survivor.pid))
        for folder in trees.folders:
            sweep(folder)
        assert survivor.wait() == -signal.SIGKILL
    assert not any(group.exists() for group in left)


OPENING = """
from grader.sandbox import cgroup
from grader.sandbox.base import choose
print(sorted(cgroup.controllers()))
print(choose("bubblewrap")[1])
print(choose("process")[1])
"""


def test_what_was_not_handed_over_is_gone_without_and_named() -> None:
    with user_with("memory") as user:
        controllers, bubblewrap, process = user.run("-c", OPENING).splitlines()
    assert controllers == "['memory']"
    assert ("memory" in bubblewrap, "processes" in bubblewrap, "processor" in bubblewrap) == (0, 0, 1)
    assert ("memory" in process, "processes" in process, "processor" in process) == (0, 1, 1)


READ_ONLY = """
grep -o ' /sys/fs/cgroup[^ ]*' /proc/self/mounts | sort -r |
    while read -r tree; do mount -o remount,bind,ro "$tree"; done
exec "$@"
"""


def test_control_groups_that_can_only_be_read_are_told_with_the_reason() -> None:
    """As in a container."""
    program = f"{OPENING}\nprint(cgroup.obstacle())"
    words = ["unshare", "--mount", "sh", "-ec", READ_ONLY, "sh", sys.executable, "-c", program]
    said = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    assert said[0] == "[]"
    assert "memory" in said[1]
    assert "memory" in said[2]
    assert said[3] == "/sys/fs/cgroup is read-only, as in most containers"


UNIT, MADE = {"user.invocation_id"}, {"user.invocation_id", "user.delegate"}


@pytest.mark.parametrize(
    ("own", "marks", "expected"),
    [
        pytest.param("/given", {}, "given", id="handed over by somebody"),
        pytest.param("/scope", {"scope": MADE}, "scope", id="Delegate=yes"),
        pytest.param("/unit/main", {"unit": MADE}, "unit", id="DelegateSubgroup=main"),
        pytest.param("/session/scope", {"session": MADE, "session/scope": UNIT}, None, id="systemd's own"),
        pytest.param(
            "/session/scope", {"session": MADE, "session/scope": MADE}, "session/scope", id="in both"
        ),
        pytest.param("/../given", {}, None, id="above what is mounted"),
        pytest.param(None, {}, None, id="in no group of version 2"),
    ],
)
def test_a_group_is_divided_only_where_it_was_handed_over(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    own: str | None,
    marks: dict[str, set[str]],
    expected: str | None,
) -> None:
    for name in ("given/supervisor", "scope", "unit/main", "session/scope"):
        for folder in (tmp_path / name, (tmp_path / name).parent):
            folder.mkdir(parents=True, exist_ok=True)
            for file in ("cgroup.procs", "cgroup.subtree_control"):
                (folder / file).touch()
    monkeypatch.setattr(cgroup, "_ROOT", tmp_path)
    monkeypatch.setattr(cgroup, "_own_groups", lambda: {"": own} if own else {"memory": "/given"})
    monkeypatch.setattr(
        cgroup,
        "_is_marked",
        lambda folder, mark: (
            mark in marks.get(str(folder.relative_to(tmp_path)), ()) if folder != tmp_path.parent else False
        ),
    )
    assert cgroup._handed_over() == (tmp_path / expected if expected else None)


def test_a_container_is_not_divided_while_a_process_stands_in_the_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The kernel would give it the controllers of processes and processor, and its groups took none then."""
    files = {"cgroup.type": "domain", "cgroup.procs": "1", "cgroup.controllers": "cpu memory pids"}
    for name, text in {**files, "cgroup.subtree_control": ""}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cgroup, "_ROOT", tmp_path)
    monkeypatch.setattr(cgroup, "_own_groups", lambda: {"": "/"})
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert [trees.places for trees in cgroup._unified()] == [{}]
    assert (tmp_path / "cgroup.subtree_control").read_text() == ""
    (tmp_path / "cgroup.procs").write_text("")
    list(cgroup._unified())
    assert (tmp_path / "cgroup.subtree_control").read_text() != ""
