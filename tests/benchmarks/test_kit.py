"""The points of the kit so far are those that the grade gives for what it shows."""

import pytest

from benchmarks.kit import MOST_OFF, compare
from tests.submissions.loader import cases

FAR = {"search-four-bits-a-key"}
"""Of these submissions, one draw of cases loses a tenth more points of an exercise than another."""


@pytest.mark.ci
@pytest.mark.usefixtures("_untraced")
def test_a_tenth_of_the_wrong_submissions_has_the_points_of_the_grade() -> None:
    found = compare(cases("wrong")[::10])
    assert len({each.name for each in found.off}) <= MOST_OFF * len(found.seconds), found.off
    assert {each.name for each in found.far} <= FAR
