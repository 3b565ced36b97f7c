"""Groups of submissions that are alike, the pages that show them side by side, and how they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch.earlier_work import earlier_codes
from grader.batch.job import code_of, code_with, files_in
from grader.batch.journal import Journal, JournalRow
from grader.batch.report import similarity_pages as kept
from grader.batch.report.review_items import items_of
from grader.batch.report.similar_groups import Alike, group_similar
from grader.batch.report.similarity import DisjointSets
from grader.batch.report.similarity_pages import FILE, FOLDER, find_similar
from grader.errors import InputError
from grader.model import Submission
from lab.exercises import EXERCISES
from tests.grader.batch.report.test_similarity import STYLES, own_code, renamed
from tests.submissions.loader import Case

GENERATOR = "generators/my_generator.py"
Codes = list[tuple[str, bytes]]


def code(style: str, **changed: bytes) -> bytes:
    """The code of a right submission, as the journal keeps it."""
    files = {path: content for path, content in Case("right", style).files().items() if path.endswith(".py")}
    return code_of(Submission("x", {**files, **changed}))


def test_code_falls_apart_into_its_files_again() -> None:
    files = {GENERATOR: b"a = 1\n", "solvers/dfs.py": b"b = 2", "own.py": b"", "notes.txt": b"c"}
    whole = code_of(Submission("x", files))
    found = {path: content.rstrip() for path, content in files_in(whole).items()}
    assert found == {"solvers/dfs.py": b"b = 2", GENERATOR: b"a = 1", "own.py": b""}
    assert next(iter(found)) == "solvers/dfs.py"
    assert files_in(b"a = 1\nb = 2\n") == {"": b"\na = 1\nb = 2\n"}
    assert files_in(b"") == {}


def test_six_of_seven_that_are_identical_are_one_group() -> None:
    same = code("plain")
    codes: Codes = [(f"copy{number}", same) for number in range(6)]
    (group,) = group_similar([*codes, ("other", own_code("other", 60))]).groups
    assert group.names == tuple(f"copy{number}" for number in range(6))
    assert group.text.startswith("100 % of the smaller one's own code; identical: ")
    assert GENERATOR in group.text
    assert len(group.pairs) == 5
    assert {name for pair in group.pairs for name in (pair.one, pair.other)} == set(group.names)


def test_of_many_copies_some_are_shown_side_by_side() -> None:
    same = code("plain")
    (group,) = group_similar([(f"copy{number:02}", same) for number in range(40)]).groups
    assert (len(group.names), len(group.pairs)) == (40, 12)


def test_a_chain_of_copies_is_one_group() -> None:
    parts = [own_code(name, 9) for name in "abcdefghijkl"]
    chain = [(str(number), b"".join(parts[number : number + 10])) for number in range(3)]
    (group,) = group_similar([*chain, ("other", own_code("other", 90))]).groups
    assert group.names == ("0", "1", "2")
    assert len(group.pairs) == 2


@pytest.mark.parametrize(("lines", "names"), [(15, [("ada", "bob")]), (14, [])])
def test_one_file_that_is_the_same_by_the_letter_is_named(lines: int, names: list[tuple[str, ...]]) -> None:
    shared = own_code("shared", lines)
    codes = [
        (name, code_of(Submission(name, {GENERATOR: shared, "solvers/dfs.py": own_code(name, 90)})))
        for name in ("ada", "bob")
    ]
    found = group_similar([*codes, ("cleo", own_code("cleo", 90))]).groups
    by_letter = [each for each in found if each.text == f"identical: {GENERATOR}"]
    assert [each.names for each in by_letter] == names


def test_the_template_is_nobodys_own() -> None:
    template = {exercise.file: _template(exercise.file) for exercise in EXERCISES}
    same = code_of(Submission("x", template))
    assert group_similar([("ada", same), ("bob", same)]) == Alike()


def test_the_public_tests_are_nobodys_own() -> None:
    folder = Path(__file__).parents[4] / "student_template" / "tests"
    given = {f"tests/{path.name}": path.read_bytes() for path in folder.glob("*.py")}
    assert "tests/conftest.py" in given
    one, other = (code_of(Submission("x", {**given, "solvers/dfs.py": own})) for own in (b"x = 1", b"y = 2"))
    assert group_similar([("ada", one), ("bob", other)]) == Alike()


def _template(file: str) -> bytes:
    return (Path(__file__).parents[4] / "student_template" / file).read_bytes()


def test_identical_files_are_named_without_copydetect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.batch.report.similarity.find_spec", lambda name: None)
    found = group_similar([("ada", code("plain")), ("bob", code("plain"))])
    (group,) = found.groups
    assert group.text.startswith("identical: ")
    assert "install copydetect" in found.note


def test_groups_grow_together() -> None:
    groups = DisjointSets(["d", "c", "b", "a"])
    assert groups.join("a", "c")
    assert groups.join("c", "d")
    assert not groups.join("d", "a")
    assert groups.all() == [["a", "c", "d"], ["b"]]


def test_pairs_stand_side_by_side(tmp_path: Path) -> None:
    copy = renamed(code("dijkstra-heap-counter")).replace(b"class Dijkstra", b'"<script>"\nclass Dijkstra')
    codes = [("ada", code("dijkstra-heap-counter")), ("bob", copy)]
    (group,) = find_similar(tmp_path, codes, None).groups
    (pair,) = group.pairs
    assert pair.page == f"{FOLDER}/1.html"
    page = (tmp_path / pair.page).read_text(encoding="utf-8")
    assert page.count("<script>") == 0
    assert "&lt;script&gt;" in page
    assert page.index("solvers/dijkstra.py") < page.index(GENERATOR)
    assert "heappop(heap)" in page
    assert "heappop(pile)" in page.replace("pilepop", "heappop")
    assert page.count("<mark>") > 4


def test_what_was_found_is_kept_until_somebodys_code_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = [("ada", code("plain")), ("bob", code("plain"))]
    found = find_similar(tmp_path, codes, None)
    with monkeypatch.context() as patched:
        patched.setattr(kept, "group_similar", None)
        assert find_similar(tmp_path, codes, None) == found
    page = tmp_path / found.groups[0].pairs[0].page
    page.unlink()
    assert find_similar(tmp_path, codes, None) == found
    assert page.is_file()
    assert find_similar(tmp_path, [("ada", code("plain")), ("bob", b"")], None) == Alike()
    assert not page.exists()
    (tmp_path / FILE).write_text("{}")
    assert find_similar(tmp_path, codes, None) == found


@pytest.mark.parametrize("form", ["submissions", "results"])
def test_work_of_last_year(tmp_path: Path, form: str) -> None:
    last_year, out = tmp_path / "2025", tmp_path / "out"
    out.mkdir()
    if form == "submissions":
        Case("right", "plain").materialise(last_year / "zoe")
        Case("right", STYLES[0]).materialise(last_year / "yan")
    else:
        last_year.mkdir()
        with Journal(last_year) as journal:
            journal.record(JournalRow("zoe", "key", "graded", 1.0, ""), b"{}", b"", code("plain"))
            journal.record(JournalRow("yan", "key", "refused", 1.0, ""), b"{}", b"", code("plain"))
    before = {path: path.stat().st_mtime_ns for path in last_year.rglob("*")}
    (group,) = find_similar(out, [("ada", code("plain"))], last_year).groups
    assert group.names[:1] == ("ada",)
    assert "2025/zoe" in group.names
    assert "2025/zoe" in (out / group.pairs[0].page).read_text(encoding="utf-8")
    assert {path: path.stat().st_mtime_ns for path in last_year.rglob("*")} == before


def test_last_year_that_is_gone_is_told(tmp_path: Path) -> None:
    found = find_similar(tmp_path, [("ada", code("plain"))], tmp_path / "gone")
    assert "earlier work could not be compared: " in found.note
    with pytest.raises(InputError, match="expected a folder of submissions or of results"):
        earlier_codes(tmp_path / "gone")


def test_a_pair_that_is_alike_in_every_file_stands_first_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though each of its files is shared with somebody else."""
    monkeypatch.setattr("grader.batch.report.similar_groups.can_compare", lambda: False)
    parts = {file: own_code(file, 30) for file in ("dfs.py", "bfs.py")}
    both = code_with(parts)
    codes: Codes = [
        ("ada", code_with({"bfs.py": parts["bfs.py"], "own.py": own_code("ada", 30)})),
        ("bob", code_with({"dfs.py": parts["dfs.py"], "own.py": own_code("bob", 30)})),
        ("yan", both),
        ("zoe", both),
    ]
    groups = group_similar(codes).groups
    assert [(group.names, group.text) for group in groups] == [
        (("yan", "zoe"), "identical: dfs.py, bfs.py"),
        (("ada", "yan", "zoe"), "identical: bfs.py"),
        (("bob", "yan", "zoe"), "identical: dfs.py"),
    ]
    items = items_of([], Alike(groups), {})
    assert [item.submission for item in items] == ["yan", "ada", "bob"]
