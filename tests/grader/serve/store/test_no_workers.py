"""While no machine is there to grade, nobody is told of a time, and the page says why."""

from __future__ import annotations

from math import inf

from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.languages import catalogue, languages
from grader.serve.store import attempts, queue, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.web.progress_texts import AttemptState, describe_progress


def test_an_attempt_that_waits_for_a_machine_says_so(store: Store, attempt: Attempt) -> None:
    rubric = load_rubric(None, checks=titles())
    known = attempts.get(store, attempt.id)
    assert known
    sentences = []
    for workers in ("0", "1"):
        settings.put(store, settings.WORKERS, workers)
        place = queue.place(store, attempt.id)
        assert place
        assert (place.seconds == inf) == (workers == "0")
        sentences.append(
            [
                describe_progress(AttemptState(known, place, ()), rubric, catalogue(name)).sentence
                for name in languages()
            ]
        )
    stalled, moving = sentences
    assert stalled[tuple(languages()).index("en")].startswith("It waits: no machine is there to grade it.")
    assert not set(stalled) & set(moving)
