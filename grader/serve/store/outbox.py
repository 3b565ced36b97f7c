"""Scores on their way to learning platforms.

There is one row for a student and a line item: the mark that counts now. Its time stamp grows with every
change, and the platform keeps the newest; so a score that was sent, and whose answer got lost, may be sent
again. Each attempt is announced there once, as a submission of its own time: Canvas makes a new one of every
score that does not say otherwise, and takes the moment at which that came for the time of handing in.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from grader.serve.store.database import Store

LEASE_SECONDS: Final = 120.0
"""How long whoever took a score may take to send it; after that another one does."""
_STEP_SECONDS: Final = 1.0
"""Between two time stamps of the same row: Moodle compares whole seconds."""
_ITEM: Final = """outbox.id, outbox.person, outbox.attempt, outbox.platform, outbox.lineitem, outbox.score,
    outbox.max_score, outbox.stamp, outbox.tries, outbox.next_at, outbox.sent_at, outbox.error,
    outbox.announced, people.name, people.external, attempts.at as handed_in, attempts.number"""
_DUE: Final = """
    from outbox join people on people.id = outbox.person join courses on courses.id = people.course
    join counting on counting.person = outbox.person
    left join extensions on extensions.person = outbox.person
    where sent_at is null and next_at <= :now
    and (marks_from = 0 or max(marks_from, coalesce(extensions.deadline, 0)) <= :now)
    and :platform in (outbox.platform, 0)"""


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """A score, and how far it got."""

    id: int
    person: int
    attempt: str
    platform: int
    lineitem: str
    score: float
    max_score: float
    stamp: float
    tries: int
    next_at: float | None
    """When it is to be sent; None where that was given up."""
    sent_at: float | None
    error: str
    announced: int
    name: str
    external: str
    handed_in: float
    number: int
    """Of the attempt."""

    @property
    def is_new_attempt(self) -> bool:
        """Whether the platform has heard of no submission for this attempt yet."""
        return self.number > self.announced

    @property
    def subject(self) -> str:
        """Who it is at the platform."""
        return self.external.partition(":")[2]


def external(platform: int, subject: str) -> str:
    """How a person of a platform is known here: what one platform says of its own is nobody of another."""
    return f"{platform}:{subject}"


def put_lineitem(store: Store, person: int, *, platform: int, url: str) -> None:
    """Send the person's scores there from now on, the one that counts already included."""
    store.rows(
        "insert into lti_lineitems (person, platform, url) values (?, ?, ?) "
        "on conflict do update set platform = excluded.platform, url = excluded.url",
        (person, platform, url),
    )


def add(store: Store, person: int, now: float) -> None:
    """Have the mark that counts sent, where the person's platform takes it and it is new there."""
    store.rows(
        """insert into outbox (person, attempt, platform, lineitem, score, max_score, stamp, next_at)
           select counting.person, counting.attempt, lti_lineitems.platform, lti_lineitems.url,
                  counting.score, counting.max_score, :now, :now
           from counting join lti_lineitems using (person) where person = :person
           on conflict (person, lineitem) do update set
               attempt = excluded.attempt, score = excluded.score, max_score = excluded.max_score,
               stamp = max(excluded.stamp, stamp + :step),
               tries = 0, next_at = :now, sent_at = null, error = ''
           where (score, max_score) is not (excluded.score, excluded.max_score)""",
        {"person": person, "now": now, "step": _STEP_SECONDS},
    )


def collect(store: Store, now: float) -> None:
    """Find the marks that are not those which were sent: whatever changed one, nobody has to tell."""
    rows = store.rows(
        """select counting.person from counting join lti_lineitems using (person)
           left join outbox on outbox.person = counting.person and outbox.lineitem = lti_lineitems.url
           where (outbox.score, outbox.max_score) is not (counting.score, counting.max_score)"""
    )
    for row in rows:
        add(store, row["person"], now)


def again(store: Store, item: int, now: float) -> None:
    """Send a score once more, as what is newest."""
    store.rows(
        "update outbox set stamp = max(:now, stamp + :step), tries = 0, next_at = :now, sent_at = null, "
        "error = '' where id = :item",
        {"item": item, "now": now, "step": _STEP_SECONDS},
    )


def platforms_due(store: Store, now: float) -> list[int]:
    """The platforms for which scores are due."""
    rows = store.rows(f"select distinct outbox.platform {_DUE}", {"now": now, "platform": 0})
    return [row["platform"] for row in rows]


def take(store: Store, now: float, platform: int = 0) -> OutboxItem | None:
    """The score that waits longest, of one platform where that is named; it comes again where nothing becomes
    of it.

    A mark that was taken away again is not sent. Where a course tells of hidden checks after the deadline, a
    mark would tell of them: it stays here until then.
    """
    with store.transaction():
        number = store.value(
            f"select outbox.id {_DUE} order by next_at, outbox.id limit 1", {"now": now, "platform": platform}
        )
        if number is None:
            return None
        store.rows(
            "update outbox set tries = tries + 1, next_at = ? where id = ?", (now + LEASE_SECONDS, number)
        )
        return _items(store, "outbox.id = ?", number)[0]


def sent(store: Store, item: OutboxItem, now: float) -> None:
    """It arrived; a mark that changed meanwhile is still to be sent."""
    announce(store, item)
    store.rows(
        "update outbox set sent_at = ?, error = '' where id = ? and stamp = ?", (now, item.id, item.stamp)
    )


def announce(store: Store, item: OutboxItem) -> None:
    """Have later scores of this attempt make no submission at the platform."""
    store.rows("update outbox set announced = max(announced, ?) where id = ?", (item.number, item.id))


def outdated(store: Store, item: OutboxItem, *, error: str, next_at: float) -> None:
    """The platform has one that is as new or newer: this one gets the time at which it is sent next."""
    store.rows(
        "update outbox set next_at = ?, error = ?, stamp = max(?, stamp + ?) where id = ? and stamp = ?",
        (next_at, error, next_at, _STEP_SECONDS, item.id, item.stamp),
    )


def failed(store: Store, item: OutboxItem, *, error: str, next_at: float | None) -> None:
    """It did not, and why; without another time staff have to send it."""
    store.rows(
        "update outbox set next_at = ?, error = ? where id = ? and stamp = ?",
        (next_at, error, item.id, item.stamp),
    )


def of_course(store: Store, course: str) -> list[OutboxItem]:
    """All of a course, by name."""
    return _items(store, "people.course = ?", course)


def _items(store: Store, condition: str, value: object) -> list[OutboxItem]:
    rows = store.rows(
        f"select {_ITEM} from outbox join people on people.id = outbox.person "
        "join attempts on attempts.id = outbox.attempt "
        f"where {condition} order by people.name, outbox.id",
        (value,),
    )
    return [_item(row) for row in rows]


def _item(row: sqlite3.Row) -> OutboxItem:
    return OutboxItem(**dict(row))
