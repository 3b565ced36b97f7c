"""A student's results taken away, with all that tells of them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from grader.batch.desk import at, submission_of
from grader.batch.events import LOG
from grader.batch.journal import Journal
from grader.batch.marks.ledger import LEDGER
from grader.batch.pseudonyms import undisguised
from grader.batch.report.facts import ClassFacts, load, save
from grader.batch.report.write import write_reports
from grader.disk import write_whole
from grader.exports.missing_work import WITHOUT_WORK, load_students_without_work
from grader.exports.pseudonym_key import encode_key, read_key
from grader.text import visible

_SHORT: Final = 4
"""A shorter name or number stands in many places by chance, and is not looked for."""


def forget(out: Path, who: str) -> str:
    """Take a submission out of a folder of results; return what was done, and where it is still named.

    What was begun and stopped is done to its end by the same command. Raises InputError.
    """
    with at(out) as journal:
        facts = load(out)
        key = facts.asked.get("pseudonyms")
        own = undisguised(facts.found.hand_ins, key)
        name = next((name for name, each in own.items() if who in (name, each.name, each.id)), None)
        name = name or submission_of(out, who, journal.entries())
        known = own.get(name)
        words = {name, *((known.name, known.student, known.id) if known else ())}
        still = take_out(out, name, words, journal)
        if key:
            identities = read_key(Path(key))
            write_whole(Path(key), encode_key(each for each in identities.values() if each.pseudonym != name))
    return "\n".join([f"forgotten: {visible(who)}", *still])


def take_out(out: Path, name: str, words: Collection[str], journal: Journal) -> list[str]:
    """Take a submission out, while nobody else writes there; return where one of the words is still named.

    Raises InputError.
    """
    _take_out(out, name, words, load(out), journal)
    reason = "a person wrote it, or a file is called so"
    return [f"still named in {place}: {reason}" for place in _where(out, words)]


def _take_out(out: Path, name: str, words: Collection[str], facts: ClassFacts, journal: Journal) -> None:
    """Last of all what the submission is found by, so that the command can be given again."""
    shutil.rmtree(out / name, ignore_errors=True)
    for log in (LEDGER, LOG):
        _strike(out / log, name)
    missing = [each for each in load_students_without_work(out) if each not in words]
    write_whole(out / WITHOUT_WORK, json.dumps(missing).encode())
    journal.forget(name)
    others = tuple(each for each in facts.found.hand_ins if each.name != name)
    facts = replace(facts, found=replace(facts.found, hand_ins=others))
    write_reports(out, facts, journal)
    save(out, facts)


def _strike(path: Path, name: str) -> None:
    """Take away the lines that are about a submission."""
    if path.is_file():
        lines = path.read_bytes().splitlines(keepends=True)
        write_whole(path, b"".join(line for line in lines if not _is_about(line, name)))


def _is_about(line: bytes, name: str) -> bool:
    try:
        return bool(json.loads(line).get("submission") == name)
    except (ValueError, AttributeError, RecursionError):
        return False


def _where(out: Path, words: Collection[str]) -> Iterator[str]:
    """The files in which one of the words stands, as text or as JSON writes it."""
    forms = {form for word in words if len(word) >= _SHORT for form in (word, json.dumps(word)[1:-1])}
    any_form = "|".join(re.escape(form) for form in sorted(forms))
    wanted = re.compile(rf"(?<![0-9A-Za-z])(?:{any_form})(?![0-9A-Za-z])".encode())
    for path in sorted(out.rglob("*")) if forms else ():
        if path.is_file() and (wanted.search(path.read_bytes()) or wanted.search(path.name.encode())):
            yield str(path.relative_to(out))
