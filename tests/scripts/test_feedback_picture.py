"""The picture of a feedback page that README.md shows is one that its script makes, and no large one."""

from __future__ import annotations

import pytest
from PIL import Image
from playwright.sync_api import Browser

from scripts import feedback_picture


def test_the_picture_is_small_and_as_wide_as_it_says() -> None:
    assert feedback_picture.PICTURE.stat().st_size < 200_000
    with Image.open(feedback_picture.PICTURE) as picture:
        assert picture.width == feedback_picture.WIDTH


def test_a_page_without_the_exercise_is_refused(browser: Browser) -> None:
    window = browser.new_page()
    window.set_content("<p>nothing</p>")
    with pytest.raises(SystemExit, match="the page has changed"):
        feedback_picture.part_of(window)
    window.close()
