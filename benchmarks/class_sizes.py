"""What a batch costs as the class grows, and how soon its class page can be used.

    python -m benchmarks.class_sizes [--counts 10 100 1000 10000] [--sandbox bubblewrap] [--drawn 50]

The class is the corpus of right and wrong submissions, repeated; the rubric is small and two work at it, so
that ten thousand take minutes. CPU and memory are those of the grader and its workers, CPU with what runs in
boxes; *reports* is the part of the time after the last submission. The page is opened in Chromium: until it
has loaded and been drawn, until it is sorted after a click, and until a name is found that was typed.

With ``--drawn`` only so many are graded, and their results are repeated: that is for work on the page.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.batch_class import COMMAND, LOOPS, measured
from grader.batch.journal import FILE, LOG, Journal
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import PAGE, write_reports
from grader.grading.engine import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
from tests.submissions.loader import cases

RUBRIC = """
title: Two checks
examples: 5
mazes: mazes
exercises:
  dfs:
    checks: {dfs.valid-path: 60, dfs.no-way: 40}
"""
ROOT = Path(__file__).resolve().parents[1]
HEAD = "submissions|wall s|a second|CPU s|memory MB|reports s|journal MB|page MB|opens s|sorts s|finds s"
DRAWN = "import sys; from benchmarks.class_sizes import repeat; repeat(sys.argv[1], int(sys.argv[2]))"
IDLE = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
"""JavaScript that waits until the page is drawn, and the browser is idle."""


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--counts", nargs="*", type=int, default=[10, 100, 1000])
    parser.add_argument("--sandbox", default="bubblewrap")
    parser.add_argument("--drawn", type=int, help="grade so many, and repeat their results")
    parser.add_argument("--keep", type=Path, help="a folder to leave the results in")
    options = parser.parse_args()
    print(_line(HEAD.split("|")), _line("---:" for _ in HEAD.split("|")), sep="\n")
    for count in options.counts:
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.keep / str(count) if options.keep else Path(temporary)
            figures = grade(folder, count, options.sandbox, options.drawn)
            print(
                _line([f"{count:,}", *figures, *map("{:.2f}".format, opened(folder / "out" / PAGE))]),
                flush=True,
            )
    return 0


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def grade(folder: Path, count: int, sandbox: str, drawn: int | None) -> list[str]:
    """Grade ``count`` submissions with two workers; return the figures."""
    make_class(folder / "class", min(count, drawn or count))
    (folder / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "mazes").mkdir()
    for name in ("a.yaml", "no-exit.yaml"):
        shutil.copy(ROOT / "grader" / "mazes" / name, folder / "mazes")
    options = ["--rubric", str(folder / "rubric.yaml"), "--sandbox", sandbox, "--jobs", "2"]
    out = folder / "out"
    wall, cpu, memory = measured([*COMMAND, str(folder / "class"), "--out", str(out), *options])
    reports = _seconds_of_reports(out)
    if drawn:
        wall, cpu, memory = measured([sys.executable, "-c", DRAWN, str(out), str(count)])
        reports = wall
    sizes = [(out / name).stat().st_size / 1e6 for name in (FILE, PAGE)]
    figures = f"{wall:.1f}", f"{count / wall:.1f}", f"{cpu:.1f}", f"{memory:.0f}", f"{reports:.1f}"
    return [*figures, *map("{:.2f}".format, sizes)]


def make_class(folder: Path, count: int) -> None:
    """Write the submissions, repeating those of the corpus that end on their own."""
    corpus = [case for kind in ("right", "wrong") for case in cases(kind)]
    quick = [case for case in corpus if case.name not in LOOPS and not case.expectation.slow]
    first: dict[str, Path] = {}
    for number, case in enumerate(islice(cycle(quick), count)):
        path = folder / f"{number:05}-{case.name}"
        if case.name in first:
            shutil.copytree(first[case.name], path)
        else:
            case.materialise(path)
        first.setdefault(case.name, path)


def _seconds_of_reports(out: Path) -> float:
    """Return the seconds from the last submission to the end, from the log."""
    events = [json.loads(line) for line in (out / LOG).read_text(encoding="ascii").splitlines()]
    last, end = (datetime.fromisoformat(event["time"]) for event in events[-2:])
    return (end - last).total_seconds()


def repeat(out: str, count: int) -> None:
    """Repeat the results in a folder up to a count, and write reports of them all."""
    folder, facts = Path(out), load(Path(out))
    with Journal(folder) as journal:
        entries, hand_ins = journal.entries(), list(facts.found.hand_ins)
        codes = dict(journal.code(list(entries)))
        for number, hand_in in enumerate(islice(cycle(facts.found.hand_ins), len(hand_ins), count)):
            one, name = folder / hand_in.name, f"{len(facts.found.hand_ins) + number:05}{hand_in.name[5:]}"
            staff = {
                file: (one / file).read_bytes() for file in (STAFF, STAFF_PAGE) if (one / file).is_file()
            }
            results, page = (one / RESULTS).read_bytes(), (one / FEEDBACK).read_bytes()
            journal.record(
                replace(entries[hand_in.name], name=name), results, page, codes[hand_in.name], staff
            )
            hand_ins.append(replace(hand_in, name=name))
        found = replace(facts.found, hand_ins=tuple(hand_ins))
        write_reports(folder, replace(facts, found=found), journal)


def opened(path: Path) -> tuple[float, float, float]:
    """Return the seconds until the class page is loaded, is sorted, and has found a name."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1200, "height": 800})
        tab.set_default_timeout(0)
        started = time.monotonic()
        tab.goto(path.as_uri())
        tab.evaluate(IDLE)
        loaded = time.monotonic()
        _click(tab, "#table thead th:nth-child(2) button")
        is_sorted = time.monotonic()
        tab.locator("#filter").fill("0007")
        tab.evaluate(IDLE)
        filtered = time.monotonic()
        browser.close()
    return loaded - started, is_sorted - loaded, filtered - is_sorted


def _click(tab: Page, button: str) -> None:
    tab.locator(button).click()
    tab.evaluate(IDLE)


if __name__ == "__main__":
    sys.exit(main())
