"""The page of the gallery is what its command makes today."""

import re
import runpy
from pathlib import Path

import pytest

from tests.rounds import untraced

DOCS = Path(__file__).parents[2] / "docs"
PLOTS = {"branching.svg", "cover.svg", "visited.svg", "texture.svg"}
OTHERS_WORK = {"plot.png", "making-moler.gif", *PLOTS}
"""Made through libraries, whose versions decide on the bytes."""


def test_the_pictures_of_the_handout_are_up_to_date() -> None:
    folder = DOCS.parent / "student_template" / "pictures"
    drawn = runpy.run_path(str(DOCS / "make_gallery.py"))["handout_pictures"]()
    assert drawn == {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    with untraced():
        runpy.run_path(str(DOCS / "make_gallery.py"))["main"](folder)
    return folder


def test_the_page_and_its_pictures_are_up_to_date(made: Path) -> None:
    files = {path.name for path in (made / "gallery").iterdir()}
    assert files == {path.name for path in (DOCS / "gallery").iterdir()}
    for path in (Path("gallery.md"), *(Path("gallery") / name for name in sorted(files - OTHERS_WORK))):
        assert (made / path).read_bytes() == (DOCS / path).read_bytes(), f"{path}: run docs/make_gallery.py"


def test_every_picture_is_on_the_page_and_described() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(gallery/([^)]+)\)", page))
    assert linked == {path.name for path in (DOCS / "gallery").iterdir()}
    assert "![](" not in page


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in (DOCS / "gallery").iterdir()) < 300_000
