"""What a change can touch is graded; nothing that it cannot, but a sample."""

from __future__ import annotations

import pytest

from tests.submissions.loader import cases
from tests.touched import BESIDE, DECIDES, ONE_OF, ROOT, choice

ALL = len(cases())
SAMPLE = len(choice(["README.md", "grader/batch/worker.py"]).chosen)


def names(*changed: str) -> set[str]:
    return {f"{case.kind}/{case.name}" for case in choice(changed).chosen}


def test_of_what_nothing_touches_there_is_a_sample_of_all_kinds() -> None:
    assert SAMPLE == -(-ALL // ONE_OF)
    assert {case.kind for case in choice([]).chosen} == {case.kind for case in cases()}
    assert (
        choice([]).told().startswith(f"{SAMPLE} of {ALL} submissions of the corpus are graded: nothing else")
    )


@pytest.mark.parametrize(
    "path",
    [
        "constraints.txt",
        "grader/exercises/kit/solvers/checks.py",
        "grader/inside/child.py",
        "grader/mazes/a.yaml",
        "grader/new_folder/new.py",
        "lab/maze.py",
        "reference/solvers/bfs.py",
        "grader/verification/submissions/base/solvers/bfs.py",
    ],
)
def test_what_decides_a_mark_may_touch_all(path: str) -> None:
    found = choice(["README.md", path])
    assert len(found.chosen) == ALL
    assert found.told().endswith(f"are graded: {path} has changed, which may touch any mark")


@pytest.mark.parametrize("kind_and_name", [f"{case.kind}/{case.name}" for case in cases()[1:4]])
def test_a_submission_that_has_changed_is_graded(kind_and_name: str) -> None:
    assert kind_and_name not in names()
    assert names(f"tests/submissions/{kind_and_name}.py") == {*names(), kind_and_name}
    assert names(f"tests/submissions/{kind_and_name}/solvers/bfs.py") == {*names(), kind_and_name}


def test_a_table_that_has_changed_touches_its_kind() -> None:
    bad = {f"{case.kind}/{case.name}" for case in cases("bad")}
    assert names("tests/submissions/bad.yaml") == names() | bad


def test_what_is_set_aside_is_there() -> None:
    assert [path for path in (*DECIDES, *BESIDE) if not (ROOT / path).exists()] == []
