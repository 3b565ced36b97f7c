"""Options of the service from a file."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from grader.cli import main, make_parser
from grader.errors import InputError
from grader.serve.config_file import OPTIONS, with_config

FILE = """
# where it runs
port = 9000
"data" = "all/data"
course = ["inf100", "inf200"]
proxy = "127.0.0.1"
demo = true

[release]
inf100 = "kits/100"
inf200 = "kits/200"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "serve.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def parsed(*words: str | Path) -> argparse.Namespace:
    return make_parser("serve").parse_args(["serve", *with_config([*map(str, words)])])


def test_options_of_the_file_are_seen_from_its_folder(file: Path) -> None:
    found = parsed("--config", file)
    folder = file.parent
    assert (found.port, found.demo, found.proxy) == (9000, True, ["127.0.0.1"])
    assert (found.data, found.course) == (folder / "all/data", [folder / "inf100", folder / "inf200"])
    assert found.release == [f"inf{number}={folder}/kits/{number}" for number in (100, 200)]


def test_what_is_given_takes_the_place_of_what_is_in_the_file(file: Path) -> None:
    found = parsed("--port", "8080", f"--config={file}", "--course", "mine")
    assert (found.port, found.course) == (8080, [Path("mine")])


@pytest.mark.parametrize(
    "words", [("invite", "class.csv", "--out", "links.csv"), ("backup", "copy"), ("platform", "list")]
)
def test_tasks_take_what_concerns_them(file: Path, words: tuple[str, ...]) -> None:
    for order in ([*words, "--config", str(file)], ["--config", str(file), *words]):
        assert parsed(*order).data == file.parent / "all/data"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("\n[mails]\nhost = 'x'\n", 2, "there is no option mails"),
        ("course = [[]]\n", 1, "expected a text, or a list of texts"),
        (
            "\n[release]\nmazes = 1\n",
            2,
            "expected a folder, or a table of folders by the ids of courses, got 1",
        ),
        ("demo = 'yes'\n", 1, "demo: expected true or false, got 'yes'"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    (path := tmp_path / "serve.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said) as refused:
        with_config(["--config", str(path)])
    assert (refused.value.path, refused.value.line) == (path, line)


def test_values_go_through_the_parser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "serve.toml").write_text("port = 70000\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["serve", "--config", str(path)])
    assert "argument --port: expected a whole number from 0 to 65535, got '70000'" in capsys.readouterr().err


def test_the_file_may_hold_every_option_that_starts_the_service() -> None:
    found = {name.replace("_", "-") for name in vars(make_parser("serve").parse_args(["serve"]))}
    assert found - {"command", "task", "shared", "check", "config"} == OPTIONS


@pytest.mark.processes
def test_a_check_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rubric.yaml").write_text("title: [", encoding="utf-8")
    given = ["--data", str(tmp_path / "data"), "--port", "0", "--sandbox", "process"]
    assert main(["serve", "--check", *given]) == 0
    assert "course mazes: Mazes as graphs\n" in capsys.readouterr().out
    bad = [*given, "--course", str(tmp_path / "rubric.yaml"), "--url", "https://mazes.example.edu"]
    assert main(["serve", "--check", *bad]) == 1
    told = capsys.readouterr().out
    assert f"course {tmp_path.name}: missing: {tmp_path / 'rubric.yaml'}:" in told
    assert "proxy: missing: No proxy is set" in told
