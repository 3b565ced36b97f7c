"""Points are rounded as people do it."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.languages import catalogue
from grader.points import round_points


@pytest.mark.parametrize(
    ("points", "rounded"),
    [
        (2.675, 2.68),
        (1.005, 1.01),
        (80.25 * 0.9, 72.23),
        (0.1 + 0.2, 0.3),
        (2.6749, 2.67),
        (-2.675, -2.68),
        (7, 7),
    ],
)
def test_decimal_halves_go_away_from_zero(points: float, rounded: float) -> None:
    assert round_points(points) == rounded


@given(st.integers(0, 100_000), st.integers(0, 1000))
def test_a_share_of_points_is_rounded_as_on_paper(cents: int, thousandths: int) -> None:
    on_paper = Decimal(cents) * Decimal(thousandths) / 100_000
    rounded = on_paper.quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert round_points(cents / 100 * (thousandths / 1000)) == float(rounded)


@pytest.mark.parametrize("points", [math.inf, -math.inf, 1e300])
def test_what_has_no_decimals_stays(points: float) -> None:
    assert round_points(points) == points


def test_a_page_rounds_as_a_mark_does() -> None:
    assert catalogue("de").number(2.675) == "2,68"
