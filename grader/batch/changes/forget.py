"""``grader forget``: delete a student's results and everything that mentions them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from grader.batch.events import LOG
from grader.batch.journal import Journal
from grader.batch.marks.ledger import LEDGER
from grader.batch.open_results import find_submission, open_results
from grader.batch.pseudonyms import with_real_names
from grader.batch.report.class_facts import ClassFacts, load, save
from grader.batch.report.write import write_reports
from grader.disk import write_whole
from grader.errors import InputError
from grader.exports.missing_work import WITHOUT_WORK, load_students_without_work
from grader.exports.pseudonym_key import encode_key, read_key
from grader.text import visible

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
        still = remove_submission(out, name, words, journal)
        if key:
            identities = read_key(Path(key))
            write_whole(Path(key), encode_key(each for each in identities.values() if each.pseudonym != name))
    return "\n".join([f"forgotten: {visible(who)}", *still])


def remove_submission(out: Path, name: str, words: Collection[str], journal: Journal) -> list[str]:
    """Remove a submission from a locked folder of results; return a line for each file that still names it.

    ``words`` are the names and numbers to search for. Raises InputError.
    """
    _take_out(out, name, words, load(out), journal)
    reason = "a person wrote it, or a file is called so"
    return [f"still named in {place}: {reason}" for place in _find_mentions(out, words)]


def _take_out(out: Path, name: str, words: Collection[str], facts: ClassFacts, journal: Journal) -> None:
    """Remove a submission; delete what finds it last, so that an interrupted command can be repeated."""
    shutil.rmtree(out / name, ignore_errors=True)
    for log in (LEDGER, LOG):
        _delete_lines(out / log, name)
    missing = [each for each in load_students_without_work(out) if each not in words]
    write_whole(out / WITHOUT_WORK, json.dumps(missing).encode())
    journal.forget(name)
    others = tuple(each for each in facts.found.hand_ins if each.name != name)
    names = {each: called for each, called in facts.names.items() if each != name}
    times = {each: passes for each, passes in facts.first_passes.items() if each != name}
    facts = replace(facts, found=replace(facts.found, hand_ins=others), names=names, first_passes=times)
    write_reports(out, facts, journal)
    save(out, facts)


def _delete_lines(path: Path, name: str) -> None:
    """Delete the lines of a JSON-lines file that are about a submission."""
    if path.is_file():
        lines = path.read_bytes().splitlines(keepends=True)
        write_whole(path, b"".join(line for line in lines if not _is_about(line, name)))


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
