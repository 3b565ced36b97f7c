"""The links of those who sign in first: the service prints one as long as a course has no staff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from grader.serve.store import credentials, people
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer

_NAME: Final = "First teacher"
"""The name of such a person, and the id."""


def first_links(store: Store, served: Iterable[str], url: str, now: float) -> Iterator[str]:
    """Make a link for the first teacher of each course without staff; one that was made before is void."""
    for course in served:
        known = people.find(store, course, "invite", _NAME)
        others = [each for each in people.list_for_course(store, course) if each.is_staff and each != known]
        if not others and not (known and credentials.was_invited(store, known.id, came=True)):
            person = people.put(store, Newcomer(course, _NAME, "staff", "invite", _NAME), now)
            yield f"{url}/invite/{credentials.create_invitation(store, person.id, now)}"
