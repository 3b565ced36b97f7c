"""What pages say of a submission's code is so: held against a second record of the same call."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from grader.languages import catalogue
from lab.slip_sentences import SENTENCES as OF_SLIPS
from lab.story_sentences import SENTENCES as OF_STORIES
from lab.watch import STREAMS
from tests.truth.bank import Work, held_against_records, share, words
from tests.truth.said import TRUE

pytestmark = pytest.mark.usefixtures("_untraced")

PART = 0.1
"""The part of the corpus that the slow round asks, in half a minute; ``python -m tests.truth`` asks more."""
STATE_NOTHING: dict[str, str] = {}
"""Keys of sentences about code that state nothing which a record could hold, and why."""
OF_EXCEPTIONS_AND_COUNTS = re.compile(r"said\.((raised|endless)\w*|at_line)")


def untrue_in(works: Iterable[Work], *, with_places: bool) -> list[str]:
    """Return what is said of some submissions and not so."""
    found = held_against_records(works, with_places=with_places)
    assert found.held
    return found.untrue


@pytest.mark.processes
def test_nothing_untrue_is_said_of_a_part_of_the_corpus() -> None:
    assert untrue_in(share(PART), with_places=False) == []


@pytest.mark.processes
@pytest.mark.parametrize(
    "name", ["dfs_one_list_on_the_stack", "dfs_remove_for_pop", "dfs_takes_the_first_move_back"]
)
def test_nothing_untrue_is_said_any_more_of_lists_that_went_wrong(name: str) -> None:
    (work,) = (each for each in words() if each.name.startswith(name))
    assert untrue_in([work], with_places=False) == []


def test_each_sentence_about_code_has_a_check_of_its_truth() -> None:
    keys = {key.removeprefix("said.") for key in catalogue("en").texts if key.startswith("said.look")}
    keys |= {
        key.removeprefix("said.") for key in catalogue("en").texts if OF_EXCEPTIONS_AND_COUNTS.fullmatch(key)
    }
    keys |= {*(f"again_{name}" for name in STREAMS), *(f"story_{key}" for key in OF_STORIES), *OF_SLIPS}
    assert sorted(keys - TRUE.keys() - STATE_NOTHING.keys()) == []
    assert sorted((TRUE.keys() | STATE_NOTHING.keys()) - keys) == [], "of sentences that are no more"
