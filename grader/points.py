"""Rounding of points as people do it."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

_CENT: Final = Decimal("0.01")

_LARGE: Final = 2.0**53


def round_points(points: float) -> float:
    """Return points with two decimals, decimal halves away from zero: 2.675 becomes 2.68.

    A double is taken for the decimal number of nine digits that it stands for, since 2.675 is stored as a
    little less, and 80.25 * 0.9 comes out as a little more than 72.225. What is too large to have
    decimals, or no number, is returned as it is.
    """
    if not abs(points) < _LARGE:
        return points
    return float(Decimal(f"{points:.9f}").quantize(_CENT, ROUND_HALF_UP))
