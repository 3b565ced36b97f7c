"""The catalogues: the same keys in each, nothing left in English, nothing left over."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from grader.feedback import render_html
from grader.languages import DEFAULT, catalogue, languages
from tests.grader.languages.whole import WHOLE


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("code", languages())
def test_every_catalogue_has_the_same_keys_and_names(code: str) -> None:
    english, texts = catalogue("en").texts, catalogue(code).texts
    assert sorted(texts.keys() ^ english.keys()) == []
    assert [key for key, text in texts.items() if names(text) != names(english[key])] == []
    assert [key for key, text in texts.items() if not text and key != "page.machine_made"] == []


@pytest.mark.parametrize("code", [code for code in WHOLE if code != DEFAULT])
def test_nothing_of_a_catalogue_was_left_in_english(code: str) -> None:
    """Two words in a row that are not values are the language's own."""
    english = catalogue("en").texts
    words = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
    left = [key for key, text in catalogue(code).texts.items() if text == english[key] and words.search(text)]
    assert left == []


def test_no_text_of_the_catalogues_is_left_over() -> None:
    feedback = Path(render_html.__code__.co_filename).parent
    folders = (feedback, feedback.parent / "serve" / "web", feedback.parent / "batch" / "report" / "pages")
    paths = (path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".j2"))
    sources = "".join(path.read_text(encoding="utf-8") for path in paths)
    for key in catalogue("en").texts:
        section, _, name = key.partition(".")
        used = (
            key in sources or section in ("why", "status", "move", "hint", "said") or f'"{name}"' in sources
        )
        assert used or re.search(rf'{section}\.[a-z_]*["{{]', sources), key
