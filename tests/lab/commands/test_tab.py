"""The lab in a browser tab says what the terminal says: here by CPython, which needs no browser."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.commands import check, pack
from tests.lab.mistakes.table import MISTAKES
from tests.lab.running import ROOT

pytestmark = pytest.mark.processes

SAMPLE = ("search-keeps-the-start", "bfs-pops-the-last")
"""What is wrong in a file, in a name, at each step, or for ever."""
SERVES = """
import sys
from pathlib import Path
from lab.commands import tab
for line in sys.stdin:
    print(tab.answer(line, lambda told: None, Path(sys.argv[1])), flush=True)
"""
Ask = Callable[..., dict[str, Any]]
DIED = "Your code raised RecursionError: maximum recursion depth exceeded. A function calls itself"


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    """Asks one Python after the other, as a tab does: the same process answers all requests."""
    command = [sys.executable, "-c", SERVES, str(tmp_path / "mazes-lab")]
    own = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache of the tab")}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=own
    ) as tab:
        stdin, stdout = tab.stdin, tab.stdout
        assert stdin is not None
        assert stdout is not None

        def asked(files: dict[str, str], **request: Any) -> dict[str, Any]:
            print(json.dumps({"files": files, "ended": [], **request}), file=stdin, flush=True)
            answer: dict[str, Any] = json.loads(stdout.readline())
            return answer

        yield asked
        stdin.close()


def right(**wrong: str) -> dict[str, str]:
    """The files of right work, some of them replaced: bfs="..."."""
    names = ["search", "dfs", "bfs", "dijkstra"]
    files = {f"solvers/{name}.py": (ROOT / f"reference/solvers/{name}.py").read_text() for name in names}
    maze = (ROOT / "student_template/sample_maze.txt").read_text()
    return files | {"sample_maze.txt": maze} | {f"solvers/{name}.py": text for name, text in wrong.items()}


def importing(name: str) -> str:
    """A right BFS that imports a module."""
    return right()["solvers/bfs.py"].replace("from lab import", f"import {name}\nfrom lab import", 1)


def read(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")}


def test_mistakes_are_told_as_in_the_terminal(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for mistake in map(MISTAKES.__getitem__, SAMPLE):
        folder = tmp_path / mistake.id
        mistake.write(folder)
        check.check([str(folder), mistake.exercise])
        terminal = capsys.readouterr().out.replace(str(folder), "HERE")
        answer = ask(read(folder), ask="check", exercise=mistake.exercise)
        said = answer["text"].replace(str(tmp_path / "mazes-lab"), "HERE")
        since = [line for line in said.splitlines() if not line.startswith("Since the last time:")]
        told = "\n".join(since).replace("then save it.", "then run maze check again.")
        assert told.startswith(terminal.rstrip("\n")), mistake.id
        assert standing(answer) == {mistake.exercise: "failed"}


def test_a_saved_file_has_those_checked_that_import_it(ask: Ask) -> None:
    files = right(bfs=importing("helper")) | {"helper.py": "print('from the helper')\n"}
    answer = ask(files, ask="check", saved=["helper.py"])
    assert standing(answer) == {"bfs": "passed"}
    assert "from the helper" in answer["printed"]
    assert standing(ask(files, ask="check", saved=["unknown.py"])) == {}


def test_what_code_leaves_behind_is_gone(ask: Ask) -> None:
    files = right(bfs=importing("first")) | {"first.py": ""}
    assert standing(ask(files, ask="check", exercise="bfs")) == {"bfs": "passed"}
    del files["first.py"]
    assert "first" in ask(files, ask="check", exercise="bfs")["text"]


def test_where_python_was_ended_the_next_one_goes_on(ask: Ask) -> None:
    told = [
        {
            "event": "test",
            "id": "test_bfs.py::TestBFS::a",
            "file": "test_bfs.py",
            "title": "a",
            "checks": [],
            "drawn": False,
        },
        {"event": "start", "id": "test_bfs.py::TestBFS::a"},
        {"event": "alive"},
    ]
    lines = [json.dumps(each) for each in told]
    answer = ask(right(), ask="check", exercise="bfs", ended=[[lines, "recursion"]])
    assert standing(answer) == {"bfs": "failed"}
    assert DIED in answer["text"]
    silent = ask(right(), ask="check", exercise="bfs", ended=[[lines, "silent"]])
    assert "Your code did not come to an end." in silent["text"]
    refused = ask(right(), ask="check", exercise="bfs", ended=[[[], "died"]])["refused"]
    assert refused == "the public tests could not be run: Python ended Python itself."


def test_a_solver_is_followed(ask: Ask) -> None:
    answer = ask(right(), ask="trace", algorithm="BFS", maze="sample_maze.txt", step=3)
    assert answer["text"].startswith("BFS returned a way of ")
    assert "BFS on sample_maze.txt" in answer["html"]
    ended = ask(right(), ask="trace", algorithm="BFS", maze="sample_maze.txt", step=3, ended=[[[], "silent"]])
    assert ended["refused"] == "BFS did not come to an end."
    gone = ask(right(), ask="trace", algorithm="BFS", maze="gone.txt", step=0)
    assert gone["refused"] == "gone.txt cannot be read: no such file or directory"


def test_all_are_checked_and_summed_up(ask: Ask) -> None:
    answer = ask(right(bfs=importing("helper")) | {"helper.py": ""}, ask="check", all=True)
    assert standing(answer)["search"] == "passed"
    assert standing(answer)["perfection"] == "failed"
    points = [sum(each["points"][place] for each in answer["exercises"].values()) for place in (0, 1)]
    assert answer["summary"].startswith(f"{points[0]:g} of {points[1]:g} so far")
    needs = ["helper.py", "solvers/bfs.py", "solvers/search.py"]
    assert answer["exercises"]["bfs"]["needs"] == needs
    assert answer["exercises"]["search"]["needs"] == ["solvers/search.py"]


def test_a_zip_of_maze_pack_is_taken_whole(ask: Ask, tmp_path: Path) -> None:
    files = right() | {"my_mazes/one.txt": right()["sample_maze.txt"]}
    missing = "there is no perfection_checker.py: Perfect mazes will earn nothing"
    assert missing in ask(files, ask="warnings")["warnings"]
    for name, text in files.items():
        (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / name).write_text(text)
    content, _ = pack.build_zip(str(tmp_path / "work"), named_by="")
    given = {"submission.zip": base64.b64encode(content).decode()}
    back = ask({}, ask="unpack", given=given)["taken"]
    assert back == {name: text for name, text in files.items() if name != "sample_maze.txt"}


def standing(answer: dict[str, Any]) -> dict[str, str]:
    return {id_: each["standing"] for id_, each in answer["exercises"].items()}
