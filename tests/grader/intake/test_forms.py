"""The forms of names: a platform's holds for a whole set or not at all, and a person may give another one."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.errors import InputError
from grader.intake.bulk_download import recognise_platform, unpack
from grader.intake.class_listing import find_hand_ins, place_of_students
from grader.intake.submissions import class_within, read_hand_in
from grader.model import Limits
from grader.platforms.base import propose_form, reader_of
from grader.reader import Reader
from tests.grader.intake.downloads import place
from tests.grader.intake.shapes import RIGHT, name_of, zipped

WORDS = st.sampled_from(["ada", "bob", "lab", "group", "anon"])
NUMBERS = st.integers(1, 4)
ENDS = st.sampled_from(["ada.zip", "bob.zip", "lab.zip", "lab-1.zip", "dfs.py"])


@given(st.sets(st.tuples(WORDS, NUMBERS, NUMBERS, ENDS), min_size=1, max_size=6))
def test_what_is_taken_for_canvas_agrees_with_itself(parts: set[tuple[str, int, int, str]]) -> None:
    paths = [Path("_".join(map(str, each))) for each in sorted(parts)]
    found = recognise_platform(paths, lambda _: "")
    assert {item.path for item in found.items} | {*found.others} == {*paths}
    if found.platform:
        names, numbers = defaultdict(set), defaultdict(set)
        for item in found.items:
            names[item.id].add(item.student)
            numbers[item.number].add(item.name.replace("-1", ""))
        assert all(len(each) == 1 for each in (*names.values(), *numbers.values()))
    else:
        assert found.doubt


@pytest.mark.parametrize(
    ("form", "files"),
    [
        ("canvas", ["lab_2026_10_01_{}.zip"]),
        ("canvas", ["lab_1_{n}_{}.zip"]),
        ("canvas", ["group_{n}_2026_{}/solvers/dfs.py"]),
        ("canvas", ["group_{n}_{n}_{}.zip"]),
        ("canvas", ["{}@example.org_1_maze_1_70{n}_2026-10-01_lab.zip"]),
        ("moodle", ["{}_55_assignsubmission_file_/lab.zip"]),
    ],
)
def test_names_that_only_look_like_a_platforms_are_a_plain_folder(
    tmp_path: Path, form: str, files: list[str]
) -> None:
    for n, who in enumerate(("ada", "bob", "eve"), 1):
        for file in files:
            place(tmp_path, file.format(who, n=n))
    found = find_hand_ins(tmp_path)
    assert (found.platform, len(found.hand_ins)) == ("", 3)
    assert found.told[0].startswith(f"not taken for a download of {form.title()}")


STUDENTS = st.lists(
    st.from_regex(r"[a-z]{2,5}[,(@ ][a-z]{1,4}", fullmatch=True), min_size=2, unique=True, max_size=4
)
FORMS = (
    "{student}_file{n}_submission{attempt}",
    "{student}_Submission attachment(s)_{rest}",
    "x - {student} - {rest}",
)


@given(st.sampled_from(FORMS), STUDENTS, st.integers(2, 3), st.sampled_from(["", ".py"]))
@example(FORMS[0], ["ada a", "bob b"], 2, "")
def test_the_form_that_is_proposed_names_the_students(
    form: str, who: list[str], count: int, end: str
) -> None:
    rests = ["my_generator.py", "dfs.py", "x_y_z.py"]
    numbers = [(n, m) for n in range(1, count + 1) for m in range(1, 3)]
    names = {
        form.format(student=each, n=n, attempt=m, rest=rests[n - 1]) + ("" if "rest" in form else end): each
        for each in who
        for n, m in numbers
    }
    proposed = propose_form([*names])
    assert proposed == form
    read = reader_of(proposed)
    assert {name: item.student for name in names if (item := read(Path(name)))} == names


@given(
    st.lists(st.from_regex(r"[a-z]{1,5}( [a-z]{1,5})?", fullmatch=True), min_size=1, max_size=6, unique=True)
)
def test_a_file_for_each_student_has_no_form(who: list[str]) -> None:
    assert propose_form([f"lab_{each}.zip" for each in who]) == ""


def test_loose_files_are_read_by_the_form_that_is_given(tmp_path: Path) -> None:
    for who in ("123", "456"):
        for n, file in enumerate(RIGHT):
            for attempt in (2, 10):
                content = RIGHT[file] if attempt == 10 else b"class DFS: old = 1\n"
                place(tmp_path, f"{who}_file{n}_submission{attempt}", content)
    place(tmp_path, "notes.txt", b"kept beside it")
    (line,) = find_hand_ins(tmp_path, names="").told
    form = re.search("--names '(.*)'", line)
    assert form
    found = find_hand_ins(tmp_path, names=form[1])
    assert [(each.name, each.student, each.attempts) for each in found.hand_ins] == [
        ("123", "123", 2),
        ("456", "456", 2),
    ]
    assert {name_of(path) for path in read_hand_in(found.hand_ins[0]).files} >= {
        name_of(path) for path in RIGHT
    }
    assert found.passed_over == ("notes.txt",)


@pytest.mark.parametrize("form", ["", "{n}", "{student}_{student}", "{who}", "{student}_{}"])
def test_a_form_that_does_not_say_whose_a_file_is_is_refused(form: str) -> None:
    with pytest.raises(InputError, match=r"expected \{student\}"):
        reader_of(form)


def test_a_form_that_no_name_has_is_refused(tmp_path: Path) -> None:
    place(tmp_path, "ada.zip")
    with pytest.raises(
        InputError,
        match=r"expected names of the form \{student\}_\{rest\} \(--names\), found none, as ada.zip",
    ):
        find_hand_ins(tmp_path, names="{student}_{rest}")


@pytest.mark.processes
@pytest.mark.parametrize("is_class", [True, False])
def test_a_class_in_one_more_folder_is_seen(
    tmp_path: Path, is_class: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in ("ada", "bob") if is_class else ("lab v1", "lab v2"):
        files = {path: text + f"{who[-1]}x = 1\n".encode() for path, text in RIGHT.items()}
        place(tmp_path, f"class/[1]Week 2/a/{who}.zip", zipped(files))
    (hand_in,) = find_hand_ins(tmp_path / "class").hand_ins
    inner = class_within(hand_in.sources[0], Reader.of(Limits()))
    assert inner == (tmp_path / "class/[1]Week 2/a" if is_class else None)
    monkeypatch.chdir(tmp_path)
    place_in, glob = place_of_students([Path("class")], "class/[[]1]Week 2/a/*")
    assert len(find_hand_ins(place_in, students=glob or "").hand_ins) == 2


@pytest.mark.parametrize("typed", [["class/ada", "class/bob"], ["class/*"]])
def test_students_that_are_named_are_no_sections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: list[str]
) -> None:
    for who in ("ada", "bob"):
        place(tmp_path, f"class/{who}/solvers/dfs.py", b"class DFS: pass\n")
    monkeypatch.chdir(tmp_path)
    folder, glob = place_of_students([*map(Path, typed)], "")
    assert [each.name for each in find_hand_ins(folder, students=glob or "").hand_ins] == ["ada", "bob"]


LEFT = (
    *(
        "Icon\r",
        "Thumbs.db:encryptable",
        "thumbs.db",
        "@eaDir/x",
        "#recycle/dfs.py",
        "$RECYCLE.BIN/S-1/dfs.py",
    ),
    *("System Volume Information/x", "lost+found/dfs.py", "__MACOSX/._x", "~$lab.docx", "Desktop.ini"),
    *(
        "ada.zip:Zone.Identifier",
        "lovelaceada_101_7001_lab.zip:Zone.Identifier",
        "ada.zip\uf03aZone.Identifier",
    ),
)


@pytest.mark.parametrize("is_packed", [True, False])
def test_what_systems_leave_is_neither_a_student_nor_a_part_of_the_work(
    tmp_path: Path, is_packed: bool
) -> None:
    left = dict.fromkeys(LEFT, b"[ZoneTransfer]\nZoneId=3\n")
    files = {
        **left,
        "ada.zip": zipped({**RIGHT, **left}),
        **{f"bob/{path}": text for path, text in left.items()},
    }
    files |= {f"bob/{path}": text for path, text in RIGHT.items()}
    if is_packed:
        folder = unpack(place(tmp_path, "class.zip", zipped(files)), tmp_path / "class").folder
    else:
        folder = tmp_path / "class"
        for path, content in files.items():
            place(folder, path, content)
    found = find_hand_ins(folder)
    assert ([each.name for each in found.hand_ins], found.passed_over) == (["ada", "bob"], ())
    read = [read_hand_in(each) for each in found.hand_ins]
    assert [(each.files, each.remarks) for each in read] == [(dict(sorted(RIGHT.items())), ())] * 2
