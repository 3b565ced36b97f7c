"""A folder of an exercise that is wrong in any way is refused, with the file and what to do."""

from __future__ import annotations

import pickle
import shutil
import zipfile
from pathlib import Path

import pytest

from grader.batch.report.similarity import all_given_code
from grader.course.exercise_folder import SHIPPED
from grader.course.plan import load_plan, make_plan
from grader.errors import InputError
from grader.exercises.kit.folders.code import KNOWN
from grader.exports.gradescope import build_autograder
from grader.intake import read_submission
from grader.shipped import template
from grader.verification.bank import SHIPPED as BANK
from grader.verification.bank import load_bank
from lab.exercises import BY_ID, BY_NAME, EXERCISES, FILES, LAB_EXERCISES

pytestmark = pytest.mark.usefixtures("_reads_here")

MAZE = "name: One\ncatches: nothing\nvisibility: public\nmaze: |\n  +-+-+\n  |S E|\n  +-+-+\n"
RUBRIC = """
title: One exercise
examples: 5
own_exercises: [walker]
exercises: {wall_follower: {checks: {wall_follower.perfect: 100}}}
"""


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    """A course with a copy of the shipped exercise in a folder that its rubric names."""
    shutil.copytree(SHIPPED / "wall_follower", tmp_path / "walker")
    (tmp_path / "mazes").mkdir()
    (tmp_path / "mazes" / "one.yaml").write_text(MAZE)
    path = tmp_path / "rubric.yaml"
    path.write_text(RUBRIC)
    return path


def change(rubric: Path, file: str, old: str, new: str) -> None:
    path = rubric.parent / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_course_knows_its_own_exercises_until_the_next_one_is_read(rubric: Path) -> None:
    load_plan(rubric)
    assert [each.id for each in EXERCISES] == [*(each.id for each in LAB_EXERCISES), "wall_follower"]
    assert FILES[-1] == BY_ID["wall_follower"].file == BY_NAME["WallFollower"].file
    rubric.write_text("title: Two\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 100}}}\n")
    load_plan(rubric)
    assert list(LAB_EXERCISES) == EXERCISES
    assert not KNOWN
    assert set(BY_ID) == {each.id for each in LAB_EXERCISES}


def test_its_file_is_recognised_by_another_name_and_as_it_was_handed_out(
    rubric: Path, tmp_path: Path
) -> None:
    load_plan(rubric)
    folder = tmp_path / "ada"
    folder.mkdir()
    code = (SHIPPED / "wall_follower" / "reference.py").read_bytes()
    (folder / "Wall_Follower (1).py").write_bytes(code)
    submission = read_submission(folder)
    assert submission.files["solvers/wall_follower.py"] == code
    assert [remark.kind for remark in submission.remarks] == ["moved"]
    assert submission.holds_an_exercise
    (folder / "solvers").mkdir()
    (folder / "solvers" / "wall_follower.py").write_bytes(
        (SHIPPED / "wall_follower" / "skeleton.py").read_bytes()
    )
    assert read_submission(folder).files["solvers/wall_follower.py"] == code


def test_a_worker_elsewhere_makes_the_plan_of_the_rubric_alone(rubric: Path) -> None:
    plan = load_plan(rubric)
    sent = pickle.loads(pickle.dumps(plan.rubric))  # noqa: S301 - as Dask sends it
    shutil.rmtree(rubric.parent / "walker")
    assert sent.digest == plan.rubric.digest
    assert [check.id for check in make_plan(sent).exercises[0].checks] == ["wall_follower.perfect"]


def test_the_digest_follows_the_code_of_the_exercise(rubric: Path) -> None:
    before = load_plan(rubric).rubric.digest
    change(rubric, "walker/judge.py", '"""Judge whether', '"""Judge if')
    assert load_plan(rubric).rubric.digest != before


def test_the_autograder_for_gradescope_holds_the_folder(rubric: Path, tmp_path: Path) -> None:
    build_autograder(tmp_path / "autograder.zip", load_plan(rubric).rubric)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as packed:
        assert {"course/walker/judge.py", "course/rubric.yaml"} <= set(packed.namelist())
    (tmp_path / "inside").mkdir()
    moved = rubric.rename(tmp_path / "inside" / "rubric.yaml")
    (rubric.parent / "mazes").rename(tmp_path / "inside" / "mazes")
    change(moved, "rubric.yaml", "[walker]", "[../walker]")
    with pytest.raises(InputError, match="expected the exercises below the folder of the rubric"):
        build_autograder(tmp_path / "other.zip", load_plan(moved).rubric)


def test_verify_knows_its_answer_and_its_skeleton(rubric: Path) -> None:
    (own,) = load_plan(rubric).rubric.own_exercises
    reference, untouched, *others = load_bank(BANK)
    assert reference.files[own.file] == own.reference.encode()
    assert untouched.files[own.file] == own.skeleton.encode()
    assert {known.name for known in (reference, untouched, *others) if own.id in known.exercises} == {
        "reference",
        "template",
    }


def test_what_is_handed_out_is_nobodys_own_work(rubric: Path) -> None:
    (own,) = load_plan(rubric).rubric.own_exercises
    given = all_given_code()
    assert {*template(), own.skeleton.encode(), own.public_tests.encode()} <= {*given}
