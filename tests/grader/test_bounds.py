"""What may decide a mark, or what people compare, and was not looked at or not whole, is never a pass.

One table names the bounds, with an input that reaches each and the item that it becomes; whoever adds such a
bound adds a line. Bounds of explaining, of pages and of requests make no item.
"""

from __future__ import annotations

import io
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple, NoReturn

import pytest

from grader.batch.code_text import CODE_BYTES, code_of
from grader.batch.report import similarity
from grader.batch.report.rows import items_of
from grader.batch.report.similar_groups import SHOWN, Alike, group_similar
from grader.batch.report.similarity import Look, look_at, unpack
from grader.exercises.analysis.kind import KIND, judge_first
from grader.intake.archives import _MOST_ARCHIVES
from grader.intake.files import Caps, Refusal
from grader.intake.selection import _MOST_EXAMINED, MOST_TWINS
from grader.intake.submissions import read_submission, submission_at
from grader.model import Submission
from grader.reader import Reader
from tests.grader.words import english

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("_reads_here")]

KIB = 1024
Told = str | None
"""The text of the item that an input becomes; None if it becomes none."""


def endless(*_: object, **__: object) -> NoReturn:
    while True:
        pass


# --- intake -----------------------------------------------------------------------------------------


def handed_in(files: Mapping[str, bytes], folder: Path, caps: Caps | None = None) -> Told:
    """Hand in a zip of these files; stars before a name keep equal names apart here."""
    with zipfile.ZipFile(folder / "ada.zip", "w", zipfile.ZIP_DEFLATED) as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of equal names
        for path, content in files.items():
            packed.writestr(path.lstrip("*"), content)
    return asked(folder / "ada.zip", caps)


def asked(path: Path, caps: Caps | None = None) -> Told:
    remarks = read_submission(path, caps=caps or Caps()).remarks
    return next((english(each.message) for each in remarks if each.kind == "unseen"), None)


def numbered(count: int, content: bytes = b"x = 1\n", name: str = "part{}.py") -> dict[str, bytes]:
    return {name.format(number): content + str(number).encode() for number in range(count)}


def tarred(folder: Path) -> Told:
    with tarfile.open(folder / "ada.tar", "w") as packed:
        for number in range(9):
            info = tarfile.TarInfo(f"part{number}.py")
            info.size = 3
            packed.addfile(info, io.BytesIO(b"x=1"))
    return asked(folder / "ada.tar", Caps(members=8))


def in_a_folder(folder: Path) -> Told:
    (folder / "ada").mkdir()
    for name in numbered(9):
        (folder / "ada" / name).write_bytes(b"x = 1\n")
    return asked(folder / "ada", Caps(members=8))


def inner_archives(count: int, junk: bytes = b"") -> dict[str, bytes]:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr("notes.md", junk)
    return {f"part{number}.zip": content.getvalue() for number in range(count)}


def too_costly(folder: Path, bounds: Mapping[str, Any]) -> Told:
    """Hand in what takes longer, or more memory, to read than a reader has."""
    (folder / "ada").mkdir()
    (folder / "ada" / "dfs.py").write_text("x = 1\n", encoding="ascii")
    (folder / "ada" / "lab.zip").write_bytes(bytes(20 * KIB * KIB))
    try:
        submission_at(folder / "ada", Reader(**{"cpu_seconds": 10, "memory_bytes": 64 * KIB * KIB, **bounds}))
    except Refusal as refused:
        return f"refused: {refused}"
    return None


def unread_analysis(_: Path) -> Told:
    """Grade a file of literals that cannot be read within bounds."""
    assert KIND.reads is not None
    reading: Any = KIND.reads(lambda: "name = 'Ada'", lambda *_: None)
    finding = judge_first(reading.returned, "first_room", "room")
    return english(finding.message) if finding is not None and finding.status == "unmarked" else None


# --- work that is alike -----------------------------------------------------------------------------


def compared(alike: Alike) -> Told:
    return "; ".join(item.text for item in items_of([], alike, {})) or None


def long_code(_: Path) -> Told:
    code = code_of(Submission("ada", {"solvers/dfs.py": b"x = 1\n" * CODE_BYTES}))
    look = unpack(look_at(code))
    assert look is not None
    return compared(group_similar({"ada": look}))


def without_prints(_: Path) -> Told:
    """Compare code of which no fingerprints can be taken within bounds."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(similarity, "_fingerprints", endless)
        patched.setattr(Reader, "of", lambda _: Reader(0.5, 512 * KIB * KIB))
        look = unpack(look_at(code_of(Submission("ada", {"solvers/dfs.py": b"x = 1\n"}))))
    assert look is not None
    return compared(group_similar({"ada": look}))


def many_pairs(_: Path) -> Told:
    look = Look("one", (("dfs.py", "digest", True),), tuple(range(100)))
    return compared(group_similar({f"s{number:02}": look for number in range(14)}))


def many_groups(_: Path) -> Told:
    """Compare pairs that share nine tenths of their fingerprints, each pair its own."""
    looks = {
        f"s{number:03}{name}": Look(f"{number}{name}", (), tuple(range(first, first + 100)))
        for number in range(SHOWN + 1)
        for name, first in (("a", 1000 * number), ("b", 1000 * number + 5))
    }
    told = compared(group_similar(looks))
    return told and told.partition("; ")[0]


class Bound(NamedTuple):
    """A bound, what reaches it, and a part of the item that comes of it."""

    where: str
    reach: Callable[[Path], Told]
    told: str


MANY_ARCHIVES = inner_archives(_MOST_ARCHIVES + 1)
BIG = b"#" * (200 * KIB) + b"\n"
BOUNDS = {
    "files that are examined": Bound(
        "grader.intake.selection:_MOST_EXAMINED",
        partial(handed_in, numbered(_MOST_EXAMINED + 1)),
        f"files of code beyond the first {_MOST_EXAMINED}",
    ),
    "code that is examined": Bound(
        "grader.intake.files:Caps.total_bytes",
        partial(handed_in, numbered(3, BIG), caps=Caps(total_bytes=250 * KIB)),
        "code beyond the first",
    ),
    "files that are kept": Bound(
        "grader.intake.files:Caps.files",
        partial(handed_in, numbered(4), caps=Caps(files=2)),
        "code beyond the first",
    ),
    "archives in an archive": Bound(
        "grader.intake.archives:_MOST_ARCHIVES",
        partial(handed_in, MANY_ARCHIVES),
        f"archives beyond the first {_MOST_ARCHIVES}",
    ),
    "bytes of archives in an archive": Bound(
        "grader.intake.files:Caps.archive_bytes",
        partial(handed_in, inner_archives(2, BIG), caps=Caps(archive_bytes=250 * KIB)),
        "what came after the first",
    ),
    "bytes that are read": Bound(
        "grader.intake.files:Caps.read_bytes",
        partial(handed_in, numbered(3, BIG), caps=Caps(read_bytes=300 * KIB)),
        "what came after the first",
    ),
    "files of one name": Bound(
        "grader.intake.selection:MOST_TWINS",
        partial(handed_in, {"*" * number + "dfs.py": b"x" * number for number in range(MOST_TWINS + 1)}),
        f"more than {MOST_TWINS} files of one name",
    ),
    "entries of a tar": Bound("grader.intake.files:Caps.members", tarred, "it holds more than 8 entries"),
    "entries of a folder": Bound(
        "grader.intake.files:Caps.members", in_a_folder, "what came after the first 8 files and folders"
    ),
    "seconds of a reader": Bound(
        "grader.model:Limits.reader_cpu_seconds",
        partial(too_costly, bounds={"cpu_seconds": 0.001}),
        "refused",
    ),
    "memory of a reader": Bound(
        "grader.model:Limits.reader_memory_bytes",
        partial(too_costly, bounds={"memory_bytes": KIB * KIB}),
        "refused",
    ),
    "an exercise that is read": Bound(
        "grader.model:Limits.reader_cpu_seconds", unread_analysis, "reading analysis.py took too much"
    ),
    "code that is compared": Bound("grader.batch.code_text:CODE_BYTES", long_code, "compared in part"),
    "fingerprints": Bound(
        "grader.model:Limits.reader_cpu_seconds", without_prints, "only equal files are found"
    ),
    "pairs of a group": Bound(
        "grader.batch.report.similar_groups:_PAIRS", many_pairs, "12 of 13 pairs are side by side"
    ),
    "groups": Bound(
        "grader.batch.report.similar_groups:SHOWN", many_groups, f"beyond the {SHOWN} that are listed: 1"
    ),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_that_is_reached_is_told(name: str, tmp_path: Path) -> None:
    bound = BOUNDS[name]
    module, _, constant = bound.where.partition(":")
    resolve_name(f"{module}:{constant.partition('.')[0]}")
    assert bound.told in (bound.reach(tmp_path) or "")
