"""A language that is not whole: what it lacks, or has in a form that cannot stand for it, is English."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import languages as module
from grader.cli import make_parser
from grader.commands.course import explanation
from grader.course.plan import load_plan
from grader.feedback.page import render_html
from grader.languages import catalogue, languages, missing_texts, said
from tests.grader.feedback.opened_pages import sample
from tests.grader.languages.whole import WHOLE

CODE = "qaa"
"""A code that ISO 639 leaves to everybody: no language that ships will have it."""
FEW = """
title = "Återkoppling för {submission}"
score = "{scores} av {max}"
decimal = "{"
"""


@pytest.fixture
def _begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "languages"
    shutil.copytree(Path(module.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / CODE).mkdir()
    (folder / CODE / "page.toml").write_text(f"[page]{FEW}", encoding="utf-8")
    (folder / CODE / "sentences.toml").write_text('[said]\nnone_though = "gav None"\nold_text = "borta"\n')
    monkeypatch.setattr(module, "_folder", lambda: folder)
    caches = (module.languages, module.catalogue, module._texts, make_parser)
    for each in caches:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


@pytest.mark.usefixtures("_begun")
def test_what_a_language_lacks_is_english() -> None:
    assert CODE in languages()
    swedish, english = catalogue(CODE), catalogue("en")
    assert swedish("page.title", submission="ada") == "Återkoppling för ada"
    assert swedish("page.score", score="1", max="2") == english("page.score", score="1", max="2")
    assert swedish.say(said("none_though")) == "gav None"
    assert swedish.say(said("a_maze", size="1 x 2")) == english.say(said("a_maze", size="1 x 2"))
    assert swedish.texts.keys() == english.texts.keys()
    assert "Återkoppling för" in render_html(sample("right"), language=CODE)


@pytest.mark.usefixtures("_begun")
def test_explain_counts_what_is_missing() -> None:
    lacking, count = missing_texts(CODE)
    assert lacking == count - 2
    assert f"language {CODE}: {lacking} of {count} texts are missing, and English" in explanation(load_plan())


def test_a_language_with_all_catalogues_lacks_no_text() -> None:
    assert [code for code in WHOLE if missing_texts(code)[0]] == []
