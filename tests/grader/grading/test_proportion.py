"""What is wrong on few ordinary cases loses at most a third of its exercise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.grading.verdicts import FEW_CASES, SOME_CASES, Earned, in_proportion, most_lost

POINTS = st.sampled_from((0.5, 1.0, 2.0, 3.0, 4.0, 7.0))
CHECKS = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=4),
    st.builds(Earned, POINTS, st.sampled_from((0.0, 0.5, 1.0)), st.booleans()),
    min_size=1,
    max_size=8,
)
SHARES = st.floats(0, 1)


def lost(checks: dict[str, Earned], parts: dict[str, float]) -> float:
    return sum(check.points * (1 - parts[id_]) for id_, check in checks.items())


@given(CHECKS, SHARES)
def test_no_check_gives_less_and_none_that_may_not_rise_gives_more(
    checks: dict[str, Earned], share: float
) -> None:
    parts = in_proportion(checks, share)
    assert parts.keys() == checks.keys()
    for id_, check in checks.items():
        assert check.part <= parts[id_] <= max(check.part, 0.9)
        assert check.may_rise or parts[id_] == check.part


@given(CHECKS, SHARES)
def test_no_more_is_lost_than_may_be_unless_it_was_lost_for_other_reasons(
    checks: dict[str, Earned], share: float
) -> None:
    total = sum(check.points for check in checks.values())
    fixed = sum(check.lost for check in checks.values() if not check.may_rise)
    least_risen = sum(check.lost * 0.1 for check in checks.values() if check.may_rise)
    bound = max(most_lost(share) * total, fixed + least_risen, fixed + total * 0.1)
    assert lost(checks, in_proportion(checks, share)) <= bound + 1e-6


@given(CHECKS, SHARES)
def test_where_no_more_is_lost_than_may_be_nothing_changes(checks: dict[str, Earned], share: float) -> None:
    parts = {id_: check.part for id_, check in checks.items()}
    if lost(checks, parts) <= most_lost(share) * sum(check.points for check in checks.values()):
        assert in_proportion(checks, share) == parts


@given(SHARES, SHARES)
def test_the_bound_grows_with_what_is_wrong(one: float, other: float) -> None:
    assert most_lost(min(one, other)) <= most_lost(max(one, other))


def test_the_bound_is_a_third_for_few_and_everything_for_a_quarter() -> None:
    assert most_lost(FEW_CASES) == 1 / 3
    assert most_lost(SOME_CASES) == 1.0
