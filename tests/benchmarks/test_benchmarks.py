"""The benchmarks run, and print a line for everything they name.

Those that start graders, services and containers run in continuous integration only.
"""

import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import (
    batch_again,
    batch_class,
    class_sizes,
    clock,
    comparison,
    generators,
    lab,
    serve,
    time_left,
    wrong,
)
from benchmarks.__main__ import main
from benchmarks.peer_runs import PEERS, lay_out, seconds_each
from reference.generators.registry import GENERATORS
from tests.grader.batch.conftest import small_rubric

pytestmark = pytest.mark.usefixtures("_untraced")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in (lab, generators):
        monkeypatch.setattr(module, "SIZE", 6)
        monkeypatch.setattr(module, "yardstick", lambda: 1.0)
    monkeypatch.setattr(batch_again, "yardstick", lambda: 1.0)
    monkeypatch.setattr(batch_again, "FRESH_NS", 0)
    monkeypatch.setattr(generators, "SMALLER", {"Aldous-Broder": 4})
    monkeypatch.setattr(comparison, "FEW", 1)
    monkeypatch.setattr(comparison, "RUBRIC", comparison.RUBRIC.replace("134", "5"))
    command = [*batch_class.COMMAND, "--rubric", str(small_rubric(tmp_path))]
    monkeypatch.setattr(batch_class, "COMMAND", command)


def test_the_parts_of_the_lab_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    lab.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["6", "x", "6", "cells", "seconds", "yardsticks"]
    assert {line.split()[0] for line in lines} >= {"Maze.from_text", "valid_moves_at", "BFS"}


def test_every_generator_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    generators.main()
    lines = capsys.readouterr().out.splitlines()
    names = [line.rpartition(",")[0] for line in lines[1:]]
    assert names == list(GENERATORS)
    assert "4 x 4" in lines[1]


def test_the_quickest_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 5.0, 5.0, 7.0, 7.0, 10.0])
    monkeypatch.setattr(clock, "process_time", lambda: next(times))
    assert clock.seconds(lambda: None, runs=3) == 2.0


@pytest.mark.ci
@pytest.mark.parametrize(
    ("main_of", "options", "first"),
    [
        (batch_class.main, ["--count", "2", "--sandbox", "bubblewrap", "--jobs", "2"], "bubblewrap"),
        (batch_again.main, ["--count", "1", "--sandbox", "bubblewrap"], "1"),
    ],
)
def test_batches_are_measured(
    main_of: Callable[[], int],
    options: list[str],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmark", *options])
    assert main_of() == 0
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last[0] == first
    assert len([float(number) for number in last[1:]]) >= 2


@pytest.mark.ci
def test_a_cluster_is_measured_beside_two_jobs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = ["--jobs", "2", "--cluster", "local:1"]
    monkeypatch.setattr("sys.argv", ["benchmark", "--count", "2", "--sandbox", "bubblewrap", *ways])
    assert batch_class.main() == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[-2:]] == ["2", "local:1"]


def test_rounds_end_with_medians_beside_the_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    walls = iter((4.0, 6.0, 2.0, 5.0, 3.0, 6.0))
    monkeypatch.setattr(batch_class, "row", lambda *_: (next(walls), "told"))
    ways = ["--jobs", "2", "--cluster", "local:1", "--rounds", "3"]
    monkeypatch.setattr("sys.argv", ["benchmark", "--count", "1", "--sandbox", "bubblewrap", *ways])
    assert batch_class.main() == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[1:] for line in lines[-8:-2]] == [["2", "told"], ["local:1", "told"]] * 3
    assert [line[1:4] for line in lines[-2:]] == [["2", "3.0", "1.000"], ["local:1", "6.0", "2.000"]]


@pytest.mark.ci
@pytest.mark.parametrize("drawn", [[], ["--drawn", "2"]])
def test_classes_are_measured_with_their_pages(
    drawn: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmark", "--counts", "3", "--keep", str(tmp_path), *drawn])
    assert class_sizes.main() == 0
    head, _, row = (
        [cell.strip() for cell in line.split("|")] for line in capsys.readouterr().out.splitlines()
    )
    assert head[1:3] == ["submissions", "wall s"]
    assert all(float(figure) >= 0 for figure in row[1:-1])
    page = (tmp_path / "3" / "out" / "index.html").read_text(encoding="utf-8")
    assert page.count('<tr role="row" data-kinds') == 3


@pytest.mark.ci
@pytest.mark.parametrize("peer", ["pytest", "pytest in a container"])
def test_this_grader_and_another_are_measured_in_turns(
    peer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--count", "1", "--rounds", "1", "--sandbox", "bubblewrap", "--peers", peer]
    monkeypatch.setattr("sys.argv", ["benchmark", *options])
    assert comparison.main() == 0
    *_, own, other = capsys.readouterr().out.splitlines()
    assert own.split()[0] == "bubblewrap"
    assert own.split()[-2:] == ["bubblewrap", "1.0"]
    assert other.startswith(f"{peer}  ")
    assert len([float(number) for number in other.removeprefix(peer).split()[:3]]) == 3


def test_each_figure_is_told_as_it_comes_with_what_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter((0.0, 60.0, 120.0, 180.0, 240.0))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(comparison, "_of_grader", lambda *_: 2.0)
    monkeypatch.setattr(comparison, "_of_class", lambda *_: 3.0)
    ways = ["--rounds", "2", "--sandbox", "docker", "--peers", "--students", "60"]
    monkeypatch.setattr("sys.argv", ["benchmark", *ways])
    assert comparison.main() == 0
    told = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert told[:2] == [
        "docker 2.000 1 of 4, some 3.0 min left",
        "a class of 60, docker 3.000 2 of 4, some 2.0 min left",
    ]
    assert told[-1] == "a class of 60, docker 3.000 3.000 3.000 docker 1.5"


def test_a_class_in_the_middle_of_the_course_is_the_same_each_time(tmp_path: Path) -> None:
    one, other = (
        [*batch_class.make_class(tmp_path / name, 60, batch_class.MIXED)] for name in ("one", "other")
    )
    assert one == other
    assert Counter(kind for _, kind in one) == {"right": 24, "wrong": 24, "template": 6, "loop": 6}


def test_a_peer_that_is_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(comparison, "PEERS", [replace(PEERS[0], package="not_there")])
    monkeypatch.setattr("sys.argv", ["benchmark", "--count", "1", "--rounds", "0", "--peers", "pytest"])
    assert comparison.main() == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("pytest: not measured: python -m pip")


@pytest.mark.ci
def test_a_peer_that_fails_is_no_figure(tmp_path: Path) -> None:
    (folder,) = lay_out(tmp_path, [], "class PerfectionChecker: pass", 1)
    with pytest.raises(SystemExit, match="pytest failed"):
        seconds_each(PEERS[0], [folder], 1)


def test_a_name_that_is_none_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "got nothing" in capsys.readouterr().err


def test_wrong_submissions_are_measured_against_right_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (course := tmp_path / "course").mkdir()
    monkeypatch.setattr(wrong, "RUBRIC", small_rubric(course))
    monkeypatch.setattr("sys.argv", ["wrong", "bfs-west-first", "dfs-m*", "--rights", "2", "--worst", "2"])
    assert wrong.main() == 0
    right, ratios, *worst = capsys.readouterr().out.splitlines()
    assert right.startswith("2 right: ")
    assert ratios.startswith("4 wrong: median ")
    assert len(worst) == 2
    assert float(worst[0].split()[1]) >= float(worst[1].split()[1]) > 0


@pytest.mark.ci
def test_a_service_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (course := tmp_path / "course").mkdir()
    small_rubric(course)
    monkeypatch.setattr(serve, "COURSE", course.name)
    monkeypatch.setattr(serve, "COMMAND", [*serve.COMMAND, "--course", str(course)])
    monkeypatch.setattr("sys.argv", ["serve", "--students", "2", "--minutes", "0", "--sandbox", "bubblewrap"])
    assert serve.main() == 0
    asked, heads, found = capsys.readouterr().out.splitlines()
    assert asked == "2 students in 0 minutes, sandbox bubblewrap"
    assert re.split(r"  +", heads)[:3] == ["jobs", "load", "lost"]
    assert (found.split()[0], found.split()[2]) == ("2", "0")


def test_what_a_batch_says_of_the_time_left_is_set_beside_the_truth() -> None:
    lines = ("[ 5/10] ada  5 of 9  1.0 s", "[ 5/10] 3 to 9 min left", "[10/10] bob  5 of 9  1.0 s")
    command = [sys.executable, "-c", "print(*__import__('sys').argv[1:], sep=chr(10))", *lines]
    ((left, told, moment),), end = time_left.record(command)
    assert (left, told) == (0.5, "3 to 9 min left")
    assert moment <= end
    assert time_left.minutes(125.4) == "2:05"
