"""The corpus is whole: what each submission must get is written so that it can be checked."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from grader.course.course_folder import EDITS
from grader.exercises import registry
from grader.model import Status
from grader.errors import InputError
from tests.submissions import loader
from tests.submissions.loader import (
    EXERCISES,
    FILES,
    KINDS,
    Case,
    base,
    cases,
    edited,
    home,
    read_table,
    sources,
)

CHECKS = {name: [id_.partition(".")[2] for id_ in titles] for name, titles in registry.titles().items()}
STATUSES = {*get_args(Status)} - {"passed", "skipped"}


def test_expectations_name_what_there_is() -> None:
    assert {str(case): found for case in cases() if (found := [*unknown(case)])} == {}


def unknown(case: Case) -> Iterator[str]:
    expectation = case.expectation
    yield from expectation.may_lose - set(EXERCISES)
    yield from set(expectation.exercises) & expectation.may_lose
    for exercise, loss in expectation.exercises.items():
        named = {*loss.lost, *loss.lost_at_least, *loss.lost_one_of}
        yield from named - {f"{exercise}.{check}" for check in CHECKS[exercise]}
        yield from set(loss.status) - STATUSES


def test_each_entry_has_its_submission() -> None:
    alike = [str(case) for case in cases() if case.files() == base() and not case.links()]
    assert alike == ["right/plain"]
    named = [case for case in cases() if "file" in case.settings and case.name not in edited(case.kind)]
    files = {case: home(case.kind) / case.kind / f"{case.name}.py" for case in named}
    assert [str(case) for case, file in files.items() if not file.is_file()] == []


@pytest.mark.parametrize("kind", KINDS)
def test_each_submission_has_its_entry_in_a_sorted_table(kind: str) -> None:
    paths = [path for path in (home(kind) / kind).iterdir() if path.is_file() or any(sources(path))]
    names = [*edited(kind), *(path.name.removesuffix(".py") for path in paths if path.name != EDITS)]
    assert sorted(names) == sorted(set(names))
    assert set(names) <= set(loader.table(kind))
    assert list(loader.table(kind)) == sorted(loader.table(kind))
    for case in cases(kind):
        losses = bool(case.expectation.exercises)
        assert losses or kind != "wrong"
        assert not losses or kind != "right"


def test_the_base_has_a_file_for_each_exercise() -> None:
    assert set(base()) == set(FILES.values())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("one: {description: a, slowly: true}", "wrong.yaml: one: unknown key 'slowly'"),
        ("one: {description: a, dfs: {loses: [shapes]}}", "wrong.yaml: one: dfs: unknown key 'loses'"),
        ("one: a\ntwo: b\none: c", "line 1: one stands there twice"),
        ("one:\n  dfs: {}\n  dfs: {zero: true}", "line 2: dfs stands there twice"),
    ],
    ids=["of an entry", "of a loss", "name twice", "key twice"],
)
def test_a_table_with_an_unknown_or_second_key_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(loader.TableError, match=f"^{complaint}$"):
        read_table(path)


@pytest.mark.parametrize(
    ("entry", "target"),
    [
        ("dfs-stack: {description: a, bfs: {}}", "solvers/dfs.py"),
        ("loops: {description: a, bfs: {}, may_lose: [dfs]}", "solvers/bfs.py"),
        ("loops: {description: a, bfs: {}, dfs: {}, file: solvers/dijkstra.py}", "solvers/dijkstra.py"),
    ],
    ids=["by its name", "by what loses", "by its word"],
)
def test_a_file_alone_stands_for_one_of_the_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, target: str
) -> None:
    case = alone(tmp_path, monkeypatch, entry)
    assert case.files() == {target: b"x = 1\n"}


@pytest.mark.parametrize("entry", ["loops: nothing", "loops: {description: a, bfs: {}, dfs: {}}"])
def test_a_file_alone_that_could_be_any_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    case = alone(tmp_path, monkeypatch, entry)
    with pytest.raises(InputError, match="^loops: expected the key file"):
        case.files()


def alone(folder: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> Case:
    """The only case of a corpus: a file by itself, and no base."""
    monkeypatch.setattr(loader, "HERE", folder)
    monkeypatch.setattr(loader, "base", dict)
    monkeypatch.setattr(loader, "table", lambda kind: read_table(folder / f"{kind}.yaml"))
    (folder / "hostile.yaml").write_text(entry, encoding="utf-8")
    (case,) = cases("hostile")
    (folder / "hostile").mkdir()
    (folder / "hostile" / f"{case.name}.py").write_text("x = 1\n", encoding="utf-8")
    return case


def test_materialise_writes_files_and_links(tmp_path: Path) -> None:
    case, folder = Case("right", "folder-for-a-file"), tmp_path / "files"
    case.materialise(folder)
    written = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert written == case.files()
    assert (folder / "solvers/dfs.py").is_dir()
    Case("bad", "symlink-to-passwd").materialise(tmp_path / "links")
    assert (tmp_path / "links/solvers/dfs.py").is_symlink()
    assert (tmp_path / "links/solvers/bfs.py").is_file()
