"""Judge whether a way costs least: any of several is right."""

from __future__ import annotations

from grader.exercises.kit.costs import judge_cheapest as judge

__all__ = ["judge"]
