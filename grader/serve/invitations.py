"""Sign-in links, valid once, for a class without a learning platform; and all else that lets people in."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from grader.api import encode_csv
from grader.disk import write_whole
from grader.errors import InputError
from grader.serve.data_folder import DataFolder
from grader.serve.service import public_url
from grader.serve.store import courses, credentials, mails, people, settings
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer, Person, Role
from grader.text import visible

_ID: Final = 12
"""So many digits of a digest tell one secret from all others."""
_ROLES: Final = ("student", "staff")
_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"()]+@[^\s@<>,;:\"()]+")


def make_invitations(folder: Path, table: Path, url: str, out: Path) -> str:
    """Make a link for each person in a table, and void older unused ones; return a message.

    Without a URL, the links lead to where the service was started last. Older ones stay valid until the new
    ones are in the file. Raises InputError or DiskError.
    """
    now = time.time()
    with closing(_open(folder)) as store:
        try:
            text = table.read_bytes()
        except OSError as error:
            raise InputError(f"expected a CSV file in UTF-8: {error}", path=table) from None
        newcomers = list(read_people(text, table, list(courses.load_titles(store))))
        site = public_url(url or settings.get(store, settings.ADDRESS))
        with store.transaction():
            invited = [people.put(store, each, now) for each in newcomers]
            links = [(each, credentials.create_invitation(store, each.id, now)) for each in invited]
            write_whole(out, links_table(links, site))
    return f"{len(links)} links to {site}, for one use each: {out}"


Links = list[tuple[Person, str]]
"""People, each with the secret of a link."""


def add_class(
    store: Store, newcomers: Iterable[Newcomer], *, now: float, by: int, sends: bool
) -> tuple[str, Links]:
    """Add the people of a table; whoever is there stays as they are. Return a message, and links to hand out.

    Whoever never had a link gets one: by mail where the service ``sends`` some, else students by the table,
    and staff not at all, since nobody else may see theirs. ``by`` is the number of who adds them.
    """
    added = known = mailed = 0
    links: Links = []
    with store.transaction():
        for each in newcomers:
            before = people.find(store, each.course, each.origin, each.external)
            person = before or people.put(store, each, now)
            added, known = added + (before is None), known + (before is not None)
            if credentials.was_invited(store, person.id):
                continue
            if sends and person.email:
                mails.put(store, person.id, now)
                mailed += 1
            elif not person.is_staff:
                links.append((person, credentials.create_invitation(store, person.id, now, by)))
    return f"{added} added, {known} there before; links on their way by mail: {mailed}", links


def list_access(folder: Path) -> str:
    """Return a table of all that lets people in: sign-ins, tokens, and links that were not used yet."""
    with closing(_open(folder)) as store:
        known = credentials.list_access(store, time.time())
    lines = [("id", "what", "course", "who", "role", "last used", "ends"), *map(_access_line, known)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _access_line(access: credentials.Access) -> tuple[str, ...]:
    times = (f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}" for at in (access.used, access.expires))
    who = visible(access.name, one_line=True)
    return access.token_sha[:_ID], access.kind, access.course, who, access.role, *times


def end_access(folder: Path, ids: Sequence[str]) -> str:
    """End what lets people in, by its ids in the list; return a message. Raises InputError for an id that is
    not in it, and then ends nothing."""
    with closing(_open(folder)) as store, store.transaction():
        known = {each.token_sha[:_ID]: each for each in credentials.list_access(store, time.time())}
        unknown = [repr(id_) for id_ in ids if id_ not in known]
        if unknown:
            raise InputError(f"expected ids that grader serve access list prints, got {', '.join(unknown)}")
        for id_ in ids:
            credentials.end_access(store, known[id_])
    return "\n".join(f"ended: {known[id_].kind} of {visible(known[id_].name, one_line=True)}" for id_ in ids)


def _open(folder: Path) -> Store:
    data = DataFolder(folder)
    if not data.database.is_file():
        raise InputError("expected a folder of grader serve: start the service once first", path=folder)
    return Store(data.database)


def links_table(links: Links, url: str) -> bytes:
    """Return a table of links, with whose each is."""
    rows = [(each.course, each.name, each.email, each.role, f"{url}/invite/{token}") for each, token in links]
    return encode_csv([("course", "name", "email", "role", "link"), *rows])


def read_people(content: bytes, table: Path, known: list[str]) -> Iterator[Newcomer]:
    """Read the people in a table. Raises InputError with the line number."""
    try:
        text = content.decode("utf-8-sig")
        head = text.partition("\n")[0]
        rows = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=head.count))
        if "name" not in (rows.fieldnames or []):
            expected = "expected the columns name and email (and id, role, course), got none 'name'"
            raise InputError(expected, path=table)
        for row in rows:
            given = {key: (value or "").strip() for key, value in row.items() if key}
            yield _parse_row(given, known, table, rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"expected a CSV file in UTF-8: {error}", path=table) from None


def _parse_row(row: dict[str, str], known: list[str], table: Path, rows: csv.DictReader[str]) -> Newcomer:
    course = row.get("course") or (known[0] if len(known) == 1 else "")
    role = row.get("role") or "student"
    external = row.get("id") or row.get("email") or row.get("name", "")
    wrong = None
    if course not in known:
        wrong = f"expected a course, one of {', '.join(known)}, got {course!r}"
    elif role not in _ROLES:
        wrong = f"expected the role student or staff, got {role!r}"
    elif not row.get("name"):
        wrong = "expected a name"
    elif row.get("email") and not _ADDRESS.fullmatch(row["email"]):
        wrong = f"expected an e-mail address, got {visible(row['email'], one_line=True)!r}"
    if wrong:
        raise InputError(wrong, path=table, line=rows.line_num)
    return Newcomer(course, row["name"], cast(Role, role), "invite", external, row.get("email", ""))
