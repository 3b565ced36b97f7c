"""Open a folder of results: its options, the submission that is named, under a pseudonym as well, and what of
it counts; or forget one.

What a class was graded with is kept in its folder, and in force until it is changed: an option as it was
given (``auto`` stays ``auto``) and, for a file, its path with a digest of all that was read by it. A file
that was moved is thereby known again, and one that was changed is noticed.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from grader.batch.code_text import CODE_BYTES, files_in, is_cut
from grader.batch.journal import FILE, LOG, Journal, JournalRow
from grader.batch.ledger import LEDGER, Decision, is_last
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import SERVED, ClassFacts, load, save
from grader.batch.report.class_page import write_reports
from grader.disk import Busy, hold, write_whole, writing
from grader.errors import InputError
from grader.exports.chosen_students import WITHOUT_WORK, load_students_without_work
from grader.exports.grades_csv import (
    UNFINISHED,
    UNNAMED,
    Identity,
    encode_key,
    find_results_file,
    is_running,
    read_key,
)
from grader.intake.class_listing import UNCLEAR, ClassListing, HandIn
from grader.intake.names import clean_part, is_one_name
from grader.model import ChoiceJson
from grader.platforms.base import PLATFORMS
from grader.sandbox.base import AUTO
from grader.text import in_bytes, visible

FILES_ASKED: Final = ("submissions", "rubric", "extensions", "times", "gradebook", "pseudonyms", "against")
"""These options name a file or a folder."""
_AS_BEFORE: Final = "as in the last run, until you name another, or none"
_NOT_NAMED: Final = {"rubric": "the one that ships", "language": "that of the rubric"}
_COMPARED: Final = {
    "rubric": ": all are graded again by it",
    "language": ": pages are written in it, and nothing is graded again",
    "sandbox": ": what was graded in another is graded again",
    **dict.fromkeys(("students", "names", "times", "extensions", "gradebook", "against"), ""),
}
"""The options of which it is told that they differ, and what comes of it beside other marks."""


def load_options(out: Path) -> ClassFacts | None:
    """Return the facts of a folder that keeps its options, or None. Raises InputError."""
    facts = load(out) if (out / FACTS).is_file() else None
    return None if facts and facts.asked.get(SERVED) else facts


def expect_files(
    asked: Mapping[str, str | None], options: Iterable[str], out: Path, command: str = "batch"
) -> None:
    """Raise InputError where the file of an option that was kept is not there any more."""
    for option in options:
        path = asked.get(option)
        if not path or Path(path).exists():
            continue
        if option == "submissions":
            raise InputError(
                f"expected the submissions at {visible(path)}, where they lay in the last run, found none: "
                "give grader batch the place where they lie now",
                path=out,
            )
        without = "" if option == "pseudonyms" else f", or --{option} none to do without it"
        raise InputError(
            f"expected the file of --{option} at {visible(path)}, as in the last run, found none: give "
            f"grader {command} --{option} and its new place{without}",
            path=out,
        )


def kept_groups(out: Path) -> Path | None:
    """Return the list of groups that the last export was given. Raises InputError."""
    asked = facts.asked if (facts := load_options(out)) else {}
    expect_files(asked, ["groups"], out, "export canvas")
    return Path(path) if (path := asked.get("groups")) else None


def keep_groups(out: Path, groups: Path | None) -> None:
    """Keep the list of groups that an export was given. Raises DiskError."""
    if facts := load_options(out):
        save(out, replace(facts, asked={**facts.asked, "groups": str(groups.resolve()) if groups else None}))


def tell_kept(kept: Mapping[str, str]) -> Iterator[str]:
    """Yield a line that names the options in force which were not given."""
    if told := [f"--{name} {visible(value)}" for name, value in kept.items() if value != AUTO]:
        yield f"{_AS_BEFORE}: {', '.join(told)}"


def digests_of(asked: Mapping[str, str | None]) -> dict[str, str]:
    """Return the digests of the tables that options name."""
    found = {}
    for option in ("extensions", "times", "gradebook"):
        if path := asked.get(option):
            with suppress(OSError):  # whoever reads the table says so
                found[option] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return found


def tell_differences(before: ClassFacts, now: ClassFacts) -> list[str]:
    """Return a line for each option that differs from what was in force before."""
    lines = []
    for option, effect in _COMPARED.items():
        was, now_is = before.asked.get(option), now.asked.get(option)
        digest, known = now.digests.get(option), before.digests.get(option)
        if option == "rubric" and not known and before.explain == now.explain:
            digest, known = now.digest, before.digest
        if digest and known and digest != known and was == now_is:
            lines.append(f"{option}: {_told(option, now_is)} has changed since the last run{effect}")
        elif was != now_is and not (digest and digest == known):
            comes = "" if now_is == AUTO else effect
            lines.append(f"{option}: {_told(option, now_is)}, before {_told(option, was)}{comes}")
    if before.digests and before.late != now.late:
        lines.append("late policy: changed since the last run")
    if before.explain != now.explain:
        lines.append(f"explain: {_yes(now)}, before {_yes(before)}: all are graded again")
    if now.asked.get("sandbox") == AUTO and before.sandbox != now.sandbox:
        takes = f"auto takes {now.sandbox}, before {before.sandbox}"
        lines.append(f"sandbox: {takes}: what is graded stays as it is")
    return lines


def _yes(facts: ClassFacts) -> str:
    return "yes" if facts.explain else "no"


def _told(option: str, value: str | None) -> str:
    return visible(value) if value else _NOT_NAMED.get(option, "none")


def assign_pseudonyms(found: ClassListing, key: Path, out: Path, graded: Collection[str]) -> dict[str, str]:
    """Give each submission a permanent pseudonym, stored in the key file; return them by own name.

    ``graded`` names the submissions that have results. Raises InputError if real names appear in these, or
    would.
    """
    if key.resolve().is_relative_to(out.resolve()):
        raise InputError(
            "expected a key file outside of the results: name a file in another folder", path=key
        )
    known = read_key(key) if key.exists() else {}
    if not set(graded) <= known.keys():
        raise InputError(
            "the key lacks names of results that are here: name the key of this folder, or another folder",
            path=out,
        )
    by_name = {identity.submission: identity for identity in known.values()}
    for hand_in in found.hand_ins:
        before = by_name.get(hand_in.name)
        by_name[hand_in.name] = _identity(hand_in, before.pseudonym if before else _new(known))
    write_whole(key, encode_key(by_name.values()))
    return {name: identity.pseudonym for name, identity in by_name.items()}


def _new(taken: Collection[str]) -> str:
    while (name := f"student-{secrets.token_hex(4)}") in taken:
        pass
    return name


def _identity(hand_in: HandIn, pseudonym: str) -> Identity:
    source = hand_in.sources[0] if hand_in.sources else Path()
    name = PLATFORMS[hand_in.platform].source(source) if hand_in.platform else source.name
    return Identity(pseudonym, hand_in.name, hand_in.student, hand_in.id, hand_in.platform, name)


def with_pseudonyms(found: ClassListing, names: Mapping[str, str]) -> ClassListing:
    """Return the class under its pseudonyms, without skipped files, which may be named after students."""
    hand_ins = (
        replace(
            each,
            name=names[each.name],
            student="",
            id="",
            author="",
            platform=UNNAMED,
            unclear=each.unclear and UNCLEAR,
        )
        for each in found.hand_ins
    )
    return replace(found, hand_ins=tuple(sorted(hand_ins, key=lambda each: each.name)), passed_over=())


def without_paths(found: ClassListing) -> ClassListing:
    """Remove file names from the class, which is then stored with the results."""
    return replace(found, hand_ins=tuple(replace(each, sources=(), labels=()) for each in found.hand_ins))


def with_real_names(hand_ins: Iterable[HandIn], key: Path | str | None) -> dict[str, HandIn]:
    """Give submissions their own names back; return them by the names in the results. Raises InputError."""
    known = read_key(Path(key)) if key else {}
    return {each.name: _with_real_name(each, known.get(each.name)) for each in hand_ins}


def _with_real_name(hand_in: HandIn, who: Identity | None) -> HandIn:
    return replace(hand_in, name=who.submission, student=who.student, id=who.id) if who else hand_in


_NEAR: Final = 3
"""How many similar names are proposed for an unknown name."""
_PART: Final = 3
"""The least number of letters by which part of a name is matched."""


class SubmissionLookup:
    """The submissions of a class, by every name that people use: folder, student's name and number."""

    def __init__(self, hand_ins: Mapping[str, HandIn], called: Callable[[str], str] = str) -> None:
        """Take the submissions by the names to return, which may be pseudonyms, and how pages call them."""
        self._exact: dict[str, set[str]] = defaultdict(set)
        self._alike: dict[str, set[str]] = defaultdict(set)
        self._plain: dict[str, set[str]] = defaultdict(set)
        self._called = {name: each.student or each.name for name, each in hand_ins.items()}
        for name, each in hand_ins.items():
            for word in filter(None, (name, each.name, each.id, each.student, called(name))):
                self._exact[word].add(name)
                self._alike[_as_typed(word)].add(name)
                self._plain[_without_accents(word)].add(name)

    def find(self, who: str) -> list[str]:
        """Return the submissions of that name; exact matches, or else without regard to case and spaces."""
        spelt = visible(who, one_line=True)
        keys = (_as_typed(who), _as_typed(spelt))
        return sorted(self._exact.get(who) or next(filter(None, map(self._alike.get, keys)), ()))

    def propose(self, who: str) -> str:
        """Return the end of a message that proposes similar names; empty if there are none."""
        plain = _without_accents(who)
        parts = [key for key in self._plain if len(plain) >= _PART and plain in key]
        keys = parts or get_close_matches(plain[:80], self._plain, _NEAR, 0.8)
        near = list(dict.fromkeys(name for key in keys for name in sorted(self._plain[key])))[:_NEAR]
        return f"did you mean {' or '.join(map(self._told, near))}?" if near else ""

    def _told(self, name: str) -> str:
        called = self._called[name]
        return visible(name) + (f" ({visible(called)})" if called not in ("", name) else "")


def _as_typed(name: str) -> str:
    """Normalise a name: lower case, single plain spaces, one Unicode form."""
    return " ".join(unicodedata.normalize("NFKC", clean_part(name)).casefold().split())


def _without_accents(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(each for each in parts if not unicodedata.combining(each)).split())


_LOOK_SECONDS: Final = 0.5
_NAMED: Final = 5
"""An error names at most 5 of the submissions that there are."""


@contextmanager
def open_results(out: Path) -> Iterator[Journal]:
    """Lock a folder of results and open its journal. Raises InputError."""
    if not (out / FILE).is_file():
        raise InputError("expected a folder of results that grader batch wrote", path=out)
    with hold(out), Journal(out) as journal:
        yield journal


TAKEN_IN: Final = "taken in by the run that is going on"


@contextmanager
def open_beside(out: Path) -> Iterator[tuple[Journal, bool]]:
    """Open a folder of results as ``open_results`` does, or beside the run that is going on there.

    Yields the journal and whether there is such a run: it alone changes results and pages, and takes in what
    is written into the ledger. Raises InputError.
    """
    with ExitStack() as stack:
        try:
            journal, is_beside = stack.enter_context(open_results(out)), False
        except Busy:
            if not is_running(out):
                raise
            journal, is_beside = stack.enter_context(Journal(out)), True
        yield journal, is_beside


@contextmanager
def open_after_run(out: Path) -> Iterator[Journal]:
    """Open a folder of results as ``open_results`` does; wait for the end of a run there, and say so."""
    with ExitStack() as stack:
        journal, is_told = None, False
        while journal is None:
            try:
                journal = stack.enter_context(open_results(out))
            except Busy:
                if not is_running(out):
                    raise
                if not is_told:
                    print(
                        "a run is going on in this folder: waiting for its end", file=sys.stderr, flush=True
                    )
                is_told = True
                time.sleep(_LOOK_SECONDS)
        yield journal


def was_interrupted(out: Path, decision: Decision) -> bool:
    """Return whether the decision is the last one in the ledger, and was only applied in part."""
    return (out / UNFINISHED).exists() and is_last(out, decision)


def find_submission(
    out: Path, who: str, entries: Mapping[str, JournalRow], key: Path | str | None = None
) -> str:
    """Find a submission by its folder, a file in it, or its student's number or name; return its name.

    ``key`` names the students of results under pseudonyms. Raises InputError if none or several match.
    """
    who = who.rstrip("/") or who
    with suppress(ValueError, IndexError, OSError, RuntimeError):
        if "/" in who:  # a path that leads into a folder of results
            who = Path(who).resolve().relative_to(out.resolve()).parts[0]
    if who in entries:
        return who
    facts = load(out)
    own = with_real_names(facts.found.hand_ins, key)
    lookup = SubmissionLookup({name: each for name, each in own.items() if name in entries}, facts.called)
    found = lookup.find(who)
    if len(found) != 1:
        told = ", ".join(map(visible, found or sorted(entries)[:_NAMED]))
        if not found and len(entries) > _NAMED:
            told += f" and {len(entries) - _NAMED} more"
        what = "may be any of" if found else "is none of"
        more = "" if found else lookup.propose(who)
        if not (found or more or key) and facts.asked.get("pseudonyms"):
            more = "these results are under pseudonyms: give the key that names them (--key)"
        raise InputError(
            f"{visible(who)} {what} the submissions here ({told})" + (f"; {more}" if more else ""), path=out
        )
    return found[0]


def find_candidate(choice: ChoiceJson, which: str) -> int:
    """Return the number of the candidate that a person names, by number or how its name alone begins.

    Raises InputError.
    """
    names = [each["name"] for each in choice["candidates"]]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    for known in (names, numbers, [which if name.startswith(which) else "" for name in names]):
        if known.count(which) == 1:
            return known.index(which) + 1
    raise InputError(f"expected a number from 1 to {len(names)}, or one of the names, got {visible(which)}")


def find_newest(choice: ChoiceJson) -> int:
    """Return the number of the candidate that was changed last; 0 if the times do not tell."""
    times = [each["modified"] or "" for each in choice["candidates"]]
    return times.index(max(times)) + 1 if all(times) and times.count(max(times)) == 1 else 0


def list_candidates(choice: ChoiceJson) -> list[str]:
    """Return the lines of a table: candidates in columns, with a letter for each content of a file."""
    found = choice["candidates"]
    rows = [
        ["", *(str(number) for number in range(1, len(found) + 1))],
        ["name", *(visible(each["name"], one_line=True) for each in found)],
        ["changed", *((each["modified"] or "-").replace("T", " ")[:16] for each in found)],
    ]
    for path in dict.fromkeys(path for each in found for path in each["files"]):
        contents = [each["files"].get(path, "") for each in found]
        letters = dict(
            zip(dict.fromkeys(filter(None, contents)), "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 40, strict=False)
        )
        is_same = len({*contents}) == 1
        rows.append([path, *("-" if not each else "same" if is_same else letters[each] for each in contents)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def write_code(results: Path, folder: Path) -> str:
    """Write the code that was graded of a submission into an empty folder, and return what to print.

    Raises InputError.
    """
    file = find_results_file(results).resolve()
    with open_results(file.parents[1]) as journal:
        code = dict(journal.code([file.parent.name])).get(file.parent.name, b"")
    if not code:
        raise InputError("expected code that was graded, found none", path=results)
    with writing(folder):
        folder.mkdir(exist_ok=True)
        if next(folder.iterdir(), None) is not None:
            raise InputError("expected a new folder, or an empty one", path=folder)
    files = files_in(code)
    named = [path for path in files if all(map(is_one_name, path.split("/")))]
    for path in named:
        with writing(folder / path):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, files[path])
    cut = f"; cut, since only {in_bytes(CODE_BYTES)} are kept" if is_cut(code) else ""
    return f"{folder}: {', '.join(map(visible, named))}{cut}"


_SHORT: Final = 4
"""A name or number of fewer than four characters occurs by chance, and is not searched for."""


def forget(out: Path, who: str, given: Path | None = None) -> str:
    """Remove a submission from a folder of results; return what was removed, and which files still name it.

    ``given`` is the key of results under pseudonyms, by default that of the last run. An interrupted removal
    is completed by the same command. Raises InputError.
    """
    with open_results(out) as journal:
        facts = load(out)
        key = given or facts.asked.get("pseudonyms")
        own = with_real_names(facts.found.hand_ins, key)
        name = next((name for name, each in own.items() if who in (name, each.name, each.id)), None)
        name = name or find_submission(out, who, journal.entries(), key)
        known = own.get(name)
        words = {name, *((known.name, known.student, known.id) if known else ())}
        words |= {facts.names[name]} if name in facts.names else set()
        if who not in words:
            raise InputError(f"nobody is called {visible(who)} to the letter: forget {visible(name)}?")
        still = remove_submission(out, name, words)
        if key:
            identities = read_key(Path(key))
            write_whole(Path(key), encode_key(each for each in identities.values() if each.pseudonym != name))
    return "\n".join([f"forgotten: {visible(who)}", *still])


def remove_submission(out: Path, name: str, words: Collection[str]) -> list[str]:
    """Remove a student from a folder that is held; return a line for each file that still names one.

    With the results go all lines of the ledger about them: decisions, comments, requests and their answers.
    ``words`` are the names and numbers to search for. Raises InputError.
    """
    if not (out / FILE).is_file():
        return []
    with Journal(out) as journal:
        if name not in journal.entries() and not (out / FACTS).is_file():
            return []  # who handed in nothing is listed in the facts
        _take_out(out, name, words, load(out), journal)
    reason = "a person wrote it, or a file is called so"
    return [f"still named in {place}: {reason}" for place in _find_mentions(out, words)]


def _take_out(out: Path, name: str, words: Collection[str], facts: ClassFacts, journal: Journal) -> None:
    """Remove a submission; delete what finds it last, so that an interrupted command can be repeated."""
    shutil.rmtree(out / name, ignore_errors=True)
    for log in (out / LEDGER, out / LOG):
        if log.is_file():
            lines = log.read_bytes().splitlines(keepends=True)
            write_whole(log, b"".join(line for line in lines if not _is_about(line, name)))
    missing = [each for each in load_students_without_work(out) if each not in words]
    write_whole(out / WITHOUT_WORK, json.dumps(missing).encode())
    journal.forget(name)
    others = tuple(each for each in facts.found.hand_ins if each.name != name)
    names = {each: called for each, called in facts.names.items() if each != name}
    times = {each: passes for each, passes in facts.first_passes.items() if each != name}
    facts = replace(facts, found=replace(facts.found, hand_ins=others), names=names, first_passes=times)
    write_reports(out, facts, journal)
    save(out, facts)


def _is_about(line: bytes, name: str) -> bool:
    try:
        return bool(json.loads(line).get("submission") == name)
    except (ValueError, AttributeError, RecursionError):
        return False


def _find_mentions(out: Path, words: Collection[str]) -> Iterator[str]:
    """Yield the files with one of the words in name or content, as plain text or JSON-escaped."""
    forms = {form for word in words if len(word) >= _SHORT for form in (word, json.dumps(word)[1:-1])}
    any_form = "|".join(re.escape(form) for form in sorted(forms))
    wanted = re.compile(rf"(?<![0-9A-Za-z])(?:{any_form})(?![0-9A-Za-z])".encode())
    for path in sorted(out.rglob("*")) if forms else ():
        if path.is_file() and (wanted.search(path.read_bytes()) or wanted.search(path.name.encode())):
            yield str(path.relative_to(out))
