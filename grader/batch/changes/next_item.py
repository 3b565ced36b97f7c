"""``grader review --next``: show one open item after another, with its evidence, until the person stops."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from grader.batch.changes.adjust import MarkChange, adjust_mark
from grader.batch.changes.choose import find_choice, grade_again, record_choices
from grader.batch.changes.review import review
from grader.batch.choices import list_candidates
from grader.batch.job import files_in
from grader.batch.laid_out import as_text
from grader.batch.open_results import open_results
from grader.batch.report.class_facts import load
from grader.batch.report.review_items import PROPOSALS, Item
from grader.batch.report.templates import render
from grader.course.yaml.source import read_yaml
from grader.errors import InputError
from grader.grading.pipeline import FEEDBACK, STAFF_PAGE
from grader.text import visible

COMMENTS: Final = "comments.yaml"
"""The library of comments, in the folder of the results or of the rubric."""
KEYS: Final = "d done, a adjust, c comment, s skip, q quit"
_MOST_CHARACTERS: Final = 2000


@dataclass(frozen=True, slots=True)
class Prompts:
    """How a person is asked and shown things."""

    say: Callable[[str], None]
    ask: Callable[[str], str]
    """Ask for a line."""
    key: Callable[[str], str]
    """Ask for one key; empty at the end of the input."""
    browse: Callable[[Path], None]
    """Open a page."""


def read_comments(path: Path) -> dict[str, str]:
    """Read a library of comments: texts by short keys. Raises InputError with line and column."""
    entries = read_yaml(path, error=InputError).entries()
    return {key.text(most=40): value.text(most=_MOST_CHARACTERS) for key, value in entries}


def find_comments(out: Path) -> Path | None:
    """Return the comments file of the results, or the one beside the course's rubric, or None."""
    rubric = load(out).asked.get("rubric")
    folders = (out, *([Path(rubric).parent] if rubric else []))
    return next((path for folder in folders if (path := folder / COMMENTS).is_file()), None)


def review_one_by_one(out: Path, who: str, comments: Mapping[str, str], prompts: Prompts) -> None:
    """Show open items one after another, and apply the person's answer to each.

    What was chosen among several attempts is graded at the end, all at once. Raises InputError if the folder
    holds no results; an invalid answer is reported, and the question repeated.
    """
    seen: set[str] = set()
    chosen: set[str] = set()
    items = review(out, (), (), who)
    with tempfile.TemporaryDirectory(prefix="maze-grader-") as folder:
        while item := next((each for each in items if each.is_open and each.id not in seen), None):
            seen.add(item.id)
            _show(out, item, Path(folder), prompts)
            key = _decide(out, who, item, comments, prompts)
            if key in ("q", ""):
                break
            if key.isdigit():
                chosen.add(item.submission)
            elif key != "s":
                items = review(out, (), (), who)
    if chosen:
        grade_again(out, chosen)


def _show(out: Path, item: Item, folder: Path, prompts: Prompts) -> None:
    """Print the item, and open its pages and the code."""
    names = " and ".join(map(visible, (item.submission, *item.others)))
    prompts.say(f"\n{item.id}  {names}: {visible(item.text)}\n  {PROPOSALS[item.kind]}")
    if choice := find_choice(out, item.submission):
        prompts.say("\n".join(f"  {line}" for line in list_candidates(choice)))
        return
    for page in _pages(out, item, folder):
        prompts.say(f"  {page}")
        prompts.browse(page)


def _pages(out: Path, item: Item, folder: Path) -> Iterator[Path]:
    """Yield the side-by-side pages; if there are none, the submission's page and its code."""
    if item.pages:
        yield from (out / page for _, page in item.pages)
        return
    found = (out / item.submission / name for name in (STAFF_PAGE, FEEDBACK))
    yield from [path for path in found if path.is_file()][:1]
    with open_results(out) as journal:
        code = dict(journal.code([item.submission])).get(item.submission, b"")
    if code:
        source = folder / f"{quote(item.submission, safe='')[:100]}.html"
        source.write_text(source_page(item.submission, code), encoding="utf-8")
        yield source


def source_page(name: str, code: bytes) -> str:
    """Return a page with a submission's code and its line numbers."""
    files = {path: as_text(content).strip("\n").splitlines() for path, content in files_in(code).items()}
    return render("source.html.j2", name=name, files=files, shown=visible)


def _decide(out: Path, who: str, item: Item, comments: Mapping[str, str], prompts: Prompts) -> str:
    """Apply the person's answers until the item is decided, done or skipped; return the last key."""
    if choice := find_choice(out, item.submission):
        return _pick(out, who, item.submission, len(choice["candidates"]), prompts)
    while True:
        key = prompts.key(f"{KEYS}: ").lower()
        try:
            if key == "d":
                review(out, [item.id], (), who)
            elif key == "a":
                prompts.say(adjust_mark(out, item.submission, _change(who, prompts)))
            elif key == "c":
                text = _comment(comments, prompts)
                prompts.say(adjust_mark(out, item.submission, MarkChange("comment", who, comment=text)))
            if key in ("d", "s", "q", ""):
                return key
        except InputError as error:
            prompts.say(f"  {error}")


def _pick(out: Path, who: str, submission: str, count: int, prompts: Prompts) -> str:
    """Take the number of what counts, or none; return the key."""
    numbers = "123456789"[:count]
    while True:
        key = prompts.key(f"{', '.join(numbers)} what counts, s skip, q quit: ").lower()
        if key in ("s", "q", ""):
            return key
        if key in numbers:
            prompts.say(record_choices(out, {submission: int(key)}, who))
            return key


def _change(who: str, prompts: Prompts) -> MarkChange:
    """Ask for a change of the mark and its reason. Raises InputError."""
    words = prompts.ask("a score such as 80, or a check with points such as dfs.large +1: ").split()
    try:
        points = float(words[-1].replace(",", "."))
    except (IndexError, ValueError):
        raise InputError("expected a score, or a check with points") from None
    reason = prompts.ask("the reason, which the student can read: ").strip()
    if not reason:
        raise InputError("expected a reason")
    if len(words) == 1:
        return MarkChange("score", who, reason, points=points)
    return MarkChange("check", who, reason, check=words[0], points=points)


def _comment(comments: Mapping[str, str], prompts: Prompts) -> str:
    """Ask for a comment: a key of the comments file, or text. Raises InputError."""
    for key, text in comments.items():
        prompts.say(f"  {visible(key)}: {visible(text)}")
    told = prompts.ask("a comment for the student" + (", or one of these by its key: " if comments else ": "))
    if not told.strip():
        raise InputError("expected a comment")
    return comments.get(told.strip(), told.strip())
