"""``grader choose``: say which of several attempts or files counts, where that is not clear."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.choices import find_candidate, find_newest, list_candidates
from grader.batch.class_run import FILES_ASKED, BatchOptions, grade_class
from grader.batch.marks.ledger import Decision, append, choices
from grader.batch.open_results import find_submission, open_results
from grader.batch.report.class_facts import check_batch, load
from grader.errors import InputError
from grader.grading.pipeline import RESULTS
from grader.model import ChoiceJson
from grader.results import read
from grader.text import visible

# --- regrade ----------------------------------------------------------------------------------------
# ``grader regrade``: grade some submissions of a class again.


def grade_one_again(out: Path, who: str, key: Path | None = None) -> int:
    """Grade one submission of a class again, with the options of the last run; return the exit status.

    ``key`` names the students of results under pseudonyms.
    """
    with open_results(out) as journal:
        check_batch(load(out), out)
        name = find_submission(out, who, journal.entries(), key)
        journal.grade_again(name)
    return grade_again(out, [name])


def grade_again(out: Path, names: Collection[str], *, quiet: bool = False) -> int:
    """Grade those of these submissions that have changed, or have other decisions; return the exit status."""
    facts = load(out)
    asked = facts.asked
    files = {name: _path(asked.get(name)) for name in FILES_ASKED}
    return grade_class(
        BatchOptions(
            files["submissions"] or Path(),
            out,
            sandbox=asked.get("sandbox") or "auto",
            rubric=files["rubric"],
            language=asked.get("language"),
            resume=True,
            students=asked.get("students"),
            quiet=quiet,
            extensions=files["extensions"],
            times=files["times"],
            gradebook=files["gradebook"],
            against=files["against"],
            pseudonyms=files["pseudonyms"],
            explain=facts.explain,
        ),
        only=names,
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def list_choices(out: Path, who: str, key: Path | None = None) -> str:
    """Return what came of a student's undecided work, side by side. Raises InputError."""
    name = _find(out, who, key)
    lines = list_candidates(_choice(out, name))
    return "\n  ".join([f"{visible(name)}: which counts?", *lines])


def choose(out: Path, who: str, which: str, by: str, key: Path | None = None) -> int:
    """Record which candidate counts, by its number or name, and grade it; return the exit status."""
    name = _find(out, who, key)
    print(record_choices(out, {name: find_candidate(_choice(out, name), which)}, by), flush=True)
    return grade_again(out, [name])


def choose_newest(out: Path, by: str) -> int:
    """Choose all over the class what was changed last, tell each, and grade; return the exit status."""
    with open_results(out) as journal:
        known = {name: choice for name in journal.entries() if (choice := find_choice(out, name))}
    newest = {name: number for name, choice in known.items() if (number := find_newest(choice))}
    for name in known:
        if name not in newest:
            print(f"{visible(name)}: the times do not tell which is the newest")
    if not newest:
        print("nothing was chosen")
        return 0
    print(record_choices(out, newest, by))
    print("grader choose --undo takes this back", flush=True)
    return grade_again(out, newest)


def undo_choices(out: Path, who: str, by: str, key: Path | None = None) -> int:
    """Take back what was chosen for a student, or without one what was chosen last; grade these again."""
    name = _find(out, who, key) if who else ""
    with open_results(out):
        known = [*choices(out).values()]
        last = max((each.when for each in known), default="")
        gone = [each for each in known if (each.submission == name if who else each.when == last)]
        if not gone:
            raise InputError(f"nothing was chosen{f' for {visible(name)}' if who else ''}", path=out)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        for each in gone:
            append(out, Decision(now, by, each.submission, "unchoose", 0.0, check=each.check))
            print(
                f"{visible(each.submission)}: {visible(each.reason)} was chosen, and is not any more",
                flush=True,
            )
    grade_again(out, {each.submission for each in gone}, quiet=True)
    return 0


def record_choices(out: Path, numbers: Mapping[str, int], by: str) -> str:
    """Write into the ledger which candidates count, and return a line on each. Raises InputError."""
    check_batch(load(out), out)
    now, lines = datetime.now(UTC).isoformat(timespec="microseconds"), []
    with open_results(out):
        for name, number in numbers.items():
            choice = _choice(out, name)
            called = choice["candidates"][number - 1]["name"]
            question = choice["question"]
            append(out, Decision(now, by, name, "choose", 0.0, called, check=question, points=number))
            lines.append(f"{visible(name)}: {visible(called)} counts")
    return "\n".join(lines)


def find_choice(out: Path, name: str) -> ChoiceJson | None:
    """Return what a person has to choose from before a submission can be graded, or None."""
    path = out / name / RESULTS
    return read(path).get("choice") if path.is_file() else None


def _choice(out: Path, name: str) -> ChoiceJson:
    choice = find_choice(out, name)
    if choice is None:
        made = [each for each in choices(out).values() if each.submission == name]
        told = "; ".join(
            f"{each.who} chose {each.reason}, {each.when[:16]}: --undo asks again" for each in made
        )
        raise InputError(f"{visible(name)}: nothing is to be chosen" + visible(f" ({told})" if told else ""))
    return choice


def _find(out: Path, who: str, key: Path | None) -> str:
    with open_results(out) as journal:
        return find_submission(out, who, journal.entries(), key)
