"""Each reader has one page, which is read in ten minutes."""

from __future__ import annotations

import pytest

from tests.docs.pages import ROOT

READERS = ("students", "teaching-assistants", "instructors", "administrators")


@pytest.mark.parametrize("reader", READERS)
def test_the_page_of_a_reader_is_short(reader: str) -> None:
    """What is looked up, and not read, belongs on a page of docs/reference/."""
    assert len((ROOT / f"docs/{reader}.md").read_text(encoding="utf-8").split()) < 1500
