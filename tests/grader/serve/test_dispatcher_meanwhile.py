"""What a dispatcher does with a result where somebody withdrew, or was forgotten, meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.serve import upload_storage
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import Dispatcher
from grader.serve.store import attempts, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from tests.grader.serve.made import COURSE
from tests.grader.serve.scripted import FILES, Clock, Scripted, done, now


def test_what_was_withdrawn_meanwhile_is_thrown_away(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    attempts.withdraw(store, attempt.id)
    lane.answer(done())
    step()
    assert now(store, attempt).state == "withdrawn"
    assert not data.attempt(attempt.id).exists()


def test_who_withdraws_and_hands_in_again_gets_the_mark_of_the_later_work(
    data: DataFolder, store: Store, clock: Clock, attempt: Attempt
) -> None:
    lane = Scripted(2)
    dispatcher = Dispatcher(data, store, {COURSE: lane}, 2, clock=clock)
    dispatcher.step(seconds=0.0)
    attempts.withdraw(store, attempt.id)
    later = upload_storage.hand_in(data, store, attempt.person, FILES, clock.now)
    dispatcher.step(seconds=0.0)
    first, second = lane.given
    assert first.name == second.name
    lane.answer(done(15.0))
    dispatcher.step(seconds=0.0)
    assert now(store, later).state == "running"
    lane.answer(done(100.0))
    dispatcher.step(seconds=0.0)
    assert (now(store, attempt).state, now(store, later).score) == ("withdrawn", 100.0)
    assert dispatcher.is_idle


def test_who_is_forgotten_meanwhile_leaves_nothing(
    data: DataFolder, store: Store, lane: Scripted, step: Callable[[], None], attempt: Attempt
) -> None:
    step()
    people.remove(store, attempt.person)
    lane.answer(done())
    step()
    assert not data.attempt(attempt.id).exists()


def test_who_is_forgotten_while_the_result_is_written_leaves_nothing(
    data: DataFolder,
    store: Store,
    lane: Scripted,
    step: Callable[[], None],
    attempt: Attempt,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forget(*_: object) -> bool:
        people.remove(store, attempt.person)
        return True

    step()
    monkeypatch.setattr(queue, "holds_lease", forget)
    lane.answer(done())
    step()
    assert not data.attempt(attempt.id).exists()
