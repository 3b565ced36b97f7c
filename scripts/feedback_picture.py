"""Makes the picture of a feedback page that README.md shows: docs/images/feedback.webp.

    python scripts/feedback_picture.py

It grades a wrong submission, opens its page in Chromium at 1,200 pixels, and takes a picture of the check
that explains the mistake. It needs Chromium and the extras dev and plot; "make setup" installs the extras.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import FloatRect, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.course.plan import load_plan  # noqa: E402
from grader.grading.engine import FEEDBACK, graded  # noqa: E402
from grader.intake import read_submission  # noqa: E402
from grader.reader import reading_here  # noqa: E402
from grader.sandbox.base import choose  # noqa: E402
from tests.submissions.loader import Case  # noqa: E402

PICTURE: Final = ROOT / "docs" / "images" / "feedback.webp"
WRONG: Final = Case("wrong", "dfs-west-first-search")
HEAD, CHECK = "#dfs > summary", "#dfs details.check[open]"
"""The picture reaches from the title of the exercise to the end of the check that is opened."""
WIDTH, HEIGHT = 1200, 900
"""The browser's window has 1,200 x 900 pixels."""
MARGIN: Final = 8
"""Pixels above and below the pictured part."""
QUALITY: Final = 82
"""WebP's quality, 0 to 100, at which text has no visible flaws."""
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome")


def main() -> int:
    """Make the picture; return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        picture = photographed(page_of_wrong_submission(Path(folder)))
    PICTURE.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(picture)).convert("RGB").save(PICTURE, quality=QUALITY, method=6)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1024} KiB")
    return 0


@reading_here()
def page_of_wrong_submission(folder: Path) -> Path:
    """Grade the wrong submission in the folder, and return the path of its page."""
    WRONG.materialise(folder / "ada")
    backend, _ = choose()
    graded(read_submission(folder / "ada"), load_plan(), backend, folder / "results")
    return folder / "results" / FEEDBACK


def photographed(page: Path) -> bytes:
    """Return a PNG of the failed exercise."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        sys.exit(
            f"expected one of {', '.join(CHROMIUM)} on the PATH, found none: run scripts/install-system.sh"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        window.goto(page.as_uri())
        picture = window.screenshot(full_page=True, clip=part_of(window))
        browser.close()
    return picture


def part_of(window: Page) -> FloatRect:
    """Return the rectangle from the exercise's title to the end of its opened check."""
    found = [each for each in map(window.query_selector, (HEAD, CHECK)) if each is not None]
    boxes = [box for box in (each.bounding_box() for each in found) if box is not None]
    if len(boxes) < 2:
        sys.exit(f"expected {HEAD} and {CHECK} on the page, missed one: the page has changed")
    top, end = boxes
    start = top["y"] - MARGIN
    return {"x": 0, "y": start, "width": WIDTH, "height": end["y"] + end["height"] + MARGIN - start}


if __name__ == "__main__":
    sys.exit(main())
