"""The part of a result that a student may see: everything except hidden checks before the deadline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from grader.api import Report, ResultFolder
from grader.errors import InputError
from grader.serve.store import marks, people
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.web.visits import Site


@dataclass(frozen=True, slots=True)
class CheckChanges:
    """The ids of the checks whose result differs from that of an earlier attempt."""

    fixed: tuple[str, ...]
    new: tuple[str, ...]
    """The checks that passed before, and fail now."""


def visible_results(site: Site, person: Person, attempt: Attempt, now: float) -> Report | None:
    """Return what a person may see of the results of their attempt; None if there are none."""
    found = _all_results(site, attempt)
    if found is None or not site.hides(person, now):
        return found
    return found.without_hidden()


def _all_results(site: Site, attempt: Attempt) -> Report | None:
    """Return all results; if the attempt counts, those that are published with its mark: with lateness and
    the decisions of staff. Others have the comments at their lines."""
    if not attempt.has_result:
        return None
    published = marks.published_results(site.store, attempt.id)
    try:
        if published:
            return _parse(published)
        found = _parse(ResultFolder(site.data.result(attempt)).read_results())
        owner = people.get(site.store, attempt.person)
        folder = site.data.course(attempt.course)
        key = attempt.result_key or ""
        return folder.with_line_comments(found, owner.folder, key) if owner else found
    except (InputError, OSError):
        return None


@lru_cache(maxsize=512)
def _parse(content: bytes) -> Report:
    """Parse results, once for all pages; callers must not modify them."""
    return Report.parse(content)


def compare_checks(before: Report, after: Report) -> CheckChanges:
    """Return which checks were fixed and which were broken between two results that both have them."""
    then, now = before.passed(), after.passed()
    both = [id_ for id_ in now if then.get(id_, now[id_]) != now[id_]]
    return CheckChanges(tuple(id_ for id_ in both if now[id_]), tuple(id_ for id_ in both if not now[id_]))
