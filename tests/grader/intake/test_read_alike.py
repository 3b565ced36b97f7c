"""A hand-in is read alike by ``grade``, ``batch`` and the service, also where little is readable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from grader.errors import Undecided
from grader.intake import candidates
from grader.intake.choice import check_is_one_student
from grader.intake.class_listing import HandIn, find_hand_ins, with_files
from grader.intake.files import Refusal
from grader.intake.submissions import submission_at, submission_of
from grader.model import Limits, Submission
from grader.reader import Reader
from grader.shipped import template
from tests.golden.inputs import ROOT
from tests.grader.intake.shapes import RIGHT, SHAPES, TEMPLATE, as_zip, zipped


class Here(Reader):
    """A reader that does its work in this process."""

    def __init__(self) -> None:
        super().__init__(60.0, 2**30)

    def read(self, work: Callable[[], Any], kind: Any, paths: Iterable[Path] = ()) -> Any:
        return work()


def outcome(read: Callable[[], Submission]) -> object:
    try:
        submission = read()
    except (Refusal, Undecided) as error:
        return type(error).__name__
    return submission.files if submission.holds_an_exercise else "Refusal"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hand_in_is_read_alike(tmp_path: Path, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "of", lambda _: Here())
    (tmp_path / "class").mkdir()
    made = SHAPES[shape][0]
    path = (made if callable(made) else as_zip(made))(tmp_path / "class")
    upload, label = path, path.name
    if path.is_dir():
        inside = {
            each.relative_to(path).as_posix(): each.read_bytes() for each in path.rglob("*") if each.is_file()
        }
        upload, label = tmp_path / "000-ada.zip", "ada.zip"
        upload.write_bytes(zipped(inside))
    graded = outcome(lambda: submission_at(path, Here(), check=check_is_one_student))
    assert (
        outcome(lambda: submission_of(with_files(HandIn("upload", ()), [(upload, label)]), Here())) == graded
    )
    if path.suffix == ".py" and graded == "Refusal":
        return  # beside a class, it is a paper of a teacher
    (hand_in,) = find_hand_ins(tmp_path / "class").hand_ins
    assert outcome(lambda: submission_of(hand_in, Here())) == graded


@pytest.mark.processes
def test_a_child_knows_the_template_where_it_may_not_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a checkout that is installed to be edited: no entry of the path leads to it."""
    path = as_zip(RIGHT | {"solvers/dfs.py": TEMPLATE["solvers/dfs.py"], "dfs.py": RIGHT["solvers/dfs.py"]})(
        tmp_path
    )
    monkeypatch.setattr(sys, "path", [each for each in sys.path if Path(each or ".").resolve() != ROOT])
    template.cache_clear()
    candidates._templates.cache_clear()
    read = submission_at(path, Reader.of(Limits()))
    assert read.files["solvers/dfs.py"] == RIGHT["solvers/dfs.py"]
