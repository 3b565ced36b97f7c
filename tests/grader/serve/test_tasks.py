"""The tasks beside the service: links for a class, a copy and its return, somebody who is forgotten."""

from __future__ import annotations

import shutil
import tarfile
import time
from multiprocessing import get_context
from pathlib import Path

import pytest

from grader.api import load_course
from grader.batch.job import Course
from grader.cli import main
from grader.course.course_folder import NewCourse, create_course
from grader.serve import uploads
from grader.serve.data_folder import DataFolder, keep_course
from grader.serve.dispatcher import _update_folders
from grader.serve.service import ServeOptions, find_rubrics
from grader.serve.store import attempts, courses, credentials, marks, people, settings
from grader.serve.store.courses import AuditEntry
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer
from tests.grader.serve.made import COURSE, Graded, UpToDate, a_person

FILES = [("bfs.py", b"class BFS: ...")]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "class.csv"


def serve(*arguments: str | Path) -> int:
    return main(["serve", *map(str, arguments)])


# --- invite -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["", "https://m.org"])
def test_links_stay_good_where_no_new_ones_come_about(
    data: DataFolder, store: Store, table: Path, tmp_path: Path, address: str
) -> None:
    ada = people.put(store, Newcomer(COURSE, "Ada", "student", "invite", "Ada"), 1.0)
    good = credentials.create_invitation(store, ada.id, 1.0)
    table.write_text("name\nAda\n")
    settings.put(store, settings.ADDRESS, address)
    assert serve("invite", table, "--data", data.folder, "--out", tmp_path / "no" / "links.csv") == 1
    assert credentials.find_invited(store, good, 2.0) == ada.id


# --- access ------------------------------------------------------------------------------------------


def test_what_lets_people_in_is_listed_and_ended(
    data: DataFolder, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    now, ada = time.time(), a_person(store)
    link, token = (
        credentials.create_invitation(store, ada.id, now),
        credentials.create_token(store, ada.id, "", now),
    )
    cookie, _ = credentials.begin_sign_in(store, ada.id, now)
    assert serve("access", "list", "--data", data.folder) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split("  ")[0] == "id"
    ids = [line.split()[0] for line in lines]
    assert [line.split()[1:5] for line in lines] == [
        [kind, COURSE, "Ada", "student"] for kind in ("link", "sign-in", "token")
    ]
    assert serve("access", "end", ids[0], "nothing", "--data", data.folder) == 1
    assert "got 'nothing'" in capsys.readouterr().err
    assert credentials.find_invited(store, link, now) == ada.id
    assert serve("access", "end", *ids, "--data", data.folder) == 0
    assert capsys.readouterr().out == "ended: link of Ada\nended: sign-in of Ada\nended: token of Ada\n"
    assert credentials.find_invited(store, link, now) is None
    assert credentials.find_sign_in(store, cookie, now) is None
    assert credentials.find_owner(store, token, now) is None


# --- backup and restore -----------------------------------------------------------------------------


def test_a_copy_is_put_back_whole(data: DataFolder, store: Store, tmp_path: Path) -> None:
    attempt = uploads.hand_in(data, store, a_person(store).id, FILES, 1.0)
    data.attempt(attempt.id).mkdir()
    (data.attempt(attempt.id) / "results.json").write_bytes(b"{}")
    (data.lti / "key.pem").write_bytes(b"secret")
    (data.lti / "key.pem").chmod(0o600)
    copy, back = tmp_path / "copy.tar.gz", DataFolder(tmp_path / "back")
    assert serve("backup", copy, "--data", data.folder) == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert serve("restore", copy, "--data", back.folder) == 0
    restored = Store(back.database)
    assert attempts.get(restored, attempt.id) == attempts.get(store, attempt.id)
    assert [path.read_bytes() for path in back.upload(attempt.id).iterdir()] == [FILES[0][1]]
    assert (back.attempt(attempt.id) / "results.json").read_bytes() == b"{}"
    assert (back.lti / "key.pem").stat().st_mode & 0o777 == 0o600
    assert back.folder.stat().st_mode & 0o777 == 0o700


def test_a_copy_that_is_made_while_people_hand_in_misses_no_file_of_its_rows(
    data: DataFolder, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = a_person(store)
    uploads.hand_in(data, store, ada.id, FILES, 1.0)
    before = Path.rglob

    def meanwhile(self: Path, pattern: str) -> list[Path]:
        found = list(before(self, pattern))
        uploads.hand_in(data, store, ada.id, FILES, 2.0)
        return found

    monkeypatch.setattr(Path, "rglob", meanwhile)
    assert serve("backup", tmp_path / "copy.tar.gz", "--data", data.folder) == 0
    monkeypatch.undo()
    back = DataFolder(tmp_path / "back")
    assert serve("restore", tmp_path / "copy.tar.gz", "--data", back.folder) == 0
    [attempt] = attempts.list_for_course(Store(back.database), COURSE)
    assert (attempt.state, back.upload(attempt.id).is_dir()) == ("waiting", True)
    newest = uploads.hand_in(data, store, ada.id, FILES, 3.0)
    uploads.sweep_orphans(data, store, older_than=float("inf"))
    assert list(data.uploads.iterdir()) == [data.upload(newest.id)], "what stayed for the copy goes"


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "link"])
def test_a_copy_writes_nothing_beside_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    member = tarfile.TarInfo(name)
    if name == "link":
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with tarfile.open(tmp_path / "copy.tar.gz", "w:gz") as packed:
        packed.addfile(member)
    assert serve("restore", tmp_path / "copy.tar.gz", "--data", tmp_path / "back" / "data") == 1
    assert "is no file of a service" in capsys.readouterr().err
    assert [path for path in tmp_path.rglob("*") if path.name in ("out", "link")] == []


@pytest.mark.usefixtures("store")
def test_the_course_comes_back_with_its_data(
    data: DataFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "inf100"
    create_course(NewCourse(("dfs", "wall_follower"), 7), folder)
    before = load_course(folder)
    (folder / "comments.yaml").write_text("loop: This never ends.\n", encoding="utf-8")
    assert keep_course(data, "inf100", before) == ""
    assert keep_course(data, "inf100", before) == "", "the service was started again"
    assert serve("backup", tmp_path / "copy.tar.gz", "--data", data.folder) == 0
    shutil.rmtree(folder)
    assert serve("restore", tmp_path / "copy.tar.gz", "--data", tmp_path / "back") == 0
    course = tmp_path / "back" / "courses" / "inf100"
    assert f"--data {tmp_path / 'back'} --course {course}" in capsys.readouterr().out
    assert (course / "comments.yaml").read_text(encoding="utf-8") == "loop: This never ends.\n"
    digest = before.plan.rubric.digest
    kept = load_course(find_rubrics([course])["inf100"])
    assert kept.plan.rubric.digest == digest
    assert keep_course(DataFolder(tmp_path / "back"), "inf100", kept) == ""
    assert load_course(course).plan.rubric.digest == digest


# --- forget -----------------------------------------------------------------------------------------


def test_who_is_forgotten_is_nowhere_any_more(
    data: DataFolder, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    courses.put(store, "other", "Other")
    name = "Ada Lovelace Byron"
    for course in (COURSE, "other"):
        ada = a_person(store, name, course=course)
        attempt = uploads.hand_in(data, store, ada.id, [("ada-lovelace-byron.py", name.encode())], 1.0)
        data.attempt(attempt.id).mkdir()
        (data.attempt(attempt.id) / "results.json").write_text(name)
        courses.log(store, AuditEntry(1.0, "Tea", course, "rerun", name))
    a_person(store, "Bob")
    assert main(["forget", str(data.folder), name.upper()]) == 0
    assert "forgotten" in capsys.readouterr().out
    left = [path for path in data.folder.rglob("*") if path.is_file()]
    assert left
    assert not [path for path in left if name.encode() in path.read_bytes()]
    assert [each.name for each in people.list_for_course(store, COURSE)] == ["Bob"]


# --- options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "address"),
    [
        (ServeOptions(host="::1", port=1), "http://[::1]:1"),
        (ServeOptions(url="HTTPS://Mazes.Example.EDU/"), "https://mazes.example.edu"),
        (ServeOptions(url="https://m.org:443/grader//"), "https://m.org/grader"),
        (ServeOptions(url="https://mäzes.org"), "https://xn--mzes-loa.org"),
    ],
)
def test_the_address(options: ServeOptions, address: str) -> None:
    assert options.address == address


@pytest.mark.processes
def test_who_is_forgotten_beside_the_keeper_does_not_come_back(
    data: DataFolder,
    store: Store,
    course: Course,
    graded: Graded,
    up_to_date: UpToDate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = a_person(store)
    graded(ada, 50.0)
    a_person(store, "Bob")
    folder, tries, remove = up_to_date(), list[bool](), shutil.rmtree

    def keep() -> bool:
        """Update the folders in a process of its own, as the service does: it ignores Ctrl-C from then on."""
        keeper = get_context("fork").Process(target=_update_folders, args=(data, {COURSE: course}, ""))
        keeper.start()
        keeper.join()
        return keeper.exitcode == 0

    def remove_beside_the_keeper(path: Path, *, ignore_errors: bool) -> None:
        remove(path, ignore_errors=ignore_errors)
        marks.flag(store, ada.id)
        store.close()
        tries.append(keep())

    monkeypatch.setattr(shutil, "rmtree", remove_beside_the_keeper)
    assert main(["forget", str(data.folder), "Ada"]) == 0
    assert tries
    assert not (folder / "Ada").exists()
    tries.append(keep())
    assert all(tries)
    assert [path for path in data.folder.rglob("*") if path.is_file() and b"Ada" in path.read_bytes()] == []
