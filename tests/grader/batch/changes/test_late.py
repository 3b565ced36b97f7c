"""Lateness laid over results that are there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.batch.conftest import Grader


@pytest.mark.parametrize("explained", [(), ("--no-explain",)])
def test_lateness_is_laid_over_marks_with_explanations_and_without(
    tmp_path: Path,
    class_folder: Path,
    rubric: Path,
    bubblewrap: str,
    capsys: pytest.CaptureFixture[str],
    explained: tuple[str, ...],
) -> None:
    out, dated, times = tmp_path / "out", tmp_path / "rubric" / "rubric.yaml", tmp_path / "times.csv"
    shutil.copytree(class_folder / "ada", tmp_path / "class" / "ada")
    shutil.copytree(rubric.parent, dated.parent)
    dated.write_text(dated.read_text() + "late: {deadline: 2026-10-01T23:59:00+02:00, per_day: 10}\n")
    times.write_text("student,time\nada,2026-10-02T12:00:00+02:00\n")
    batch = Grader(tmp_path / "class", out, rubric, "--sandbox", bubblewrap, *explained)
    assert batch.finish()[0] == 0
    arguments = ["late", str(out), "--rubric", str(dated)]
    assert main([*arguments, "--times", str(times)]) == 0
    assert capsys.readouterr().out == "1 of 1 marks changed\nada: 100 -> 90\n"
    dated.write_text(dated.read_text().replace("seed: 1", "seed: 2"))
    assert main(arguments) == 1
    assert "expected the rubric of these results, changed only in its key 'late'" in capsys.readouterr().err
