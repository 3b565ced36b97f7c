"""Whatever is handed in, in any form and under any names: the last counts, and nothing gets lost."""

from __future__ import annotations

import hashlib
import itertools
import keyword
import os
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from grader.errors import InputError, IntakeError, Undecided
from grader.intake import read_submission
from grader.intake.bulk_download import is_left_behind, unpack
from grader.intake.candidates import is_newer
from grader.intake.choice import check_is_one_student
from grader.intake.class_listing import find_hand_ins
from grader.intake.names import is_junk, is_leftover
from grader.intake.submissions import read_hand_in, submission_at
from grader.model import Limits, Submission
from grader.reader import Reader
from grader.text import shown
from lab.exercises import FILES
from tests.grader.intake.downloads import place
from tests.grader.intake.shapes import (
    PACKERS,
    RIGHT,
    TEMPLATE,
    Files,
    below,
    flat,
    in_folder,
    name_of,
    notebook,
    tarred,
    zipped,
)
from tests.grader.intake.told import questions

few = settings(max_examples=20, suppress_health_check=list(HealthCheck))
DFS, BFS = "solvers/dfs.py", "solvers/bfs.py"


def hand_in(folder: str, files: Files) -> Submission:
    return read_submission(in_folder(files)(Path(folder)))


# --- attempts -------------------------------------------------------------------------------------

NAMES: Final = ("v{}", "lab v{}", "Version {}", "Lab ({})", "solution_v{}", "SolutionV{}", "part 2/lab {}")
NUMBERS: Final = st.lists(st.integers(1, 12), min_size=2, max_size=6, unique=True)


def in_folders(name: str, files: Files) -> Files:
    return below(f"{name}/", files)


def in_flat_folders(name: str, files: Files) -> Files:
    return flat(files, f"{name}/")


def in_zips(name: str, files: Files) -> Files:
    return {f"{name}.zip": zipped(files)}


def in_notebooks(name: str, files: Files) -> Files:
    return {f"{name}.ipynb": notebook(*files.values())}


def as_one_file(name: str, files: Files) -> Files:
    return {f"{name}.py": files[DFS]}


FORMS: Final = (in_folders, in_flat_folders, in_zips, in_notebooks, as_one_file)


@settings(max_examples=25)
@given(st.sampled_from(FORMS), st.sampled_from(NAMES), NUMBERS, st.booleans())
@example(in_folders, "v{}", [3, 1, 2], False)
def test_of_any_number_of_attempts_the_last_counts(
    form: Callable[[str, Files], Files], name: str, numbers: list[int], has_plain: bool
) -> None:
    """One without a number is the oldest; in which order they came makes no difference."""
    plain = name.format("").rstrip(" vV_()") if has_plain else ""
    attempts = {**({plain: 0} if plain else {}), **{name.format(n): n for n in numbers}}
    files: dict[str, bytes] = {}
    for called, number in attempts.items():
        files |= form(called, {DFS: b"class DFS: X = %d\n" % number, BFS: b"class BFS: X = %d\n" % number})
    with TemporaryDirectory() as folder:
        submission = hand_in(folder, files)
    graded = b"".join(submission.files.values())
    assert [n for n in attempts.values() if b"X = %d\n" % n in graded] == [max(numbers)]
    (told,) = (each.message for each in submission.remarks if each.message.key == "said.intake_versions")
    assert dict(told.values)["count"] == len(attempts)
    assert questions(submission) == []


@given(st.sampled_from(NAMES), NUMBERS, st.sampled_from(["", ".zip", "/a/b.py"]))
def test_the_greater_number_is_newer_and_no_two_are_newer_than_each_other(
    name: str, numbers: list[int], rest: str
) -> None:
    for one, other in itertools.product(numbers, repeat=2):
        assert is_newer(name.format(one) + rest, name.format(other) + rest) == (one > other)


# --- packed in any way ----------------------------------------------------------------------------


CLOUDS: Final = st.sampled_from(
    ["Users", "Mobile Documents", "com~apple~CloudDocs", "OneDrive - " + "x" * 60]
)


@few
@given(st.lists(CLOUDS, min_size=10, max_size=40), st.sampled_from(["folder", *PACKERS]))
@example(["Users"] * 40, "folder")
def test_folders_around_all_files_count_towards_no_limit(around: list[str], way: str) -> None:
    rubbish = {".DS_Store": b"", "__MACOSX/x": b""}
    files = below("/".join([*around, ""]), RIGHT | {"1/2/3/4/5/6/7/8/9/10/11/12/deep.py": b""}) | rubbish
    with TemporaryDirectory() as folder:
        packed = Path(folder, f"ada.{way}")
        if way in PACKERS:
            packed.write_bytes(PACKERS[way](files))
        read = read_submission(packed if way in PACKERS else in_folder(files)(Path(folder)))
    assert {path: read.files[path] for path in RIGHT} == RIGHT
    assert [each.message.key for each in read.remarks] == ["said.intake_left_out"]


WAYS: Final = st.lists(st.sampled_from(["folder", *PACKERS]), max_size=3).filter(
    lambda ways: len([way for way in ways if way in PACKERS]) < 3  # the third archive is not opened
)
SHAPES: Final = {
    "right": RIGHT,
    "flat": flat(),
    "one": {BFS: RIGHT[BFS]},
    "capitals": {"Solvers/BFS.py": RIGHT[BFS], "Search.py": RIGHT["solvers/search.py"]},
    "copies": {"bfs (1).py": RIGHT[BFS], "notes.txt": b"I am done."},
    "template": TEMPLATE | {"bfs.docx": b"PK\3\4"},
    "notebook": {"lab.ipynb": notebook(*RIGHT.values()), "a.png": b"\x89PNG"},
    "odd": {"src/a b.py": b"class DFS: pass\n", "src/\u00e5.py": b"x = 1\n", "README.md": b"# Lab\n"},
    "nothing": {"README.md": b"# Lab\n", "report.pdf": b"%PDF"},
}


@few
@given(st.sampled_from(sorted(SHAPES)), WAYS, st.sampled_from(["lab", "My Lab 2", "\u00e5"]))
@example("right", ["zip", "folder", "tar.gz"], "lab")
@example("flat", ["7z", "zip"], "lab")
def test_a_hand_in_is_read_the_same_however_it_is_packed(shape: str, ways: list[str], name: str) -> None:
    files = SHAPES[shape]
    for way in ways:
        files = below(f"{name}/", files) if way == "folder" else {f"{name}.{way}": PACKERS[way](files)}
    with TemporaryDirectory() as here, TemporaryDirectory() as there:
        plain, found = hand_in(here, SHAPES[shape]), hand_in(there, files)
        top, *others = {path.split("/")[0] for path in files}
        alone = found if others or not ways else read_submission(Path(there, "ada", top))
    assert plain.files == found.files == alone.files
    kinds = [{each.kind for each in read.remarks} - {"opened", "note"} for read in (plain, found, alone)]
    assert kinds == [kinds[0]] * 3


# --- names ----------------------------------------------------------------------------------------

PARTS: Final = st.sampled_from(
    [
        *("solvers", "Solvers", "src", "lab.zip", "a" * 230, "..", ".git", "__pycache__", "__MACOSX"),
        *("dfs.py", "DFS.py", "bfs.py", "bfs.txt", "tools.py", "tools.pyc", "tools.py~", "x.rar"),
        *(
            "a\u200db.py",
            "ab.py",
            "\u202fc.py",
            ".d.py",
            ".bfs.py.icloud",
            "lab.ipynb",
            "e\u0301.py",
            "\u00e9.py",
        ),
    ]
)
PATHS: Final = st.lists(PARTS, min_size=1, max_size=3).map("/".join)


def by_zip(folder: Path, files: Files) -> Path:
    (folder / "ada.zip").write_bytes(zipped(files))
    return folder / "ada.zip"


def by_tar(folder: Path, files: Files) -> Path:
    (folder / "ada.tgz").write_bytes(tarred(files))
    return folder / "ada.tgz"


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(st.sampled_from([by_zip, by_tar]), st.lists(PATHS, min_size=1, max_size=6, unique=True))
@example(by_zip, ["solvers/dfs.py", "tools.py", "src/solvers/bfs.py"])
@example(by_zip, ["Solvers/dfs.py", "solvers/dfs.py", "a/../b.py"])
def test_each_file_is_read_or_told_of_or_left_behind_by_a_system(
    form: Callable[[Path, Files], Path], paths: list[str]
) -> None:
    contents = {path: b"X = %d\n" % number for number, path in enumerate(paths)}
    with TemporaryDirectory() as folder, suppress(InputError):
        submission = read_submission(form(Path(folder), contents))
        kept = {*submission.files.values()}
        lost = [path for path, content in contents.items() if content not in kept]
        named = {each.source for each in submission.remarks}
        untold = [path for path in lost if not {shown(path), shown(cleaned(path))} & named]
        junk = [each for each in untold if is_junk(tuple(each.split("/"))) or is_leftover(cleaned(each))]
        outside = [
            dict(each.message.values) for each in submission.remarks if "root" in dict(each.message.values)
        ]
        assert len(untold) - len(junk) <= sum(int(str(each["count"])) for each in outside)


def cleaned(path: str) -> str:
    return path.replace("\u200d", "").replace("\u202f", " ").replace("e\u0301", "\u00e9")


@given(
    st.integers(2, 6), st.sampled_from(["", "b/", "d/e/"]), st.sampled_from(["helper.py", "a.tar.gz", "b"])
)
@settings(max_examples=20)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_all_files_of_one_name_in_a_download_are_kept(count: int, around: str, name: str) -> None:
    with TemporaryDirectory() as folder:
        archive = Path(folder, "class.zip")
        with zipfile.ZipFile(archive, "w") as packed:
            for number in range(count):
                packed.writestr(f"{around}{name}", b"%d" % number)
        unpacked = unpack(archive, Path(folder, "class"))
        kept = [path.read_bytes() for path in Path(folder, "class").rglob("*") if path.is_file()]
    assert sorted(kept) == [b"%d" % number for number in range(count)]
    assert unpacked.problems == ()


@given(st.permutations(range(5)), st.integers(2, 5))
@settings(max_examples=20)
def test_each_file_of_one_name_on_a_platform_gets_a_name_of_its_own(order: list[int], count: int) -> None:
    """In the order of their numbers there; but of archives, the last is what counts."""
    numbers = sorted(order[:count])
    with TemporaryDirectory() as folder:
        for number in order[:count]:
            Path(folder, f"ada_101_{9000 + number}_helper.py").write_bytes(b"X = %d\n" % number)
            Path(folder, f"bob_102_{9100 + number}_lab.zip").write_bytes(zipped({DFS: b"# %d\n" % number}))
        ada, bob = (read_hand_in(each).files for each in find_hand_ins(Path(folder)).hand_ins)
    names = ["helper.py", *(f"helper ({n}).py" for n in range(2, count + 1))]
    assert ada == {name: b"X = %d\n" % number for name, number in zip(names, numbers, strict=True)}
    assert bob == {DFS: b"# %d\n" % numbers[-1]}


MODULES: Final = sorted(
    name for name in sys.stdlib_module_names if name.isidentifier() and not name.startswith("_")
)


@settings(max_examples=10)
@given(st.sampled_from([*MODULES, "lab"]), st.sampled_from(["tools", "my_queue", "stack"]))
def test_a_helper_is_taken_unless_it_is_called_as_a_module_of_python(standard: str, own: str) -> None:
    assume(not keyword.iskeyword(standard))
    code = f"import {standard}, {own}\nclass DFS: pass\n".encode()
    files = {DFS: code, f"solvers/{standard}.py": b"A = 1\n", f"solvers/{own}.py": b"B = 1\n"}
    with TemporaryDirectory() as beside, TemporaryDirectory() as alone:
        found = hand_in(beside, files).files
        several = hand_in(alone, {f"{standard}.py": RIGHT[DFS] + RIGHT[BFS]}).files
    assert found == files | {f"{own}.py": b"B = 1\n"}
    assert f"handed_in/{standard}.py" in several


# --- a class --------------------------------------------------------------------------------------

CONTENTS: Final = {
    "code": b"class DFS:\n    pass\n",
    "other code": b"import os\n",
    "text": b"hello",
    "nothing": b"",
    "a zip": zipped({DFS: b"class DFS: pass\n"}),
    "no zip": b"PK\3\4",
    "a picture": b"\x89PNG",
    "a notebook": notebook("class DFS: pass"),
}
ENTRIES: Final = st.dictionaries(
    st.builds(
        "{}{}".format,
        st.sampled_from(["ada", "Ada L", "bob", ". Eve", "\u00e5se", "x\u202e", "con", "_", "~", "v1"]),
        st.sampled_from(
            [
                *(
                    "",
                    ".zip",
                    ".py",
                    ".txt",
                    ".7z",
                    ".rar",
                    ".tar.zst",
                    ".ipynb",
                    ".json",
                    ".csv",
                    ".zip.icloud",
                ),
                *("_101_9001_lab.zip", "_7_assignsubmission_file_", ".pdf", ".PY", " ", ".dmg", "~"),
            ]
        ),
    ),
    st.one_of(
        st.sampled_from(sorted(CONTENTS)),
        st.sampled_from(["a link", "a broken link"]),
        st.dictionaries(
            st.sampled_from(["dfs.py", "solvers", "lab.zip", ".git", "v2", "notes.txt"]),
            st.sampled_from(sorted(CONTENTS)),
            max_size=3,
        ),
    ),
    min_size=1,
    max_size=6,
)


def lay(path: Path, what: str | Mapping[str, str]) -> None:
    if isinstance(what, str) and what.endswith("link"):
        path.symlink_to("/etc" if what == "a link" else "nowhere")
    elif isinstance(what, str):
        path.write_bytes(CONTENTS[what])
    else:
        path.mkdir()
        for name, content in what.items():
            lay(path / name, content)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(ENTRIES)
def test_all_that_lies_in_a_class_is_a_row_or_told_or_left_behind(
    entries: Mapping[str, str | Mapping[str, str]],
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for called, what in entries.items():
            lay(folder / called, what)
        with suppress(IntakeError):
            listing = find_hand_ins(folder)
            rows = listing.hand_ins
            sources = [path for each in rows for path in each.sources]
            taken = {folder / path.relative_to(folder).parts[0] for path in sources}
            taken |= {path for path in folder.iterdir() for each in rows if f"_{each.id}_" in path.name}
            untold = [
                path for path in folder.iterdir() if path not in taken and not is_left_behind(path.name)
            ]
            assert {shown(path.name) for path in untold} <= {*listing.passed_over}
            assert max(Counter(each.name.casefold() for each in rows).values()) == 1
            assert len(sources) == len({*sources})
            for row in rows:
                with suppress(InputError):
                    read = read_hand_in(row)
                    assert read.remarks or any(file in read.files for file in FILES)


# --- several attempts in one submission: a person is asked where no number tells --------------------


OLD = {path: content + b"# old\n" for path, content in RIGHT.items()}
NEW = {path: content + b"# new\n" for path, content in RIGHT.items()}
WITHOUT_DFS = {path: content for path, content in NEW.items() if path != DFS}

OPEN = (
    ("Lab", "Lab copy"),
    ("draft", "final"),
    ("final", "final v2 final"),
    ("lab1", "lab2"),
    ("v1.9", "v1.10"),
    ("2026-10-01", "2026-10-08"),
    ("01.10.2026", "08.10.2026"),
    ("1. Versuch", "2. Versuch"),
    ("lab.zip", "lab"),
    ("part 1 v1", "part 2 v2"),
    ("v1", "v2 final"),
    ("v1", ""),
)


def test_nothing_else_in_a_name_tells_the_newer() -> None:
    assert [names for names in OPEN if is_newer(*names) or is_newer(*reversed(names))] == []


def read(folder: Path, files: Files, *chosen: str) -> Submission:
    """What is read of a student's folder, which is the same of a zip and in a class."""
    for path, content in files.items():
        place(folder, f"class/ada/{path}", content)
    place(folder, "class/bob.zip", zipped(RIGHT))
    archive = place(folder, "ada.zip", zipped(files))
    ada, _ = find_hand_ins(folder / "class").hand_ins
    of_class = read_hand_in(ada, chosen)
    assert of_class.files == read_submission(archive, chosen=chosen).files
    return of_class


UNDECIDED: Mapping[str, tuple[Files, str, str]] = {
    "draft and final": (below("draft/", OLD) | below("final/", NEW), "draft/", "final/"),
    "around": (OLD | below("final/", NEW), "./", "final/"),
    "a zip": (OLD | {"lab.zip": zipped(NEW)}, "./", "lab.zip/"),
    "the last lacks one": (below("v1/", OLD) | below("v2/", WITHOUT_DFS), "v1/", "v2/"),
    "the last is damaged": (below("v1/", OLD) | {"v2.zip": b"PK\3\4 damaged"}, "v1/", "v2.zip"),
    "the last is cut short": (below("v1/", OLD) | {"v2/lab.ipynb": b"{"}, "v1/", "v2/"),
    "one file beside an archive": (
        {"lab.zip": zipped(NEW | {DFS: OLD[DFS]}), "dfs.py": NEW[DFS]},
        f"lab.zip/{DFS}",
        "dfs.py",
    ),
    "a name with a number, and another": (
        WITHOUT_DFS | {"solvers/dfs_v3.py": OLD[DFS], "solvers/dfs_final.py": NEW[DFS]},
        "solvers/dfs_v3.py",
        "solvers/dfs_final.py",
    ),
    "capitals": (OLD | {"solvers/DFS.py": NEW[DFS]}, DFS, "solvers/DFS.py"),
}


@pytest.mark.parametrize("shape", UNDECIDED)
def test_whatever_else_differs_is_undecided_until_a_person_has_chosen(tmp_path: Path, shape: str) -> None:
    files, *names = UNDECIDED[shape]
    for chosen in ((), names):
        with pytest.raises(Undecided, match="found 2 that may count") as caught:
            read(tmp_path, files, *chosen)
        assert {each.name for each in caught.value.candidates} == {*names}
        assert all(name in str(caught.value) for name in names)
    one, other = (read(tmp_path, files, name, "no such name") for name in names)
    assert one.files != other.files


@pytest.mark.processes
def test_a_candidate_tells_its_time_and_its_contents(tmp_path: Path) -> None:
    for path, content in (below("a/", OLD) | below("b/", WITHOUT_DFS)).items():
        os.utime(
            place(tmp_path, path, content), (0, 1_790_000_000 if path.startswith("b/") else 1_780_000_000)
        )
    with pytest.raises(Undecided) as caught:
        submission_at(tmp_path, Reader.of(Limits()))
    one, other = caught.value.candidates
    assert (one.modified, other.modified) == ("2026-05-28T20:26:40+00:00", "2026-09-21T14:13:20+00:00")
    assert one.files == {file: hashlib.sha256(OLD[file]).hexdigest() for file in FILES}
    assert other.files == {file: hashlib.sha256(NEW[file]).hexdigest() for file in FILES if file != DFS}


def alternating(*names: str) -> dict[str, bytes]:
    return {f"{names[number % len(names)]}/{path}": text for number, (path, text) in enumerate(NEW.items())}


@pytest.mark.parametrize(
    "files",
    [
        below("v1/", NEW) | below("v2/", TEMPLATE),
        below("v1/", OLD) | below("v2/lab/src/", NEW),
        below("v1/", OLD) | {"v2.zip": zipped(NEW)},
        below("v1/", {DFS: OLD[DFS]}) | below("v2/", NEW),
        alternating("submission 1", "submission 2"),
        alternating("maze A", "maze B"),
        {f"task {last}/{name_of(path)}": NEW[path] for last in range(1, 7) for path in list(NEW)[:last]},
        NEW | {"old/notes.py": b"x = 1\n", "hello world.py": b"print(1)\n"},
        NEW | {"lab.ipynb": notebook(*OLD.values())},
        NEW | {"dfs.py": OLD[DFS], "solvers/dfs copy.py": OLD[DFS]},
    ],
)
def test_what_has_one_right_answer_is_graded(tmp_path: Path, files: dict[str, bytes]) -> None:
    graded = read(tmp_path, files).files
    assert all(b"# new" in graded[path] for path in RIGHT)


@pytest.mark.parametrize("form", FORMS[:4])
def test_a_class_is_not_one_student(tmp_path: Path, form: Callable[[str, Files], Files]) -> None:
    for inside in (OLD, RIGHT):  # work that is the same, too
        files = {**form("ada", RIGHT), **form("bob", inside)}
        archive = place(tmp_path, "class.zip", zipped(below("class/", files)))
        with pytest.raises(InputError, match=r"found 2 \(ada.*, bob.*\): use grader batch"):
            read_submission(archive, check=check_is_one_student)
