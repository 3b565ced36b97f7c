"""``grader review``: list and close what a person has to look at, one after another."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from grader.batch.answers import answer_request, decided_before
from grader.batch.code_text import files_in
from grader.batch.decisions import MarkChange, adjust_mark, find_choice, grade_again, record_choices
from grader.batch.ledger import Decision, append
from grader.batch.line_comments import PLACE, lines_of_code, read_comment
from grader.batch.marking_prompts import mark_one_by_one
from grader.batch.marks import update_marks
from grader.batch.open_results import TAKEN_IN, expect_files, find_submission, list_candidates, open_beside
from grader.batch.report import render
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import load_items, write_reports
from grader.batch.report.rows import BY_PERSONS, PROPOSALS, REQUEST, Item
from grader.batch.requests import Answer
from grader.batch.shares import read_shares
from grader.batch.submission_report import ResultFolder, files_to_try
from grader.batch.taken_items import expect_free, give_back, take_item
from grader.batch.write_comments import LineComment, comment_line
from grader.course.plan import load_plan, read_maze
from grader.disk import Busy
from grader.errors import InputError
from grader.exports.grades_csv import marked_unfinished
from grader.feedback import render_tried
from grader.grading.engine import FEEDBACK, STAFF_PAGE, try_check
from grader.model import Submission
from grader.sandbox.base import choose
from grader.text import visible


def review(
    out: Path, close: Sequence[str], reopen: Sequence[str], who: str, key: Path | None = None
) -> tuple[Item, ...]:
    """Close or reopen items, named by id, submission or kind; return all items.

    ``key`` names the students of results under pseudonyms. Raises InputError.
    """
    with open_beside(out) as (journal, is_beside):
        facts = load(out)
        if is_beside:
            items = load_items(out)
        else:
            with marked_unfinished(out):
                update_marks(out, journal)
                items = write_reports(out, facts, journal).items

        def called(name: str) -> str:
            try:
                return find_submission(out, name, journal.entries(), key)
            except InputError as error:
                expected = "expected an item of grader review, by its id, submission or kind"
                raise InputError(f"{expected}, got {visible(name)}: {error}") from None

        to_close = [part for part in _select(items, close, called) if part.is_open]
        to_reopen = [part for part in _select(items, reopen, called) if not part.is_open]
        _check_closable(to_close, to_reopen)
        if not to_close and not to_reopen:
            return items
        expect_free(
            out, [whole.id for whole in items if {*to_close, *to_reopen} & {whole, *whole.parts}], who
        )
        now = datetime.now(UTC).isoformat(timespec="seconds")
        made = [
            Decision(now, who, item.submission, "looked", 0.0, check=item.id, work=item.work)
            for item in to_close
        ]
        made += [Decision(now, who, item.submission, "reopen", 0.0, check=item.id) for item in to_reopen]
        if is_beside:
            append(out, *made, is_beside=True)
            print(TAKEN_IN)
            return load_items(out)
        with marked_unfinished(out):
            append(out, *made)
            journal.give_back([item.id for item in to_close], who)
            return write_reports(out, facts, journal).items


def _check_closable(to_close: Sequence[Item], to_reopen: Sequence[Item]) -> None:
    """Raise InputError for what is closed by a decision about points, or by an answer."""
    for part in to_close:
        if part.kind == REQUEST:
            how = f"grader adjust --answers {visible(part.check)}"
            raise InputError(f"{visible(part.submission)}: a student waits for an answer: {how}")
        if part.check:
            how = f"give them, or 0, with grader adjust --check {visible(part.check)} POINTS"
            how = "mark it with grader review --next" if part.kind in BY_PERSONS else how
            raise InputError(f"{visible(part.submission)}: a check waits for its points: {how}")
    if any(part.kind == REQUEST for part in to_reopen):
        raise InputError("the student has read the answer to a request: grader adjust changes the mark")


def _select(items: Sequence[Item], names: Sequence[str], called: Callable[[str], str]) -> list[Item]:
    """Return the items with this id, submission or kind, and in the place of a list its parts.

    ``called`` turns any other name of a submission into its id, or raises InputError. Raises InputError if a
    name matches none.
    """

    def named_by(name: str) -> list[Item]:
        whole = [item for item in items if name in (item.id, item.kind)]
        parts = [part for item in items for part in item.parts or (item,) if part.submission == name]
        parts = [part for part in parts if part.kind != REQUEST]  # answered one by one
        return [part for item in whole for part in item.parts or (item,)] or parts

    found = []
    for name in names:
        named = named_by(name) or named_by(called(name))
        if not named:
            raise InputError(f"{visible(name)} has no item of grader review")
        found += named
    return found


KEYS: Final = "d done, a adjust, c comment, s skip, q quit"
ANSWER_KEYS: Final = "k keep the mark, a adjust, g graded again after a fix, c comment, s skip, q quit"


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


def lines_of(item: Item, whose: str = "") -> list[str]:
    """Return an item in words, with whose share it is: a line, and in a list one for each submission."""
    state = f" (for {visible(whose)})" if whose else ""
    state = state if item.is_open else f" (done, {visible(item.who)}, {visible(item.when)})"
    if item.parts:
        inner = [f"  {visible(part.submission)}: {visible(part.text)}" for part in item.parts]
        return [f"{item.id}  {visible(item.text)}{state}", *inner]
    return [f"{item.id}  {' and '.join(map(visible, item.names))}: {visible(item.text)}{state}"]


def review_one_by_one(out: Path, who: str, comments: Mapping[str, str], prompts: Prompts) -> None:
    """Show open items one after another, and apply the person's answer to each.

    What was chosen among several attempts is graded at the end, all at once. Raises InputError if the folder
    holds no results; an invalid answer is reported, and the question repeated.
    """
    seen: set[str] = set()
    chosen: set[str] = set()
    items, shares = _after_marking(out, who, prompts), read_shares(out)
    with tempfile.TemporaryDirectory(prefix="maze-grader-") as folder:
        while item := next((each for each in items if each.is_open and each.id not in seen), None):
            seen.add(item.id)
            if not shares.is_for(item.submission, who):
                continue
            if (other := take_item(out, item.id, item.names, who)) != who:
                prompts.say(f"\n{item.id}  {visible(other)} has taken it")
                continue
            _show(out, item, Path(folder), prompts)
            try:
                key = _decide(out, who, item, comments, prompts)
            finally:
                give_back(out, [item.id], who)
            if key in ("q", ""):
                break
            if key.isdigit():
                chosen.add(item.submission)
            elif key != "s":
                found = _in_turn(lambda: review(out, (), (), who))
                items = [each for each in found if each.kind not in BY_PERSONS]
    if chosen:
        grade_again(out, chosen)


def _after_marking(out: Path, who: str, prompts: Prompts) -> Sequence[Item]:
    """Mark what persons mark, and return the items that are left; none where the person leaves before."""

    def left() -> Sequence[Item]:
        return _in_turn(lambda: review(out, (), (), who))

    if not any(each.is_open and each.kind in BY_PERSONS for each in left()):
        return left()
    key = mark_one_by_one(out, who, prompts.say, prompts.ask, prompts.key)
    return () if key in ("q", "") else [each for each in left() if each.kind not in BY_PERSONS]


T = TypeVar("T")
_TRIES: Final = 50
_PAUSE_SECONDS: Final = 0.1


def _in_turn(act: Callable[[], T]) -> T:
    """Do what needs the folder of results, after others who decide there; wait for them for five seconds."""
    for _ in range(_TRIES):
        with suppress(Busy):
            return act()
        time.sleep(_PAUSE_SECONDS)
    return act()


def _show(out: Path, item: Item, folder: Path, prompts: Prompts) -> None:
    """Print the item, and open its pages and the code."""
    prompts.say("\n" + "\n".join(lines_of(item)) + f"\n  {PROPOSALS[item.kind]}")
    if choice := find_choice(out, item.submission):
        prompts.say("\n".join(f"  {line}" for line in list_candidates(choice)))
        return
    if item.kind == REQUEST and (lines := decided_before(out, item.submission)):
        prompts.say("\n".join(f"  {line}" for line in lines))
    for page in _pages(out, item, folder):
        prompts.say(f"  {page}")
        prompts.browse(page)


def _pages(out: Path, item: Item, folder: Path) -> Iterator[Path]:
    """Yield the side-by-side pages; if there are none, the submission's page and its code."""
    if item.pages or item.parts:
        yield from (out / page for _, page in item.pages)
        return
    found = (out / item.submission / name for name in (STAFF_PAGE, FEEDBACK))
    yield from [path for path in found if path.is_file()][:1]
    with open_beside(out) as (journal, _):
        code = dict(journal.code([item.submission])).get(item.submission, b"")
    if code:
        source = folder / f"{quote(item.submission, safe='')[:100]}.html"
        source.write_text(source_page(item.submission, code), encoding="utf-8")
        yield source


def source_page(name: str, code: bytes) -> str:
    """Return a page with a submission's code and its line numbers."""
    files = {path: lines_of_code(content) for path, content in files_in(code).items()}
    return render("source.html.j2", name=name, files=files, shown=visible)


def _decide(out: Path, who: str, item: Item, comments: Mapping[str, str], prompts: Prompts) -> str:
    """Apply the person's answers until the item is decided, done or skipped; return the last key."""
    if choice := find_choice(out, item.submission):
        return _pick(out, who, item, len(choice["candidates"]), prompts)
    typed: list[str] = []
    noted = _noting(prompts, typed)
    keys, acts = (ANSWER_KEYS, "kagc") if item.kind == REQUEST else (KEYS, "dac")
    while True:
        typed.clear()
        key = prompts.key(f"{keys}: ").lower()
        try:
            if key and key in acts:
                take_item(out, item.id, item.names, who)
                _in_turn(_answer(out, who, item, key, comments, noted))
            is_done = key in acts and key in "dkg"
            if key in ("s", "q", "") or is_done or (key == "a" and (item.parts or item.check)):
                return key  # what is left of a list is asked anew, and points of a check are the answer
        except InputError as error:
            prompts.say("\n".join([f"  {error}", *(f"  you typed: {visible(text)}" for text in typed)]))


def _answer(
    out: Path, who: str, item: Item, key: str, comments: Mapping[str, str], prompts: Prompts
) -> Callable[[], object]:
    """Ask for what belongs to a key, and return what applies it. Raises InputError, as that does."""
    expect_free(out, [item.id], who)
    if key == "d":
        return lambda: review(out, [item.id], (), who)
    if item.kind == REQUEST and key in "kag":
        return _answer_request(out, who, item, key, prompts)
    whose = _whose(item, prompts)
    if key == "a":
        change = replace(_change(who, prompts), item=item.id)
        return lambda: prompts.say(adjust_mark(out, whose, change))
    place, text = _comment(comments, prompts)
    if place:
        return lambda: prompts.say(comment_line(out, whose, LineComment(who, place, text), comments))
    comment = MarkChange("comment", who, comment=read_comment(text, comments))
    return lambda: prompts.say(adjust_mark(out, whose, comment))


def _answer_request(out: Path, who: str, item: Item, key: str, prompts: Prompts) -> Callable[[], object]:
    """Ask for the answer to a request, which the student reads, and return what gives it."""
    answers: dict[str, Answer] = {"k": "kept", "a": "changed", "g": "regraded"}
    if key == "a":
        prompts.say("  the mark may fall as well as rise")
    change = replace(_change(who, prompts), item=item.id) if key == "a" else None
    words = change.reason if change else prompts.ask("the answer, which the student reads: ").strip()
    given = item.submission, item.check, answers[key], who, words, change
    return lambda: prompts.say(answer_request(out, *given))


def _noting(prompts: Prompts, typed: list[str]) -> Prompts:
    """Return prompts that note what is typed, so that nobody types it anew where it was refused."""

    def ask(prompt: str) -> str:
        typed.append(answer := prompts.ask(prompt))
        return answer

    return replace(prompts, ask=ask)


def _whose(item: Item, prompts: Prompts) -> str:
    """Return whose work it is; of a list, ask."""
    return prompts.ask("whose: ").strip() if item.parts else item.submission


def _pick(out: Path, who: str, item: Item, count: int, prompts: Prompts) -> str:
    """Take the number of what counts, or none; return the key."""
    numbers = "123456789"[:count]
    while True:
        key = prompts.key(f"{', '.join(numbers)} what counts, s skip, q quit: ").lower()
        if key in ("s", "q", ""):
            return key
        if key in numbers:
            try:
                prompts.say(record_choices(out, {item.submission: int(key)}, who))
            except InputError as error:
                prompts.say(f"  {error}")
            else:
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


def _comment(comments: Mapping[str, str], prompts: Prompts) -> tuple[str, str]:
    """Ask for a comment; return the line that it names first, or nothing, and its text or key."""
    for key, text in comments.items():
        prompts.say(f"  {visible(key)}: {visible(text)}")
    or_key = ", or one of these by its key" if comments else ""
    told = prompts.ask(f"a comment for the student{or_key}; about a line, begin with FILE:LINE: ").strip()
    place, _, text = told.partition(" ")
    return (place, text) if PLACE.fullmatch(place) and text else ("", told)


def try_one(out: Path, who: str, check: str, maze: Path | None, key: Path | None = None) -> str:
    """Ask one student's code a check's case, by default that which is shown; return what came of it.

    ``key`` names the students of results under pseudonyms. Raises InputError.
    """
    with open_beside(out) as (journal, _):
        name, asked = find_submission(out, who, journal.entries(), key), load(out).asked
        code = dict(journal.code([name])).get(name, b"")
    files = files_to_try(name, code, out)
    expect_files(asked, ["rubric"], out)
    rubric = asked.get("rubric")
    plan = load_plan(Path(rubric) if rubric else None, explain=False)
    text = read_maze(maze).text if maze else ResultFolder(out / name).shown_maze(check) or None
    backend, _ = choose(asked.get("sandbox") or "auto")
    return render_tried(try_check(Submission(name, files), plan, backend, check, text))
