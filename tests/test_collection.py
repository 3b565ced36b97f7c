"""Collecting tests is cheap."""

from __future__ import annotations

import pytest

from tests.at_import import READ_AT_IMPORT


def test_no_module_makes_a_plan_or_parses_a_page_at_import(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.stash[READ_AT_IMPORT] == set()
