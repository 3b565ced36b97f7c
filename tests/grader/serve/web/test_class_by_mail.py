"""A class is added by a table, and each of its people is sent one link, whatever happens meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.serve.mail import PASSWORD, MailSender, read_server
from grader.serve.store import mails, people
from grader.serve.store.credentials import first_links
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE, Clock
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import Visitor, person
from tests.mail_server import MailBox, mail_box

CLASS = "name,email,role,id\nKim Li,kim@x.org\nBo Ek,bo@x.org,student\nGrace Two,grace@x.org,staff\n"
LINK = re.compile(r"http://testserver/invite/\S+")


@pytest.fixture
def box() -> Iterator[MailBox]:
    with mail_box() as opened:
        yield opened


@pytest.fixture
def teacher(enter: Enter, site: Site) -> Visitor:
    """Staff of a service that sends mails."""
    return enter("Grace", "staff", replace(site, sends_mails=True, url="http://testserver"))


@pytest.fixture
def sender(box: MailBox, teacher: Visitor) -> MailSender:
    site_ = teacher.site
    server = read_server(f"smtp://127.0.0.1:{box.server_address[1]}", "Lab <lab@x.org>", "")
    return MailSender(site_.store, server, site_.courses, site_.url, clock=site_.clock)


def add(who: Visitor, table: str = CLASS) -> str:
    return who.post("/staff/people", files={"table": ("class.csv", table)}).text


def test_each_is_sent_one_link_that_signs_in(
    teacher: Visitor, sender: MailSender, box: MailBox, enter: Enter
) -> None:
    assert "3 added, 0 there before; links on their way by mail: 3" in add(teacher)
    sender.send_due()
    sender.send_due()
    assert sorted(mail["To"] for mail in box.mails) == ["bo@x.org", "grace@x.org", "kim@x.org"]
    assert {mail["From"] for mail in box.mails} == {"Lab <lab@x.org>"}
    for mail in box.mails:
        visitor = enter("", site_=teacher.site)
        path = LINK.findall(mail.get_content())[0].removeprefix("http://testserver")
        assert "Kim Li" in visitor.get(path).text or mail["To"] != "kim@x.org"
        assert visitor.post(path).headers["location"] == "/"
    assert teacher.site.store.column("select token from mails") == ["", "", ""]


def test_who_has_a_link_keeps_it_until_another_is_asked_for(
    teacher: Visitor, sender: MailSender, box: MailBox, enter: Enter
) -> None:
    add(teacher)
    sender.send_due()
    told = add(teacher, f"{CLASS}Flo,flo@x.org,\nMallory,mallory@x.org,student,grace@x.org\n")
    assert "1 added, 4 there before; links on their way by mail: 1" in told
    assert person(teacher.site, "Grace Two").email == "grace@x.org"
    sender.send_due()
    assert len(box.mails) == 4
    kim = person(teacher.site, "Kim Li").id
    teacher.post(f"/staff/people/{kim}/invite", {"by": "mail"})
    sender.send_due()
    first, second = (
        LINK.findall(mail.get_content())[0].partition("testserver")[2]
        for mail in box.mails
        if mail["To"] == "kim@x.org"
    )
    assert [enter("", site_=teacher.site).get(path).status_code for path in (first, second)] == [410, 200]


def test_a_mail_that_was_being_sent_when_all_was_killed_is_the_same_the_second_time(
    teacher: Visitor, sender: MailSender, box: MailBox, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(teacher)
    with monkeypatch.context() as killed:
        killed.setattr(mails, "mark_sent", _kill)
        with pytest.raises(KeyboardInterrupt):
            sender.send_due()
    sender.send_due()
    assert len(box.mails) == 3
    clock.now += 31
    sender.send_due()
    assert len(box.mails) == 4
    assert len({(mail["Message-ID"], mail["To"], mail.get_content()) for mail in box.mails}) == 3


def _kill(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("answer", "again"), [("450 come again", True), ("550 nobody", False)])
def test_what_is_refused_is_told_and_tried_again_where_that_helps(
    teacher: Visitor, sender: MailSender, box: MailBox, answer: str, again: bool, clock: Clock
) -> None:
    box.answers = lambda mail: answer if mail["To"] == "kim@x.org" else "250 taken"
    add(teacher)
    sender.send_due()
    assert len(box.mails) == 2
    assert ("it is tried again" if again else "given up") in teacher.get("/staff/").text
    box.answers = lambda _: "250 taken"
    clock.now += 31
    sender.send_due()
    assert len(box.mails) == 2 + again


def test_without_mails_links_of_students_come_as_a_table(staff: Visitor) -> None:
    lines = add(staff).splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == ["Kim Li", "Bo Ek"]
    assert all(line.split(",")[-1].startswith("http://testserver/invite/") for line in lines[1:])


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("name,role\nAda,dean\n", "class.csv:2: expected the role student or staff"),
        (f"name\n{'x' * 140_000}", "expected a CSV file"),
    ],
)
def test_a_table_that_cannot_be_read_adds_nobody(staff: Visitor, table: str, told: str) -> None:
    assert told in add(staff, table).replace("&#39;", "'")
    assert len(people.list_for_course(staff.site.store, COURSE)) == 1


def test_students_and_assistants_add_nobody(ada: Visitor, staff: Visitor) -> None:
    staff.site.store.rows("update people set rank = 'assistant' where name = 'Grace'")
    for who, status in ((ada, 404), (staff, 403)):
        assert who.post("/staff/people", files={"table": ("class.csv", CLASS)}).status_code == status
    assert "Add people" not in staff.get("/staff/").text


def test_the_first_teacher_has_one_link_until_there_is_staff(site: Site, enter: Enter) -> None:
    (first,), (second,) = ([*first_links(site.store, [COURSE], "", site.clock())] for _ in range(2))
    visitor = enter("")
    assert [visitor.get(link).status_code for link in (first, second)] == [410, 200]
    visitor.post(second)
    assert "Add people" in visitor.get("/staff/").text
    assert [*first_links(site.store, [COURSE], "", site.clock())] == []
    site.store.rows("delete from sessions")
    site.store.rows("delete from invites")
    assert len([*first_links(site.store, [COURSE], "", site.clock())]) == 1
    enter("Grace", "staff")
    assert [*first_links(site.store, [COURSE], "", site.clock())] == []


def test_a_password_is_in_the_environment_or_in_a_file_of_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD, "one")
    (file := tmp_path / "password").write_text("two\n")
    given = {"url": "smtp://mail.x.org", "sender": "lab@x.org"}
    file.chmod(0o600)
    found = [read_server(**given, password=name) for name in ("", str(file))]
    assert [server.password for server in found] == ["one", "two"]
    assert "one" not in repr(found)
    file.chmod(0o640)
    with pytest.raises(InputError, match="only its owner reads"):
        read_server(**given, password=str(file))


@pytest.mark.parametrize(
    "url", ["mail.x.org", "http://x.org", "smtp://", "smtp://me:secret@x.org", "smtp://x:y"]
)
def test_an_address_that_is_no_mail_server_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="expected a mail server such as") as refused:
        read_server(url, "lab@x.org", "")
    assert "secret" not in str(refused.value)
