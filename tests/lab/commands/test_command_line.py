"""What a misspelt command is told, and what shells are told when they ask how a line goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grader import cli as grader_cli
from lab import cli


@pytest.mark.parametrize(
    ("program", "line", "meant"),
    [
        ("maze", "chek", "check"),
        ("maze", "solve x --algorithm DSF", "DFS"),
        ("grader", "btach", "batch"),
        ("grader", "grade . --out x --sandbx process", "--sandbox"),
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
