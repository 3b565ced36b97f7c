"""What programs use of the grader: the names that are promised, and the page that shows them."""

from __future__ import annotations

import ast
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader import api
from tests.grader.batch.conftest import small_rubric

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/python.md"
TO_GRADE = {"grade", "grade_class", "load_course", "render_html"}
VALUES = {"ClassFolder", "Course", "LineComment", "MarkChange", "Report"}
ERRORS = {
    *("Busy", "DiskError", "GraderError", "InputError", "IntakeError", "MazeFileError", "RubricError"),
    *("SandboxError", "Undecided"),
}
FOR_A_SERVICE = {
    *("Answer", "ClassEntry", "CourseRules", "Done", "ExerciseDone", "Job"),
    *(
        "LARGEST_ARCHIVE_BYTES",
        "LookRequest",
        "MachineFault",
        "ReleaseFolder",
        "ResultFolder",
        "StopRequests",
        "UploadReading",
        "Workers",
    ),
    *(
        "check_course",
        "choose_sandbox",
        "counted_stop_requests",
        "die_with_parent",
        "encode_csv",
        "names_tell",
    ),
    *(
        "free_name",
        "load_rules",
        "most_seconds_now",
        "open_cluster",
        "read_points",
        "safe_name",
        "start_workers",
    ),
}
WITHOUT_GRADING = {"disk", "errors", "languages", "model", "points", "text"}


def test_these_names_are_promised() -> None:
    assert set(api.__all__) == TO_GRADE | VALUES | ERRORS | FOR_A_SERVICE
    assert len(api.__all__) <= 45
    assert [name for name in TO_GRADE | VALUES | ERRORS if not getattr(api, name).__doc__] == []


def test_the_service_uses_each_of_those_that_are_there_for_it() -> None:
    used = {
        alias.name
        for path in (ROOT / "grader/serve").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ImportFrom) and node.module == "grader.api"
        for alias in node.names
    }
    assert used >= FOR_A_SERVICE


def test_the_service_uses_nothing_else_that_grades() -> None:
    """The contract names all modules but these, those too that come later."""
    modules = {
        path.stem
        for path in (ROOT / "grader").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [forbidden] = [
        each["forbidden_modules"] for each in contracts if each.get("source_modules") == ["grader.serve"]
    ]
    assert {name.removeprefix("grader.") for name in forbidden} == modules - {
        "__init__",
        "api",
        "serve",
        *WITHOUT_GRADING,
    }


@pytest.mark.processes
def test_the_page_grades_one_and_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "inf100").mkdir()
    small_rubric(tmp_path / "inf100")
    shutil.copytree(ROOT / "reference/solvers", tmp_path / "ada/solvers")
    shutil.copytree(tmp_path / "ada", tmp_path / "submissions/ada")
    (tmp_path / "submissions/bob").mkdir()
    (tmp_path / "submissions/bob/notes.txt").write_text("nothing yet")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(block, names)  # noqa: S102 - of ours
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ["ada: 100 of 100", "dfs.valid-path passed "]
    assert told[5:7] == ["{'ada': 100.0, 'bob': None}", "ada: 100 -> 90"]
    assert told[7].startswith("refused bob refused: ")
    assert {path.name for path in Path("feedback/ada").iterdir()} >= {"results.json", "feedback.html"}
    assert '<html lang="nb"' in names["page"]
    assert b"90" in names["book"]
    assert api.Report.read("feedback/ada").data == names["report"].data
