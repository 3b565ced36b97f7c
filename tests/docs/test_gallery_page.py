"""The page of the gallery is what its command makes today.

What it measures, on thousands of mazes, is measured in continuous integration only.
"""

import re
import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PLOTS = {"branching.svg", "cover.svg", "visited.svg", "texture.svg"}
OTHERS_WORK = {"plot.png", "making-moler.gif", *PLOTS}
"""Made through libraries, whose versions decide on the bytes."""


@cache
def gallery(name: str) -> Callable[..., Any]:
    """Return a function of the script that makes the page."""
    found: Callable[..., Any] = runpy.run_path(str(DOCS / "make_gallery.py"))[name]
    return found


def test_the_pictures_of_the_handout_are_up_to_date() -> None:
    folder = DOCS.parent / "student_template" / "pictures"
    drawn = gallery("handout_pictures")()
    assert drawn == {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_the_pictures_of_the_page_are_up_to_date() -> None:
    drawn = gallery("drawings")()
    shown = {name: (DOCS / "gallery" / name).read_text(encoding="utf-8") for name in drawn}
    assert [name for name, text in drawn.items() if shown[name] != text] == []


@pytest.mark.ci
@pytest.mark.usefixtures("_untraced")
def test_the_page_and_all_pictures_are_up_to_date(tmp_path: Path) -> None:
    gallery("main")(tmp_path)
    files = {path.name for path in (tmp_path / "gallery").iterdir()}
    assert files == {path.name for path in (DOCS / "gallery").iterdir()}
    for path in (Path("gallery.md"), *(Path("gallery") / name for name in sorted(files - OTHERS_WORK))):
        wanted = (DOCS / path).read_bytes()
        assert (tmp_path / path).read_bytes() == wanted, f"{path}: run docs/make_gallery.py"


def test_every_picture_is_on_the_page_and_described() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(gallery/([^)]+)\)", page))
    assert linked == {path.name for path in (DOCS / "gallery").iterdir()}
    assert "![](" not in page
