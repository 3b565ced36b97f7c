"""Names and times from students' repositories, which may do nothing on the way."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import zipfile
import zlib
from datetime import datetime
from pathlib import Path

import pytest

from grader.intake import bulk_download
from grader.intake.class_listing import find_hand_ins
from grader.intake.git_history import own_commits, read_commits
from grader.intake.submissions import read_hand_in
from tests.grader.words import english
from tests.submissions.loader import base

pytestmark = pytest.mark.processes

TIME = "2026-10-03T23:59:00+02:00"


def git(folder: Path, *arguments: str, who: str = "Ada Lovelace", time: str = TIME) -> None:
    email = f"{who.split()[0].casefold()}@example.org"
    names = {
        f"GIT_{role}_{key}": text
        for role in ("AUTHOR", "COMMITTER")
        for key, text in (("NAME", who), ("EMAIL", email), ("DATE", time))
    }
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=settings | names)


def commit(folder: Path, text: str, *, who: str = "Ada Lovelace", time: str = TIME) -> None:
    (folder / "NOTES.md").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", text, who=who, time=time)


def repository(folder: Path, who: str = "Ada Lovelace", *, time: str = TIME) -> Path:
    """Make a repository that began with a template, and on which a student worked."""
    for path, content in base().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "template", who="Staff Member", time="2026-09-01T12:00:00+02:00")
    commit(folder, "work", who=who, time=time)
    return folder


def told(folder: Path) -> dict[str, tuple[str, str]]:
    found = {path: commits for path in folder.iterdir() if (commits := read_commits(path))}
    return {
        path.name: (each.name, each.time.isoformat() if each.time else "")
        for path, each in own_commits(found).items()
    }


@pytest.mark.parametrize("is_packed", [False, True])
def test_name_and_time_of_the_students_last_commit(tmp_path: Path, is_packed: bool) -> None:
    ada = repository(tmp_path / "lab-2-ada")
    alan = repository(tmp_path / "lab-2-alan", "Alan Turing", time="2026-10-04T01:00:00+00:00")
    for folder in (ada, alan):
        commit(folder, "format", who="classroom[bot]", time="2026-10-09T12:00:00+02:00")
        commit(folder, "feedback", who="Staff Member", time="2026-10-10T12:00:00+02:00")
        git(folder, *(("gc", "-q") if is_packed else ("fsck",)))
    found = find_hand_ins(tmp_path).hand_ins
    assert [(each.name, each.student, each.author, str(each.submitted)) for each in found] == [
        ("lab-2-ada", "lab-2-ada", "Ada Lovelace", "2026-10-03 23:59:00+02:00"),
        ("lab-2-alan", "lab-2-alan", "Alan Turing", "2026-10-04 01:00:00+00:00"),
    ]
    assert base().items() <= read_hand_in(found[0]).files.items()


@pytest.mark.parametrize("is_zip", [False, True])
@pytest.mark.parametrize("is_packed", [False, True])
def test_sha_256_and_a_folder_around_are_read(tmp_path: Path, is_packed: bool, is_zip: bool) -> None:
    folder = tmp_path / "class" / "ada" / "lab" / "work"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    commit(folder, "work")
    git(folder, *(("gc", "-q") if is_packed else ("fsck",)))
    if is_zip:
        shutil.make_archive(str(tmp_path / "class" / "ada"), "zip", tmp_path / "class" / "ada")
        shutil.rmtree(tmp_path / "class" / "ada")
    assert [*told(tmp_path / "class").values()] == [("Ada Lovelace", TIME)]


def test_two_repositories_side_by_side_and_references_in_tables_are_not_read(tmp_path: Path) -> None:
    for name in ("one", "other"):
        repository(tmp_path / "ada" / name)
    table = repository(tmp_path / "bob")
    shutil.move(table / ".git" / "refs", table / ".git" / "reftable")
    assert (read_commits(tmp_path / "ada"), read_commits(table)) == (None, None)


@pytest.mark.parametrize("more", [("--no-local",), ("--depth", "1")])
def test_a_checked_out_commit_and_a_clone(tmp_path: Path, more: tuple[str, ...]) -> None:
    first = repository(tmp_path / "first")
    git(first, "checkout", "-q", "--detach")
    (tmp_path / "class").mkdir()
    git(tmp_path, "clone", "-q", *more, first.as_uri(), "class/second")
    assert told(tmp_path / "class") == {"second": ("Ada Lovelace", TIME)}
    assert [commit.name for commit in read_commits(first) or []] == ["Ada Lovelace", "Staff Member"]


def test_nothing_of_a_repository_runs(tmp_path: Path) -> None:
    folder, trace = repository(tmp_path / "class" / "ada"), tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {trace}\n")
    script.chmod(0o755)
    programs = ("core.fsmonitor", "core.pager", "gpg.program", "core.sshCommand", "core.askPass")
    for key in (*programs, "diff.external"):
        git(folder, "config", key, str(script))
    git(folder, "config", "log.showSignature", "true")
    git(folder, "config", "remote.origin.url", f"ext::{script}")
    git(folder, "config", "remote.origin.promisor", "true")
    git(folder, "config", "extensions.partialClone", "origin")
    git(folder, "config", "alias.log", f"!{script}")
    (folder / ".git" / "hooks").mkdir(exist_ok=True)
    for hook in ("post-checkout", "reference-transaction", "pre-commit"):
        (folder / ".git" / "hooks" / hook).symlink_to(script)
    assert told(tmp_path / "class") == {"ada": ("Ada Lovelace", TIME)}
    for lost in (folder / ".git" / "objects").glob("??/*"):
        lost.chmod(0o644)
        lost.unlink()
    assert told(tmp_path / "class") == {}
    assert not trace.exists()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        *(("HEAD", text) for text in ("ref: refs/heads/../../../secret", "--output=/tmp/x", "")),
        *(("refs/heads/main", text) for text in ("0" * 40, "x" * 5_000_000)),
        *(("objects/info/alternates", "/"), ("config", "[broken")),
    ],
)
def test_a_repository_that_is_damaged_costs_no_row(tmp_path: Path, path: str, text: str) -> None:
    folder = repository(tmp_path / "ada")
    (folder / ".git" / path).parent.mkdir(exist_ok=True)
    (folder / ".git" / path).write_text(text)
    (hand_in,) = find_hand_ins(tmp_path).hand_ins
    assert (hand_in.student, hand_in.author) == ("ada", "Ada Lovelace" if path == "config" else "")


def packed_class(folder: Path, target: Path) -> Path:
    """Pack a folder as one zip, with its hidden files."""
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    return target


def unsafe_commit(folder: Path, who: bytes, when: bytes, extra: bytes = b"") -> Path:
    """Add a commit as git would not make it, and return the file that holds it."""
    tree = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], cwd=folder, capture_output=True, check=True)
    person = who + b" <ada@example.org> " + when
    text = (
        b"tree " + tree.stdout + b"author " + person + b"\ncommitter " + person + b"\n" + extra + b"\nwork\n"
    )
    content = b"commit %d\0" % len(text) + text
    name = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    path = folder / ".git" / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(content))
    (folder / ".git" / "refs" / "heads" / "main").write_text(name)
    return path


def listed(folder: Path) -> tuple[str, datetime | None, list[str]]:
    """Return author and time of the only submission in a class, and what is said of them."""
    (hand_in,) = find_hand_ins(folder).hand_ins
    return hand_in.author, hand_in.submitted, [english(each.message) for each in hand_in.remarks]


LEFT = "The repository (.git) in it could not be read: author and time are not taken from it."
NO_TIME = "The time of the last commit cannot be right, and is not used: a person will decide."


@pytest.mark.parametrize(
    "when",
    [
        *(b"253402300799 +0000", b"253402300799 -1200", b"253402300800 +0000", b"99999999999999999999 +0000"),
        *(b"-1 +0000", b"-62135596801 +0000", b"0 +0000", b"1790000000 +9999", b"1790000000", b"soon"),
    ],
)
def test_a_time_that_cannot_be_right_is_none(tmp_path: Path, when: bytes) -> None:
    unsafe_commit(repository(tmp_path / "ada"), b"Ada Lovelace", when)
    assert listed(tmp_path) == ("Ada Lovelace", None, [NO_TIME])


@pytest.mark.parametrize(
    ("who", "extra", "author"),
    [
        (b"Ada\x1b[31m\x07\xe2\x80\xaeLove\r", b"", "Ada\\x1b[31m\\x07\\u202eLove"),
        ("Åse".encode("latin1"), b"encoding ISO-8859-1\n", "Åse"),
        ("Åse".encode("latin1"), b"encoding none\n", "\ufffdse"),
        (b"", b"", ""),
        (b"A" * 1_000_000, b"", ""),
    ],
)
def test_names_that_are_none(tmp_path: Path, who: bytes, extra: bytes, author: str) -> None:
    unsafe_commit(repository(tmp_path / "ada"), who, b"1790000000 +0200", extra)
    assert listed(tmp_path)[0] == author


@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "references", "alternates", "file"])
def test_what_leads_out_or_holds_up_is_not_read(tmp_path: Path, kind: str) -> None:
    ada = repository(tmp_path / "class" / "ada")
    last, outside = unsafe_commit(ada, b"Ada Lovelace", b"1790000000 +0200"), tmp_path / "outside"
    if kind == "pipe":
        last.unlink()
        os.mkfifo(last)
    elif kind == "link":
        last.unlink()
        last.symlink_to("/dev/zero")
    elif kind == "folder":
        shutil.move(last.parent, outside)
        last.parent.symlink_to(outside)
    elif kind == "references":
        shutil.move(ada / ".git" / "refs", outside)
        (ada / ".git" / "refs").symlink_to(outside)
    elif kind == "alternates":
        (ada / ".git" / "objects" / "info" / "alternates").write_text("/etc\n")
    else:
        shutil.move(ada / ".git", outside)
        (ada / ".git").write_text(f"gitdir: {outside}\n")
    assert listed(tmp_path / "class") == ("", None, [LEFT])


OTHERS = "The author of the last commit has the name or the address of another hand-in: a person will decide "


@pytest.mark.parametrize(
    ("who", "is_asked"),
    [
        (("Alan", "alan@example.org"), ["Alan", "Eve"]),  # another's address
        (("Grace H", "grace@example.org"), []),
        (("alan", "eve@x.org"), ["Eve"]),  # another's name
        (("Eve", "eve@x.org"), []),
    ],
)
def test_who_commits_as_another_does_not_become_that_student(
    tmp_path: Path, who: tuple[str, str], is_asked: list[str]
) -> None:
    for name in ("Ada Lovelace", "Alan Turing", "Eve Evil"):
        repository(tmp_path / name.split()[0], name)
    git(tmp_path / "Eve", "checkout", "-q", "--orphan", "fresh")
    (tmp_path / "Eve" / "NOTES.md").write_text("alone")
    git(tmp_path / "Eve", "add", ".")
    author = f"--author={who[0]} <{who[1]}>"
    git(tmp_path / "Eve", "commit", "-q", "-m", "alone", author)
    found = {each.name: each for each in find_hand_ins(tmp_path).hand_ins}
    assert {name: (each.student, each.author) for name, each in found.items()} == {
        "Ada": ("Ada", "Ada Lovelace"),
        "Alan": ("Alan", "Alan Turing"),
        "Eve": ("Eve", who[0]),
    }
    asked = {name: each.remarks for name, each in found.items() if each.remarks}
    assert sorted(asked) == is_asked
    for [remark] in asked.values():
        assert remark.kind == "author"
        assert english(remark.message).startswith(OTHERS)


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("around", ["", "lab-2-ada"])
def test_a_repository_in_a_zip(tmp_path: Path, around: str, is_packed: bool) -> None:
    ada = repository(tmp_path / "work" / around)
    git(ada, *(("gc", "-q") if is_packed else ("fsck",)))
    (tmp_path / "class").mkdir()
    packed_class(tmp_path / "work", tmp_path / "class" / "ada.zip")
    assert told(tmp_path / "class") == {"ada.zip": ("Ada Lovelace", TIME)}
    (hand_in,) = find_hand_ins(tmp_path / "class").hand_ins
    assert base().items() <= read_hand_in(hand_in).files.items()


@pytest.mark.parametrize("kind", ["several", "link", "encrypted", "deep", "way out"])
def test_a_repository_in_a_zip_that_is_not_simple_is_left(tmp_path: Path, kind: str) -> None:
    folder = "a/b/c/ada" if kind == "deep" else "ada"
    repository(tmp_path / "work" / folder)
    if kind == "several":
        repository(tmp_path / "work" / "bob")
    if kind == "way out":
        (tmp_path / "work/ada/.git/commondir").write_text("/etc")
    (tmp_path / "class").mkdir()
    path = packed_class(tmp_path / "work", tmp_path / "class" / "ada.zip")
    if kind in ("link", "encrypted"):
        with zipfile.ZipFile(path, "a") as archive:
            info = zipfile.ZipInfo("ada/.git/packed-refs")
            info.external_attr = (stat.S_IFLNK if kind == "link" else stat.S_IFREG) << 16
            archive.writestr(info, "/etc/passwd")
            archive.getinfo(info.filename).flag_bits |= kind == "encrypted"
    assert listed(tmp_path / "class") == ("", None, [LEFT])


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_class_of_clones_in_one_zip(tmp_path: Path, is_packed: bool) -> None:
    for who in ("Ada Lovelace", "Alan Turing"):
        ada = repository(tmp_path / "work" / "lab-2" / who.split()[0].casefold(), who)
        git(ada, *(("gc", "-q") if is_packed else ("fsck",)))
        (ada / ".git" / "hooks").mkdir(exist_ok=True)
        (ada / ".git" / "hooks" / "post-checkout").write_text("#!/bin/sh\n")
    unpacked = tmp_path / "class"
    archive = packed_class(tmp_path / "work", tmp_path / "class.zip")
    found = find_hand_ins(bulk_download.unpack(archive, unpacked).folder).hand_ins
    assert [(each.name, each.author, str(each.submitted)) for each in found] == [
        ("ada", "Ada Lovelace", "2026-10-03 23:59:00+02:00"),
        ("alan", "Alan Turing", "2026-10-03 23:59:00+02:00"),
    ]
    kept = {path.name for path in (unpacked / "lab-2" / "ada" / ".git").iterdir()}
    assert kept == {"HEAD", "objects", "packed-refs" if is_packed else "refs"}
