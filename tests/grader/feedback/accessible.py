"""What axe says of the feedback pages of the corpus, and which English words their Norwegian ones hold.

    python -m tests.grader.feedback.accessible FOLDER

looks at the pages of all results in a folder (``scripts/corpus.py grade FOLDER``): at the words of every one,
and in a browser, in two languages and widths, at each that has a kind of element, or two of a kind, that no
page before it had.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from grader.feedback import render_html
from tests.grader.feedback.crumbs import crumbs

EVERY_WAY = tuple((language, width) for language in ("en", "nb") for width in (390, 1200))
OPEN_ALL = "document.querySelectorAll('details').forEach(details => { details.open = true })"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_VOID = {"meta", "input"}


def complaints(
    browser: Browser, results: Mapping[str, object], ways: tuple[tuple[str, int], ...] = EVERY_WAY
) -> Iterator[str]:
    """What is wrong with the page of these results, in each of the languages at a width in pixels."""
    for language, width in ways:
        context = browser.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        page.set_content(render_html(results, language=language))
        page.evaluate(OPEN_ALL)
        options = {"runOnly": {"type": "tag", "values": [*TAGS]}}
        found = Axe().run(page, options=options)
        wide = page.evaluate("document.documentElement.scrollWidth")
        context.close()
        if found.violations_count:
            yield f"{language}, {width} pixels: {found.generate_report()}"
        if wide > width:
            yield f"{language}: the page is {wide} pixels wide on a screen of {width}"


class Structure(HTMLParser):
    """Which elements a page is made of, and whether there is one of each kind, or several."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open: list[str] = []
        self._kinds: Counter[str] = Counter()
        self.feed(page)
        self.kinds = {(kind, min(count, 2)) for kind, count in self._kinds.items()}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        kind = f"{tag}.{known.get('class') or ''}[{' '.join(sorted(known))}]"
        self._kinds[" > ".join([*self._open[-2:], kind])] += 1
        if tag not in _VOID:
            self._open.append(kind)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1].startswith(f"{tag}."):
            self._open.pop()


def main(folder: Path) -> int:
    """Look at the page of each submission, and say what is wrong."""
    seen: set[tuple[str, int]] = set()
    looked = count = found = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for path in sorted(folder.glob("*/results.json")):
            results: dict[str, Any] = json.loads(path.read_bytes())
            kinds = Structure(render_html(results)).kinds
            wrong = [f"in English: {text}" for text in crumbs(results)]
            if not kinds <= seen:
                wrong += complaints(browser, results, EVERY_WAY)
                looked += 1
            seen |= kinds
            count, found = count + 1, found + len(wrong)
            for complaint in wrong:
                print(f"{path.parent.name}: {complaint}", flush=True)
        browser.close()
    print(f"{count} pages, {looked} looked at in a browser, {found} complaints")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
