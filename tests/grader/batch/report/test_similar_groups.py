"""Submissions that are alike, in pairs and groups."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lab
from grader.batch.code_text import CODE_BYTES, as_text, code_of, code_with, files_in
from grader.batch.journal import Journal, JournalRow
from grader.batch.report import similar_groups as kept
from grader.batch.report import similarity
from grader.batch.report.rows import items_of
from grader.batch.report.similar_groups import FILE, FOLDER, Alike, looks_of
from grader.batch.report.similarity import CUT, Look, Pair, look_at, unpack
from grader.model import Submission
from grader.shipped import template
from lab.exercises import EXERCISES, FILES
from tests.submissions.loader import Case

pytestmark = pytest.mark.processes

STYLES = ("dfs-own-stack", "bfs-by-levels", "dijkstra-heap-counter", "perfection-union-find")
Codes = list[tuple[str, bytes]]


def looks(codes: Codes) -> dict[str, Look]:
    return {name: look for name, code in codes if (look := unpack(look_at(code)))}


def pairs_of(codes: Codes) -> list[Pair]:
    return similarity.pairs_of(looks(codes))


def group_similar(codes: Codes) -> Alike:
    return kept.group_similar(looks(codes))


def find_similar(out: Path, codes: Codes, against: Path | None) -> Alike:
    """Compare a class whose results are filed in ``out``."""
    with Journal(out) as journal:
        known = dict(journal.code([name for name, _ in codes]))
        for name, code in codes:
            if known.get(name) != code:
                journal.record(JournalRow(name, "key", "graded", 1.0, ""), b"{}", b"", code)
        return kept.find_similar(out, journal, [name for name, _ in codes], against)


def codes(*names: str) -> Codes:
    found = []
    for name in names:
        files = sorted(Case("right", name).files().items())
        found.append((name, b"\n".join(content for path, content in files if path.endswith(".py"))))
    return found


def own_code(name: str, lines: int) -> bytes:
    """Code that is like no other, whatever its names."""
    rng = random.Random(name)
    parts = ("+ a", "* (b, c)", "- [a]", "and {a: b}", "or not a", "% a[b]", "/ a(b)", "in {a, b, c}")
    written = (" ".join(rng.choices(parts, k=9)) for _ in range(lines))
    return "".join(f"{name}_{number} = a {line}\n" for number, line in enumerate(written)).encode()


def renamed(code: bytes) -> bytes:
    return code.replace(b"heap", b"pile").replace(b"position", b"place")


def test_a_copy_with_other_names_is_seen_and_the_given_code_is_not() -> None:
    base = codes(*STYLES)
    copy = renamed(dict(base)["dijkstra-heap-counter"])
    pairs = pairs_of([*base, ("copy", copy)])
    assert ("copy", "dijkstra-heap-counter") in {(pair.one, pair.other) for pair in pairs}
    assert pairs_of([("template", b"\n".join(template())), ("empty", b"\xff\x00(")]) == []


def test_code_that_is_given_from_now_on_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where another course of the service begins with an exercise of its own."""
    given = own_code("skeleton", 60)
    both = [("ada", given), ("bob", given)]
    assert pairs_of(both) == [Pair("ada", "bob", 1.0)]
    monkeypatch.setattr(similarity, "all_given_code", lambda: (*template(), given))
    assert pairs_of(both) == []


@pytest.mark.ci
def test_pairs_grow_with_the_class_and_not_with_its_square() -> None:
    copies = [(f"{name}{number:03}", own_code(name, 60)) for name in ("a", "b") for number in range(200)]
    found = pairs_of([*copies, ("other", own_code("other", 60))])
    assert len(found) == 2 * 199
    assert {(pair.one, pair.share) for pair in found} == {("a000", 1.0), ("b000", 1.0)}


def test_what_many_write_is_taught() -> None:
    taught = own_code("taught", 20)
    class_ = [(name, taught + own_code(name, 20)) for name in map(str, range(8))]
    assert pairs_of(class_) == []
    assert len(pairs_of([*class_, ("copy", class_[0][1])])) == 1


@pytest.mark.parametrize(
    "unit", ["'\\N{", "\\N{", "'", '"""', "\\\n", " ", "((", "\x0b", "\u2028", "\r", f"{' ' * 2000}x\n"]
)
def test_the_lexer_is_given_nothing_that_it_takes_long_for(unit: str) -> None:
    """Neither long lines nor many blank ones: some take time that grows with the square of their length."""
    text = as_text(b"x = 1\n" + (unit * 60_000).encode()[:10_000_000] + b"\ny = 2\n")
    lines = text.split("\n")
    assert max(map(len, lines)) <= 1000
    assert all(line or following for line, following in pairwise(lines[:-1]))
    assert (lines[0], lines[-2]) == ("x = 1", "y = 2")


def indented(code: bytes) -> bytes:
    """Return code with 250 spaces for each space before a line."""
    lines = code.decode().splitlines()
    return "\n".join(" " * 249 * (len(line) - len(line.lstrip())) + line for line in lines).encode()


def on_long_lines(code: bytes) -> bytes:
    """Return code whose lines are longer than the lexer is given."""
    return code.replace(b" = ", b" = " + b" " * 1200).replace(b"(", b"( " + b" " * 1200)


@pytest.mark.parametrize("laid_out", [indented, on_long_lines])
def test_a_copy_is_found_however_it_is_laid_out(laid_out: Callable[[bytes], bytes]) -> None:
    files = Case("right", "dijkstra-heap-counter").files()
    copy = {path: laid_out(content) if path.endswith(".py") else content for path, content in files.items()}
    works = [Submission("ada", files), Submission("bob", copy)]
    (pair,) = pairs_of([(work.name, code_of(work)) for work in works])
    assert pair.share > 0.8


@pytest.mark.parametrize("file", [FILES[0], FILES[-1], "a_helper.py"])
def test_a_copy_behind_junk_is_found_and_named_as_compared_in_part(file: str) -> None:
    files = Case("right", "dijkstra-heap-counter").files()
    files = {path: content for path, content in files.items() if path.endswith(".py")}
    junk = own_code("junk", CODE_BYTES // 16)
    copy = code_of(Submission("bob", {**files, file: junk + files.get(file, b"")}))
    assert len(copy) <= CODE_BYTES
    assert re.findall(rb"(?m)^# ={6} (.*)\t$", copy) == [file.encode()]
    found = group_similar([("ada", code_of(Submission("ada", files))), ("bob", copy)])
    assert [group.names for group in found.groups] == [("ada", "bob")]
    assert [names for names, text in found.unseen if text == CUT] == [("bob",)]
    (item,) = [item for item in items_of([], found, {}) if item.kind == "unseen"]
    assert (item.names, item.text) == (("bob",), CUT)


def test_what_students_get_is_no_part_of_long_work() -> None:
    root = Path(lab.__file__).parent
    kit = {f"lab/{path.relative_to(root)}": path.read_bytes() for path in root.rglob("*.py")}
    work = {
        path: text for path, text in Case("right", "dijkstra-heap-counter").files().items() if path in FILES
    }
    assert sum(map(len, kit.values())) > CODE_BYTES
    assert files_in(code_of(Submission("ada", {**work, **kit}))).keys() == work.keys()


GENERATOR = "generators/my_generator.py"


def code(style: str, **changed: bytes) -> bytes:
    """The code of a right submission, as the journal keeps it."""
    files = {path: content for path, content in Case("right", style).files().items() if path.endswith(".py")}
    return code_of(Submission("x", {**files, **changed}))


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


def _template(file: str) -> bytes:
    return (Path(__file__).parents[4] / "student_template" / file).read_bytes()


def test_pairs_stand_side_by_side(tmp_path: Path) -> None:
    copy = renamed(code("dijkstra-heap-counter")).replace(b"class Dijkstra", b'"<script>"\nclass Dijkstra')
    codes = [("ada", code("dijkstra-heap-counter")), ("bob", copy)]
    (group,) = find_similar(tmp_path, codes, None).groups
    (pair,) = group.pairs
    assert pair.page.startswith(f"{FOLDER}/")
    page = (tmp_path / pair.page).read_text(encoding="utf-8")
    assert page.count("<script>") == 0
    assert "&lt;script&gt;" in page
    assert page.count("<mark>") > 4


def test_what_was_found_is_kept_until_somebodys_code_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = [("ada", code("plain")), ("bob", code("plain"))]
    found = find_similar(tmp_path, codes, None)
    with monkeypatch.context() as patched:
        patched.setattr(kept, "group_similar", None)
        patched.setattr(kept, "look_at", None)
        assert find_similar(tmp_path, codes, None) == found
    page = tmp_path / found.groups[0].pairs[0].page
    page.unlink()
    assert find_similar(tmp_path, codes, None) == found
    assert page.is_file()
    assert find_similar(tmp_path, [("ada", code("plain")), ("bob", b"")], None) == Alike()
    assert not page.exists()
    (tmp_path / FILE).write_text("{}")
    assert find_similar(tmp_path, codes, None) == found


def test_one_more_costs_one_look_and_its_own_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [("ada", code("plain")), ("bob", code("plain"))]
    before = find_similar(tmp_path, codes, None)
    (page,) = (tmp_path / FOLDER).iterdir()
    written, looked = page.stat().st_mtime_ns, list[bytes]()

    def noted(code: bytes) -> bytes:
        looked.append(code)
        return look_at(code)

    monkeypatch.setattr(kept, "look_at", noted)
    other = code(STYLES[0]) + own_code("cleo", 5)
    after = find_similar(tmp_path, [*codes, ("cleo", other)], None)
    assert looked == [other]
    assert page.stat().st_mtime_ns == written
    assert {pair.page for group in after.groups for pair in group.pairs} >= {
        pair.page for group in before.groups for pair in group.pairs
    }


LOOKS = """
from tests.grader.batch.report.test_similar_groups import STYLES, code, look_at
print(*(look_at(code(style)).hex() for style in STYLES))
"""


def test_looks_are_the_same_in_each_run() -> None:
    """Python's hash, by which copydetect makes fingerprints, differs in each."""
    found = {
        subprocess.run(
            [sys.executable, "-c", LOOKS],
            cwd=Path(__file__).parents[4],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_a_look_that_was_changed_is_made_anew(tmp_path: Path) -> None:
    find_similar(tmp_path, [("ada", code("plain"))], None)
    for damaged in (b"", b"x", look_at(b"x = 1")[:40]):
        with Journal(tmp_path) as journal:
            journal.keep_look("ada", damaged)
            assert looks_of(journal, ["ada"]) == looks([("ada", code("plain"))])


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


LINES = st.sampled_from(["# ====== x.py", "# =======", "#", "x = 1", "", "# ====== ", "# ===== y"])


@given(st.dictionaries(st.sampled_from(["solvers/dfs.py", "b.py", "c d.py"]), st.lists(LINES).map("\n".join)))
def test_no_line_of_a_student_is_taken_for_the_name_of_a_file(texts: dict[str, str]) -> None:
    files = {path: text.encode() for path, text in texts.items()}
    assert files_in(code_with(files)) == files
