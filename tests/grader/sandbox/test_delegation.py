"""What root's boxes keep to, those of an ordinary user do who was handed a control group; and who was not."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import cgroup
from grader.sandbox.cgroup import list_processes, sweep
from tests.grader.batch.conftest import MAZES
from tests.grader.command import ALONE
from tests.grader.sandbox.boxes import MIB
from tests.grader.sandbox.handed_over import ROOT, User, user_with
from tests.grader.sandbox.test_owner import OVER
from tests.submissions.class_run import files_of
from tests.submissions.loader import cases

TRIED = ("exhaustion", "survivors")
"""Of the hostile programs those that hang on control groups; the other walls are the same for everybody."""
HOSTILE = ("daemon-outlives", "fills-the-disk", "fork-bomb", "memory-in-children", "memory-in-memfd")
"""Those of which root's results hang on a control group; nothing else is another's for a user."""
BRIEF = """
title: Two checks of each exercise, and a tenth of what a submission may use
examples: 2
limits:
  call_cpu_seconds: 0.5
  call_wall_seconds: 6
  submission_wall_seconds: 20
  memory_bytes: 128 MiB
exercises:
  search: {checks: {search.new-cell: 10, search.known-cell: 10}}
  dfs: {checks: {dfs.valid-path: 10, dfs.no-way: 10}}
  bfs: {checks: {bfs.valid-path: 10, bfs.no-way: 5}}
  dijkstra: {checks: {dijkstra.valid-path: 10, dijkstra.no-way: 5}}
  perfection: {checks: {perfection.perfect: 10, perfection.extra-passage: 5}}
  generator: {checks: {generator.perfect: 10, generator.dimension: 5}}
"""
SIX_CHILDREN = """
import json, os, sys
from pathlib import Path
from grader.sandbox.base import BACKENDS
from tests.grader.sandbox.boxes import MIB, Runner, limits
with Runner(BACKENDS[sys.argv[1]](), limits(memory_bytes=512 * MIB)) as runner:
    runner.start('''
        for _ in range(6):
            if not os.fork():
                hoard = b"x" * (300 * 2**20)
                time.sleep(600)
        os.wait()
        print("one of them has ended", file=sys.stderr)
        found = "one of them has ended"
    ''')
    runner.line()
    group = runner.box.tree.group
    files = [group._places["memory"] / name for name in ("memory.peak", "memory.max_usage_in_bytes")]
    peaks = [int(file.read_text()) for file in files if file.exists()]
    print(json.dumps({"kills": runner.box.memory_kills(), "peaks": peaks}))
"""


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


@pytest.mark.ci
def test_hostile_programs_end_for_a_user_as_for_root(user: User, tmp_path: Path) -> None:
    """How each ends shows in two checks as in all; what root's get in all of them stands in marks.txt."""
    place = user.place / "class"
    for case in cases("hostile"):
        if case.name in HOSTILE:
            case.materialise(place / "in" / case.name, files_of(case))
    (place / "mazes").mkdir()
    for name in MAZES:
        shutil.copy(ROOT / "grader" / "mazes" / name, place / "mazes")
    (place / "rubric.yaml").write_text(BRIEF)
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    batch = ["-c", ALONE, "batch", f"{place}/in", "--rubric", f"{place}/rubric.yaml", "--no-explain"]
    batch += ["--sandbox", "bubblewrap", "--jobs", "2", "--out"]
    said = user.run(*batch, f"{user.place}/home/out")
    subprocess.run([sys.executable, *batch, tmp_path / "out"], cwd=ROOT, check=True)
    opening = "bubblewrap: asked for by name; not kept here: traces (grader doctor tells more)"
    assert said.splitlines()[0] == opening
    assert points(user.place / "home" / "out") == points(tmp_path / "out")
    assert user.groups() <= {"supervisor"}, "a box or a killed grader left its group"


def points(out: Path) -> dict[str, dict[str, float]]:
    """The points of each exercise, by submission."""
    found = {path.parent.name: json.loads(path.read_bytes()) for path in out.glob("*/results.json")}
    assert len(found) == len(HOSTILE)
    return {
        name: {exercise["id"]: exercise["score"] for exercise in each["exercises"]}
        for name, each in found.items()
    }


@pytest.mark.parametrize("name", ["bubblewrap", "process"])
def test_six_children_of_300_mb_stay_within_512(user: User, name: str) -> None:
    found = json.loads(user.run("-c", SIX_CHILDREN, name))
    assert found["kills"] > 0
    assert all(peak <= 512 * MIB for peak in found["peaks"])


def test_what_else_runs_in_the_group_goes_on(user: User) -> None:
    with user.start(
        "-c", "print('here', flush=True); input = open('/dev/zero').read; __import__('time').sleep(600)"
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "here\n"
        user.run("-c", "from grader.sandbox import cgroup; print(cgroup.controllers())")
        assert other.poll() is None
        held = [list_processes(path) for folder in user.folders for path in (folder, folder / "supervisor")]
        assert any(other.pid in processes for processes in held)
        other.kill()


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
