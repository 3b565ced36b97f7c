"""What must not work, whoever tries it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from grader.api import names_tell
from grader.course.late_work import Allowance
from grader.course.rules import CourseRules
from grader.serve.service import LAB_CONFIG
from grader.serve.store import attempts, credentials, people
from grader.serve.store.people import Newcomer
from grader.serve.web.app import create_app
from grader.serve.web.guard import BodyLimits
from grader.serve.web.visits import Site
from tests.grader.intake.shapes import zipped
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import ORIGIN, Visitor, graded, newest, person, results

WAYS_OUT = (
    *("..%2f..", "%2e%2e%2fserve.sqlite", "....//", "%00", "x%00.html", "a" * 5000),
    *("index.html%2f..%2f..%2f..%2fserve.sqlite", "..%5c..%5cserve.sqlite", "%252e%252e%252f"),
)


def test_a_cookie_that_was_planted_is_worth_nothing_after_signing_in(enter: Enter) -> None:
    mallory = enter("Mallory")
    planted = mallory.client.cookies["session"]
    victim = enter("")
    victim.client.cookies.set("session", planted, domain="testserver.local")
    victim.sign_in("Ada")
    assert victim.client.cookies["session"] != planted
    assert mallory.get("/").headers.get("location") == "/sign-in"
    assert "Ada" in victim.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
        {"Origin": f"{ORIGIN}.evil.example", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": f"{ORIGIN}:99999"},
        {"Origin": "http://[testserver"},
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/submit", "/token", "/sign-in", "/sign-out", "/staff/export"])
def test_forms_of_other_sites_change_nothing(
    ada: Visitor, site: Site, headers: dict[str, str], path: str
) -> None:
    form = {"csrf": ada.csrf(), "name": "Eve", "role": "staff", "course": COURSE}
    answer = ada.client.post(path, data=form, headers=headers)
    assert answer.status_code == 403
    assert credentials.list_tokens(site.store, ada.person.id, site.clock()) == []
    assert [each.name for each in people.list_for_course(site.store, COURSE)] == ["Ada"]
    assert ada.get("/").status_code == 200


@pytest.mark.parametrize("word", ["", "wrong", None])
def test_a_form_without_the_word_of_the_sign_in_changes_nothing(
    ada: Visitor, enter: Enter, site: Site, word: str | None
) -> None:
    form = {"csrf": enter("Eve").csrf() if word is None else word}
    for path in ("/token", "/sign-out"):
        assert ada.post(path, form).status_code == 403
    answer = ada.post("/submit", form, files=[("files", ("bfs.py", b"x"))])
    assert answer.status_code == 403
    assert credentials.list_tokens(site.store, ada.person.id, site.clock()) == []
    assert attempts.list_for_course(site.store, COURSE) == []


def test_nobody_sees_anothers_pages(ada: Visitor, enter: Enter) -> None:
    attempt = ada.gets()
    eve = enter("Eve")
    for path in (f"/attempts/{attempt.id}", f"/feedback/{attempt.id}/", f"/attempts/{attempt.id}/events"):
        assert eve.get(path).status_code == 404, path
    assert eve.client.get(f"/api/attempts/{attempt.id}", headers=eve.bearer()).status_code == 404


def test_students_see_nothing_of_staff(ada: Visitor) -> None:
    attempt = ada.gets()
    for path in ("", "review", "queue", "export", "audit", "events", "class/index.html", "people/1"):
        assert ada.get(f"/staff/{path}").status_code == 404, path
    assert ada.get(f"/staff/attempts/{attempt.id}/staff").status_code == 404
    for path in (f"attempts/{attempt.id}/rerun", "people/1/adjust", "people/1/deadline", "review", "export"):
        form = {"csrf": ada.csrf(), "action": "score", "points": "40", "reason": "mine"}
        assert ada.post(f"/staff/{path}", form).status_code == 404, path


def test_staff_see_nothing_of_other_courses(staff: Visitor, site: Site) -> None:
    site.store.rows("insert into courses (id, title) values ('other', 'Other')")
    other = people.put(site.store, Newcomer("other", "Bob", "student", "demo", "bob"), 1.0)
    attempt = attempts.add(site.store, other.id, attempts.Upload(attempts.new_id(), "sha", ("a.py",)), 1.0)
    graded(site, attempt)
    assert staff.get(f"/staff/people/{other.id}").status_code == 404
    assert staff.get(f"/staff/attempts/{attempt.id}/feedback").status_code == 404
    for path in (f"people/{other.id}/deadline", f"people/{other.id}/adjust", f"attempts/{attempt.id}/rerun"):
        assert staff.post(f"/staff/{path}", {"deadline": "2030-01-01T00:00"}).status_code == 404, path


@pytest.mark.parametrize("way", WAYS_OUT)
def test_no_address_leads_out_of_its_folder(staff: Visitor, ada: Visitor, site: Site, way: str) -> None:
    (site.data.folder / "secret.html").write_text("secret")
    for path in (f"/feedback/{way}/", f"/attempts/{way}", f"/static/{way}", f"/invite/{way}"):
        assert ada.get(path).status_code in (303, 307, 404, 410), path
    for path in (
        f"/staff/class/{way}",
        f"/staff/class/{way}/feedback.html",
        f"/staff/attempts/{way}/feedback",
    ):
        answer = staff.get(path)
        assert answer.status_code in (303, 307, 404), path
        assert "secret" not in answer.text


@pytest.mark.parametrize("name", ["../../evil.py", "/etc/passwd", "..\\..\\evil.py", "..", "a\0b"])
def test_names_of_files_stay_in_the_folder_of_the_upload(ada: Visitor, site: Site, name: str) -> None:
    before = {path for path in site.data.folder.rglob("*") if "uploads" not in path.parts}
    ada.hand_in((name, b"x"))
    after = {path for path in site.data.folder.rglob("*") if "uploads" not in path.parts}
    assert after == before
    folders = list(site.data.uploads.iterdir())
    assert all(path.parent.parent == site.data.uploads for each in folders for path in each.rglob("*"))


@pytest.mark.parametrize("charset", ["utf-16", '"PUNYCODE"'])
def test_texts_that_are_not_in_utf_8_are_not_even_read(ada: Visitor, charset: str) -> None:
    """Punycode takes a minute of the one thread that serves everybody, for half a megabyte."""
    for path in ("/submit", "/token", "/sign-in", "/lti/launch", "/staff/export"):
        kind = f"multipart/form-data; boundary=x; charset={charset}"
        headers = {"Content-Type": kind, "Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"}
        assert ada.client.post(path, content=b"--x--\r\n", headers=headers).status_code == 400, path


def test_nothing_on_the_way_of_a_request_starts_a_process(enter: Enter, site: Site) -> None:
    """It would fail: a test that does not say that it starts processes can start none."""
    ada = enter("Ada", site_=replace(site, names_tell=names_tell))
    odd, work = zipped({"notes.txt": b""}), zipped({"lab/readme.md": b"", "lab/solvers/bfs.py": b""})
    files = (("notes.txt", b"hello\n"), ("bfs.py", b""), ("work.zip", work), ("odd.zip", odd))
    for file in files:
        came = ada.hand_in(file)
        assert came.headers["location"].startswith("/attempts/")
        assert ada.get(came.headers["location"]).status_code == 200
    assert ada.get("/").status_code == 200


def _kept(site: Site) -> int:
    return sum(path.stat().st_size for path in site.data.uploads.rglob("*") if path.is_file())


def test_one_student_does_not_fill_the_disk_with_what_is_graded(enter: Enter, site: Site) -> None:
    ada = enter("Ada", site_=replace(site, limits=BodyLimits(kept_bytes=2500), courses=_without_limit(site)))
    for _ in range(2):
        assert ada.hand_in(("lab.zip", b"0" * 1000)).status_code == 303
        graded(site, newest(site, ada.person))
    answer = ada.hand_in(("lab.zip", b"0" * 1000))
    assert answer.status_code == 413
    assert "What you handed in takes up the 2 KiB that are kept of one person" in answer.text
    told = ada.client.post("/api/submit", content=b"0" * 1000, headers=ada.bearer())
    assert (told.status_code, "2 KiB" in told.json()["error"]) == (413, True)
    assert _kept(site) == 2000
    assert ada.hand_in(("lab.zip", b"0" * 500)).status_code == 303, "code alone still fits"
    assert ada.hand_in(("lab.zip", b"0" * 400)).status_code == 303, "and takes the place of what waits"
    assert _kept(site) == 2400
    attempts.withdraw(site.store, attempts.list_for_person(site.store, ada.person.id)[-1].id)
    assert ada.hand_in(("lab.zip", b"0" * 1000)).status_code == 303, "staff have made room"


def _without_limit(site: Site) -> dict[str, CourseRules]:
    return {
        id_: CourseRules(replace(rules.rubric, attempts=Allowance())) for id_, rules in site.courses.items()
    }


def test_one_student_sends_two_uploads_at_once(ada: Visitor, site: Site) -> None:
    headers, whom = ada.bearer(), str(ada.person.id)
    with site.rates.uploading.hold(whom) as first, site.rates.uploading.hold(whom) as second:
        assert (first, second) == (True, True)
        assert ada.hand_in().status_code == 429
        assert ada.client.post("/api/submit", content=b"x", headers=headers).status_code == 429
    assert ada.hand_in().status_code == 303


def test_nobody_signs_in_by_name_but_in_a_demonstration(enter: Enter, site: Site) -> None:
    visitor = enter("", site_=replace(site, demo=False))
    assert "<form" not in visitor.get("/sign-in").text.split("<main")[1]
    form = {"name": "Eve", "role": "staff", "course": COURSE}
    assert visitor.client.post("/sign-in", data=form, headers={"Origin": ORIGIN}).status_code == 404
    assert people.list_for_course(site.store, COURSE) == []


def test_by_https_the_cookie_is_for_this_host_alone(site: Site) -> None:
    secure = replace(site, url="https://mazes.example.edu")
    with TestClient(
        create_app(secure), base_url="https://mazes.example.edu", follow_redirects=False
    ) as client:
        form = {"name": "Ada", "role": "student", "course": COURSE}
        answer = client.post("/sign-in", data=form, headers={"Origin": "https://mazes.example.edu"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-session=")
        told = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= told
        assert not any(part.startswith("domain") for part in told)
        assert "max-age=31536000" in answer.headers["strict-transport-security"]


def test_every_answer_says_what_browsers_must_not_do(ada: Visitor) -> None:
    attempt = ada.gets()
    for path in ("/", f"/attempts/{attempt.id}", "/static/site.js", "/missing", "/staff/"):
        headers = ada.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';"), path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    feedback = ada.get(f"/feedback/{attempt.id}/").headers
    assert feedback["content-security-policy"].startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in feedback["content-security-policy"]
    assert feedback["cache-control"] == "no-store"


def test_texts_of_students_are_texts(staff: Visitor, enter: Enter, site: Site) -> None:
    script = "<script>alert(1)</script>"
    enter(script).hand_in((f"{script}.py", b"x"))
    eve = person(site, script)
    graded(site, newest(site, eve), results(name=script))
    for path in ("/staff/", f"/staff/people/{eve.id}", "/staff/queue", "/staff/audit"):
        page = staff.get(path).text
        assert script not in page, path


def test_the_lab_says_who_is_signed_in_to_its_pages_alone(enter: Enter, site: Site, tmp_path: Path) -> None:
    (tmp_path / LAB_CONFIG).write_text('{"title": "Mazes"}')
    ada = enter(site_=replace(site, lab=tmp_path))
    answer = ada.get("/lab/config.json", headers={"Sec-Fetch-Site": "same-origin"})
    owner = answer.json()["owner"]
    shown = {"title": "Mazes", "service": "../", "person": "Ada", "csrf": ada.csrf(), "owner": owner}
    assert answer.json() == shown
    assert answer.headers["cache-control"] == "no-store"
    assert not [name for name in answer.headers if name.startswith("access-control")]
    for others in ("cross-site", "same-site", "none"):
        told = ada.get("/lab/config.json", headers={"Sec-Fetch-Site": others}).json()
        assert (told["person"], told["csrf"], told["owner"]) == (None, None, None), others
    assert enter("", site_=ada.site).get("/lab/config.json").json()["person"] is None
    of_others = [
        enter(*who, site_=ada.site).get("/lab/config.json").json()["owner"]
        for who in (("Bob",), ("Ada", "staff"))
    ]
    assert len({owner, *of_others}) == 3
    assert enter("Ada", site_=ada.site).get("/lab/config.json").json()["owner"] == owner


def test_a_script_hands_in_with_the_sign_in_and_its_word(ada: Visitor, site: Site) -> None:
    data = {"Accept": "application/json"}
    files = [("files", ("submission.zip", b"x"))]
    refused = ada.post("/submit", {"csrf": "wrong"}, files=files, headers=data)
    assert (refused.status_code, "error" in refused.json()) == (403, True)
    assert "No file came" in ada.post("/submit", files=[], headers=data).json()["error"]
    told = ada.post("/submit", files=files, headers=data)
    attempt = newest(site, ada.person)
    assert (told.status_code, told.json()["attempt"], told.json()["state"]) == (201, attempt.id, "waiting")
    graded(site, attempt)
    shown = ada.get(f"/attempts/{attempt.id}", headers=data).json()
    assert (shown["score"], shown["feedback"]) == (40.0, f"{ORIGIN}/feedback/{attempt.id}/")
    assert ada.get(f"/api/attempts/{attempt.id}").status_code == 401, "cookies are nothing there"
    ada.client.cookies.clear()
    assert ada.get(f"/attempts/{attempt.id}", headers=data).status_code == 401
