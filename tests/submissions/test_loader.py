"""The corpus is whole: what each submission must get is written so that it can be checked."""

from pathlib import Path
from typing import Any

import pytest

from grader.checks import TITLES
from tests.submissions.loader import EXERCISES, KINDS, Case, cases

CHECKS = {name: [id_.partition(".")[2] for id_ in titles] for name, titles in TITLES.items()}
STATUSES = {"failed", "crashed", "timeout", "out-of-memory", "output-limit", "violation", "missing"}
KEYS = {
    "description",
    "exercises",
    "may_lose",
    "message_contains",
    "forbidden_text",
    "slow",
    "base",
    "remove",
    "files",
    "links",
}


def every() -> list[Any]:
    return [pytest.param(case, id=f"{case.kind}/{case.name}") for case in cases()]


@pytest.mark.parametrize("case", every())
def test_expectation_names_what_there_is(case: Case) -> None:
    expectation = case.expectation
    assert set(case.settings) <= KEYS
    assert set(expectation.exercises) | expectation.may_lose <= set(EXERCISES)
    assert not set(expectation.exercises) & expectation.may_lose
    for exercise, loss in expectation.exercises.items():
        named = {*loss.lost, *loss.lost_at_least, *loss.lost_one_of}
        assert named <= {f"{exercise}.{check}" for check in CHECKS[exercise]}
        assert set(loss.status) <= STATUSES


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_says_what_it_is_about(kind: str) -> None:
    for case in cases(kind):
        losses = bool(case.expectation.exercises)
        assert losses or kind != "wrong"
        assert not losses or kind != "right"


def test_the_corpus_is_wide() -> None:
    counts = {kind: len(cases(kind)) for kind in KINDS}
    assert counts["right"] >= 70
    assert counts["wrong"] >= 225
    assert counts["bad"] >= 60
    assert counts["hostile"] >= 110


def test_materialise_writes_the_files(tmp_path: Path) -> None:
    case = Case("bad", "folder-for-a-file")
    case.materialise(tmp_path)
    written = {p.relative_to(tmp_path).as_posix(): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert written == case.files()
    assert (tmp_path / "solvers/dfs.py").is_dir()


def test_materialise_makes_links(tmp_path: Path) -> None:
    Case("bad", "symlink-to-passwd").materialise(tmp_path)
    assert (tmp_path / "solvers/dfs.py").is_symlink()
    assert (tmp_path / "solvers/bfs.py").is_file()
