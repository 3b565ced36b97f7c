"""The scores that are to be sent to learning platforms, or were sent.

There is one row for each student and line item, with the current mark. Its time stamp grows with every
change, and the platform keeps the newest score; so it is safe to send a score again if the answer was lost.
Each attempt is announced once, as a submission with its own time: Canvas makes a new submission for every
score that does not say otherwise, dated at the arrival of the score.
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from typing import Final

from grader.serve.store.database import Store

LEASE_SECONDS: Final = 120.0
"""A thread has 120 seconds to send a score that it took; after that, another one takes it."""
_STEP_SECONDS: Final = 1.0
"""Two time stamps of the same row are at least 1 second apart, since Moodle compares whole seconds."""
_ITEM: Final = """outbox.id, outbox.person, outbox.attempt, outbox.platform, outbox.lineitem, outbox.score,
    outbox.max_score, outbox.stamp, outbox.tries, outbox.next_at, outbox.sent_at, outbox.error,
    outbox.announced, people.name, people.external, attempts.at as handed_in, attempts.number,
    courses.title"""
_DUE: Final = """
    from outbox join people on people.id = outbox.person join courses on courses.id = people.course
    join counting on counting.person = outbox.person
    left join extensions on extensions.person = outbox.person
    where sent_at is null and next_at <= :now
    and not counting.waits and (marks_from = 0 or max(marks_from, coalesce(extensions.deadline, 0)) <= :now)
    and :platform in (outbox.platform, 0)"""


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """A score, and the state of sending it."""

    id: int
    person: int
    attempt: str
    platform: int
    lineitem: str
    """The URL of the line item; empty while it is yet to be found by its link, or made."""
    score: float
    max_score: float
    stamp: float
    tries: int
    next_at: float | None
    """The time of the next try; None if the score was given up."""
    sent_at: float | None
    error: str
    announced: int
    name: str
    external: str
    handed_in: float
    number: int
    """The number of the attempt."""
    title: str
    """The title of the course."""

    @property
    def is_new_attempt(self) -> bool:
        """Tell whether this attempt has not been announced at the platform as a submission."""
        return self.number > self.announced

    @property
    def subject(self) -> str:
        """Return the id of the person at the platform."""
        return self.external.partition(":")[2]


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """A link whose line item lies, or is to lie, among those of its course."""

    platform: int
    container: str
    """The URL of all line items of the course at the platform."""
    link: str


def external_id(platform: int, subject: str) -> str:
    """Return the external id of a platform's user, which is distinct from all users of other platforms."""
    return f"{platform}:{subject}"


def put_lineitem(store: Store, person: int, *, platform: int, url: str) -> None:
    """Set where the person's scores are sent from now on, including the current one."""
    _put(store, person, url, LinkPlace(platform, "", ""))


def put_link(store: Store, person: int, place: LinkPlace) -> None:
    """Have the person's scores sent to the line item of a link, once it is found or made."""
    with store.transaction():
        known = store.value(
            "select max(url) from lti_lineitems where platform = ? and container = ? and link = ?",
            astuple(place),
        )
        _put(store, person, known or "", place)


def find_link(store: Store, person: int) -> LinkPlace | None:
    """Return the link by which the line item of a person is found; None if the launch named the line item."""
    statement = "select platform, container, link from lti_lineitems where person = ? and container != ''"
    return next(iter(store.records(LinkPlace, statement, (person,))), None)


def move_link(store: Store, place: LinkPlace, old: str, url: str) -> None:
    """Replace the URL of a link's line item for all who came by it; "" stands for one to be found or made.

    Scores that the old one had are sent again then.
    """
    with store.transaction():
        values = {**asdict(place), "old": old, "url": url}
        for_link = "platform = :platform and container = :container and link = :link and url = :old"
        store.rows(
            "update or replace outbox set lineitem = :url, "
            "sent_at = case when :url = '' then null else sent_at end "
            f"where lineitem = :old and person in (select person from lti_lineitems where {for_link})",
            values,
        )
        store.rows(f"update lti_lineitems set url = :url where {for_link}", values)


def _put(store: Store, person: int, url: str, place: LinkPlace) -> None:
    """Set where the person's scores are sent; one whose line item is not known yet is sent there, too."""
    with store.transaction():
        store.put("lti_lineitems", {"person": person}, {"url": url, **asdict(place)})
        store.rows(
            "update or replace outbox set platform = ?, lineitem = ? where person = ? and lineitem = ''",
            (place.platform, url, person),
        )


def list_unreachable(store: Store, course: str) -> list[str]:
    """Return the names of students from a platform that let this service send no scores for their links."""
    return store.column(
        "select name from people where course = ? and origin = 'lti' and role = 'student' "
        "and id not in (select person from lti_lineitems) order by name",
        (course,),
    )


def add(store: Store, person: int, now: float) -> None:
    """Queue a person's current mark, if the person has a line item and the mark is new there."""
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


def add_changed_marks(store: Store, now: float) -> None:
    """Queue all marks that differ from the queued or sent ones, so that no other code needs to report
    changes."""
    changed = store.column(
        """select counting.person from counting join lti_lineitems using (person)
           left join outbox on outbox.person = counting.person and outbox.lineitem = lti_lineitems.url
           where (outbox.score, outbox.max_score) is not (counting.score, counting.max_score)"""
    )
    for person in changed:
        add(store, person, now)


def resend(store: Store, now: float, *items: int) -> None:
    """Queue scores to be sent once more, with a new time stamp."""
    for item in items:
        store.rows(
            "update outbox set stamp = max(:now, stamp + :step), tries = 0, next_at = :now, sent_at = null, "
            "error = '' where id = :item",
            {"item": item, "now": now, "step": _STEP_SECONDS},
        )


def platforms_due(store: Store, now: float) -> list[int]:
    """Return the numbers of the platforms for which scores are due."""
    return store.column(f"select distinct outbox.platform {_DUE}", {"now": now, "platform": 0})


def take(store: Store, now: float, platform: int = 0) -> OutboxItem | None:
    """Take the score that has waited longest, for one platform if that is named; None if none is due.

    It becomes due again if its result is not recorded in time. A mark that has been deleted is not sent. If a
    course shows hidden checks only after the deadline, marks wait until then, since they would reveal them.
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
        return _select(store, "outbox.id = ?", number)[0]


def mark_sent(store: Store, item: OutboxItem, now: float) -> None:
    """Record that a score arrived; if the mark has changed since, the new one is still due."""
    mark_announced(store, item)
    store.rows(
        "update outbox set sent_at = ?, error = '' where id = ? and stamp = ?", (now, item.id, item.stamp)
    )


def mark_announced(store: Store, item: OutboxItem) -> None:
    """Record that the attempt is announced, so that its later scores make no new submission at the
    platform."""
    store.rows("update outbox set announced = max(announced, ?) where id = ?", (item.number, item.id))


def mark_outdated(store: Store, item: OutboxItem, *, error: str, next_at: float) -> None:
    """Record that the platform has a score that is as new, and set the time stamp to the time of the next
    try."""
    store.rows(
        "update outbox set next_at = ?, error = ?, stamp = max(?, stamp + ?) where id = ? and stamp = ?",
        (next_at, error, next_at, _STEP_SECONDS, item.id, item.stamp),
    )


def mark_failed(store: Store, item: OutboxItem, *, error: str, next_at: float | None) -> None:
    """Record that a try failed, with the reason; without ``next_at``, only staff can send the score again."""
    store.rows(
        "update outbox set next_at = ?, error = ? where id = ? and stamp = ?",
        (next_at, error, item.id, item.stamp),
    )


def list_for_course(store: Store, course: str) -> list[OutboxItem]:
    """Return all scores of a course, sorted by the person's name."""
    return _select(store, "people.course = ?", course)


def _select(store: Store, condition: str, value: object) -> list[OutboxItem]:
    return store.records(
        OutboxItem,
        f"select {_ITEM} from outbox join people on people.id = outbox.person "
        "join attempts on attempts.id = outbox.attempt join courses on courses.id = people.course "
        f"where {condition} order by people.name, outbox.id",
        (value,),
    )
