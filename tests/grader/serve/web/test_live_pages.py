"""What those are told who follow all that happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

from grader.serve.web.live_pages import ChangeWatcher
from grader.serve.web.progress_texts import AttemptState
from grader.serve.web.site import Site
from tests.grader.serve.made import a_person, an_attempt


def test_staff_are_told_what_was_written_and_not_who_looks_on(site: Site) -> None:
    attempt = an_attempt(site.store, a_person(site.store))

    async def told() -> list[bool]:
        watcher = ChangeWatcher(site)
        staff = watcher.follow_changes()
        student = cast("AsyncGenerator[AttemptState | None]", watcher.follow_attempt(attempt.id))
        at_first = [await anext(staff), await anext(staff)]  # before the first look at the file, and after it
        while await anext(student) is None:
            continue
        looks_on = await anext(staff)
        await student.aclose()
        is_gone = await anext(staff)
        other = watcher.follow_changes()
        await anext(other)
        an_attempt(site.store, a_person(site.store, "Bob"))
        while not await anext(other):
            continue
        written = await anext(staff)  # though it was seen before staff asked again
        await watcher.close()
        return [*at_first, looks_on, is_gone, written]

    assert asyncio.run(told()) == [False, False, False, False, True]
