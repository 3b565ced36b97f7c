"""What a misspelt command is told, and what shells are told when they ask how a line goes on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader import cli as grader_cli
from lab import cli
from lab.commands.command_line import SHELLS

PROGRAMS = {"maze": "lab.cli", "grader": "grader"}


@pytest.mark.parametrize(
    ("program", "line", "meant"),
    [
        ("maze", "chek", "check"),
        ("maze", "solve x --algorithm DSF", "DFS"),
        ("maze", "solve x --algoritm DFS", "--algorithm"),
        ("maze", "check --frist", "--first"),
        ("grader", "btach", "batch"),
        ("grader", "maze lnit x", "lint"),
        ("grader", "grade . --out x --sandbx process", "--sandbox"),
        ("grader", "grade . --out x --sandbox bublewrap", "bubblewrap"),
    ],
)
def test_a_misspelt_word_is_told_with_the_one_that_is_meant(
    program: str, line: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main = cli.main if program == "maze" else grader_cli.main
    with pytest.raises(SystemExit, match="2"):
        main(line.split())
    assert capsys.readouterr().err.endswith(f": is {meant} meant?\n")


def test_a_word_like_no_other_is_not_guessed_at(capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("xyzzy", "solve x --qqq"):
        with pytest.raises(SystemExit, match="2"):
            cli.main(line.split())
        assert "meant?" not in capsys.readouterr().err


def answer(program: str, line: str, shell: str, tmp_path: Path) -> list[str]:
    """What a program answers a shell that asks how the line goes on."""
    told = tmp_path / "answer"
    asked = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "IFS": "\n", "_ARGCOMPLETE_IFS": "\n"}
    asked |= {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": shell, "_ARGCOMPLETE_STDOUT_FILENAME": str(told)}
    command = [sys.executable, "-P", "-m", PROGRAMS[program]]
    subprocess.run(command, env=os.environ | asked, capture_output=True, check=True, cwd=tmp_path)
    words = told.read_text(encoding="utf-8").split("\n")
    return [re.split("[\t:]", word)[0].strip() for word in words if word.strip()]  # some get what it is about


@pytest.mark.processes
@pytest.mark.parametrize(
    ("shell", "program", "line", "words"),
    [
        ("bash", "maze", "maze ch", ["check"]),
        ("zsh", "maze", "maze check d", ["dfs", "dijkstra"]),
        ("fish", "maze", "maze solve maze.txt --algorithm D", ["DFS", "Dijkstra"]),
        ("powershell", "grader", "grader batch --sandbox b", ["bubblewrap"]),
        ("bash", "grader", "grader maze l", ["lint"]),
    ],
)
def test_a_shell_is_told_how_a_line_may_go_on(
    shell: str, program: str, line: str, words: list[str], tmp_path: Path
) -> None:
    assert sorted(answer(program, line, shell, tmp_path)) == sorted(words)


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_code_that_names_the_program(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    for program, main in (("maze", cli.main), ("grader", grader_cli.main)):
        assert main(["completion", shell]) == 0
        code = capsys.readouterr().out
        assert program in code
        assert "_ARGCOMPLETE" in code


@pytest.mark.processes
def test_bash_completes(tmp_path: Path) -> None:
    script = f"""
    PATH={Path(sys.executable).parent}:$PATH
    eval "$({sys.executable} -P -m lab.cli completion bash)"
    COMP_LINE="maze che"; COMP_POINT=8; COMP_WORDS=(maze che); COMP_CWORD=1; COMP_TYPE=9
    $(complete -p maze | sed 's/.*-F \\([^ ]*\\).*/\\1/') maze
    echo "${{COMPREPLY[@]}}"
    """
    bash = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert bash.stdout.strip() == "check"


def test_without_the_package_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    for main in (cli.main, grader_cli.main):
        assert main(["completion", "bash"]) == 1
        assert "get it with: pip install argcomplete" in capsys.readouterr().err
