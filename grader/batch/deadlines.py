"""Work out how late each submission of a class is, and apply that to results that are there.

Staff may give CSV files with extensions of the deadline, and with times of arrival that a platform does not
report.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Final

from grader.batch.ledger import ledger_alone
from grader.batch.marks import update_marks
from grader.batch.open_results import (
    TAKEN_IN,
    SubmissionLookup,
    digests_of,
    expect_files,
    open_beside,
    tell_differences,
    with_real_names,
)
from grader.batch.report.class_facts import ClassFacts, check_batch, load, save
from grader.batch.report.class_page import write_reports
from grader.course.late_work import (
    Arrival,
    LatePolicy,
    compute_lateness,
    policy_data,
    read_moment,
    read_policy,
)
from grader.course.rubric import load_rubric
from grader.disk import write_whole, writing
from grader.errors import InputError
from grader.exercises.registry import titles
from grader.exports.chosen_students import join_some
from grader.exports.grades_csv import check_running, explain_unreadable, marked_unfinished
from grader.intake.class_listing import ClassListing, HandIn
from grader.languages import said
from grader.model import LateJson, Remark
from grader.results import tell_changes
from grader.text import visible

TABLES: Final = ("times", "extensions")
"""The options that name tables from which lateness is worked out."""


def lateness_of_class(
    hand_ins: Sequence[HandIn], policy: LatePolicy | None, times: Path | None, extensions: Path | None
) -> dict[str, LateJson | None]:
    """Return each submission's lateness by name, None where it is in time. Raises InputError.

    Where others of the class tell when they came, one that does not is said to be unknown.
    """
    if policy is None and (extensions or times):
        raise InputError(
            "extensions and times need a late policy: give the rubric a key 'late', or take them away by "
            "--times none and --extensions none"
        )
    came = read_times(times, hand_ins, policy.deadline.tzinfo) if times and policy else {}
    longer = read_extensions(extensions, hand_ins, policy) if extensions and policy else {}
    tells = policy is not None and any(each.submitted for each in hand_ins)
    found: dict[str, LateJson | None] = {}
    for each in hand_ins:
        arrival = Arrival(came.get(each.name, each.submitted), longer.get(each.name), each.late)
        is_unknown = tells and arrival.submitted is None and not arrival.marked_late
        found[each.name] = {"unknown": True} if is_unknown else compute_lateness(policy, arrival)
    return found


TOO_LATE: Final = ".too-late.json"
"""The file in a folder of results that keeps which commits' times lay ahead when they were first seen."""
_AHEAD: Final = timedelta(days=1)


def without_times_ahead(found: ClassListing, out: Path, now: datetime) -> ClassListing:
    """Return the class without times of commits that lie more than a day ahead, or did when they were first
    seen for this folder of results: a person is asked. Raises DiskError."""
    kept = set[str]()
    with suppress(OSError, ValueError, TypeError):
        kept |= {str(time) for time in json.loads((out / TOO_LATE).read_bytes())}
    times = {each.name: each.submitted for each in found.hand_ins if each.submitted and not each.platform}
    ahead = {time.isoformat() for time in times.values() if time.astimezone(UTC) > now + _AHEAD} | kept
    if ahead != kept:
        with writing(out):
            out.mkdir(parents=True, exist_ok=True)
        write_whole(out / TOO_LATE, json.dumps(sorted(ahead)).encode())
    asked = Remark("unsure", "", "", said("intake_git_time"))
    hand_ins = (
        replace(each, submitted=None, remarks=(*each.remarks, asked))
        if (time := times.get(each.name)) and time.isoformat() in ahead
        else each
        for each in found.hand_ins
    )
    return replace(found, hand_ins=tuple(hand_ins))


def read_times(path: Path, hand_ins: Iterable[HandIn], zone: tzinfo | None) -> dict[str, datetime]:
    """Read the columns student and time; return times of arrival by submission, in the zone without another.

    Raises InputError with the line.
    """
    return _read_column(path, hand_ins, ("time",), lambda row: _moment(row["time"], zone))


def read_extensions(path: Path, hand_ins: Iterable[HandIn], policy: LatePolicy) -> dict[str, datetime]:
    """Read the columns student and deadline (or hours of extension); return deadlines by submission.

    Raises InputError with the line; also for a deadline before that of the class, which extends nothing.
    """

    def moment(row: dict[str, str]) -> datetime:
        own, common = row.get("deadline", "").strip(), policy.deadline
        extended = _moment(own, common.tzinfo) if own else common + _hours(row.get("hours", ""))
        if extended < common:
            raise ValueError(f"expected a deadline after that of the class, {common}, got {extended}")
        return extended

    return _read_column(path, hand_ins, ("deadline", "hours"), moment)


def read_groups(path: Path, hand_ins: Iterable[HandIn]) -> dict[str, str]:
    """Return the groups of a table by submission, skipping students who handed in nothing.

    Raises InputError.
    """
    lookup = _lookup(hand_ins)
    rows = (
        (row["group"].strip(), _find_submission(row, lookup, path, n)) for row, n in _rows(path, ("group",))
    )
    return {name: group for group, name in rows if name and group}


def _moment(text: str, zone: tzinfo | None) -> datetime:
    """Parse a date with a time. Raises ValueError with the expected form."""
    try:
        return read_moment(text, zone)
    except ValueError as error:
        raise ValueError(
            "expected a date with a time such as 2026-10-03T23:59 or 2026-10-03T23:59:00+02:00, "
            f"got {visible(text, limit=40) or 'nothing'}: {error}"
        ) from None


def _hours(text: str) -> timedelta:
    """Parse a number of hours, with a decimal point or comma. Raises ValueError as ``_moment`` does."""
    with suppress(ValueError, OverflowError):
        return timedelta(hours=float(text.strip().replace(",", ".")))
    raise ValueError(f"expected hours such as 24 or 1.5, got {visible(text, limit=40) or 'nothing'}")


def unknown_students(hand_ins: Sequence[HandIn], *tables: Path | None) -> list[str]:
    """Return the students in the tables who have no submission here, with similar names that are here."""
    lookup = _lookup(hand_ins)
    found = {
        row["student"].strip(): None
        for table in filter(None, tables)
        for row, line in _rows(table, ())
        if _find_submission(row, lookup, table, line) is None
    }
    return [f"{name} ({near})" if (near := lookup.propose(name)) else name for name in found if name]


def _read_column(
    path: Path,
    hand_ins: Iterable[HandIn],
    columns: tuple[str, ...],
    value: Callable[[dict[str, str]], datetime],
) -> dict[str, datetime]:
    """Return the values of a table by submission, skipping students who handed in nothing."""
    lookup = _lookup(hand_ins)
    found: dict[str, tuple[datetime, int]] = {}
    for row, line in _rows(path, columns):
        name = _find_submission(row, lookup, path, line)
        if name is None:
            continue
        try:
            moment = value(row)
        except (ValueError, OverflowError) as error:
            raise InputError(str(error), path=path, line=line) from None
        before, earlier = found.setdefault(name, (moment, line))
        if before != moment:
            raise InputError(
                f"expected one row for {visible(name)}, which line {earlier} gives another time: "
                "take one of them out",
                path=path,
                line=line,
            )
    return {name: moment for name, (moment, _) in found.items()}


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[dict[str, str], int]]:
    """Yield the rows of a table with the column student and one of ``columns``, and their line numbers.

    Raises InputError.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            reader = csv.DictReader(file, delimiter=max(",;\t", key=head.count))
            reader.fieldnames = names = [name.strip().casefold() for name in reader.fieldnames or []]
            if "student" not in names or (columns and not any(column in names for column in columns)):
                raise InputError(
                    f"expected the columns student and {' or '.join(columns)}, got {', '.join(names)}",
                    path=path,
                )
            for row in reader:
                yield {key: text or "" for key, text in row.items() if key}, reader.line_num
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"expected a CSV file in UTF-8: {explain_unreadable(error)}", path=path) from None


def _lookup(hand_ins: Iterable[HandIn]) -> SubmissionLookup:
    """Index the submissions by their own name, the student's name, and the student's number."""
    return SubmissionLookup({each.name: each for each in hand_ins})


def _find_submission(row: dict[str, str], lookup: SubmissionLookup, path: Path, line: int) -> str | None:
    """Return the submission of a row's student, or None. Raises InputError if there are several."""
    wanted = row["student"].strip()
    names = lookup.find(wanted) if wanted else []
    if len(names) > 1:
        raise InputError(f"{wanted!r} may be {' or '.join(names)}: write one of these", path=path, line=line)
    return next(iter(names), None)


def recompute_lateness(
    out: Path,
    rubric: Path | None = None,
    times: Path | None = None,
    extensions: Path | None = None,
    taken_away: Collection[str] = (),
) -> str:
    """Apply lateness from these files, or from those that are in force; return what changed.

    ``taken_away`` names options that are no longer in force. Raises GraderError if more of a rubric that is
    named has changed than its late policy.
    """
    with open_beside(out) as (journal, is_beside):
        before = load(out)
        check_batch(before, out)
        given = {"rubric": rubric, "times": times, "extensions": extensions}
        named = {name: str(path.resolve()) for name, path in given.items() if path}
        asked = {**before.asked, **named, **dict.fromkeys(taken_away)}
        policy, told = _policy(before, asked, out, is_named="rubric" in (*named, *taken_away))
        tables = {name: asked.get(name) for name in TABLES}
        key = asked.get("pseudonyms") if any(tables.values()) else None
        if key:
            expect_files(asked, ["pseudonyms"], out)
        expect_files(tables, tables.keys() - named.keys(), out, "late")
        others = {name: digest for name, digest in before.digests.items() if name not in TABLES}
        digests = {**others, **digests_of(tables)}
        facts = replace(before, asked=asked, digests=digests, late=policy_data(policy))
        lates = lateness_as_asked(facts)
        if is_beside:
            with ledger_alone(out):
                check_running(out)
                save(out, facts)
            ending = TAKEN_IN
        else:
            with marked_unfinished(out):
                changes = update_marks(out, journal, lates)
                save(out, facts)
                write_reports(out, facts, journal)
            ending = tell_changes(changes, len(lates))
    told += tell_differences(before, facts)
    own = with_real_names(facts.found.hand_ins, key)
    strangers = unknown_students([*own.values()], *_tables(facts))
    if strangers:
        told.append(f"in the tables of times, without a submission here: {join_some(strangers)}")
    return "\n".join([*told, ending])


def lateness_as_asked(facts: ClassFacts) -> dict[str, LateJson | None]:
    """Return each submission's lateness by the policy and the tables that are in force. Raises InputError."""
    times, extensions = _tables(facts)
    own = with_real_names(
        facts.found.hand_ins, facts.asked.get("pseudonyms") if times or extensions else None
    )
    lates = lateness_of_class([*own.values()], read_policy(facts.late), times, extensions)
    return {name: lates[each.name] for name, each in own.items()}


def _tables(facts: ClassFacts) -> tuple[Path | None, Path | None]:
    times, extensions = (Path(path) if (path := facts.asked.get(name)) else None for name in TABLES)
    return times, extensions


def _policy(
    facts: ClassFacts, asked: Mapping[str, str | None], out: Path, *, is_named: bool
) -> tuple[LatePolicy | None, list[str]]:
    """Return the late policy of the rubric, and what is to be told about it.

    The one that was kept is in force where the rubric was moved, or is another one now.
    """
    path = Path(found) if (found := asked.get("rubric")) else None
    is_kept = bool(facts.digests) and not is_named
    if is_kept and path and not path.exists():
        return read_policy(facts.late), []
    if not is_named:
        expect_files(asked, ["rubric"], out, "late")
    try:
        read = load_rubric(path, checks=titles(), explain=facts.explain)
        if read.digest == facts.digest:
            return read.late, []
        if not is_kept:
            raise InputError(
                "expected the rubric of these results, changed only in its key 'late': "
                "to use another, run grader batch",
                path=read.path,
            )
    except InputError:
        if not is_kept:
            raise
    where = visible(str(path)) if path else "the one that ships"
    return read_policy(facts.late), [f"rubric: {where} is another one now: its late policy stays as it was"]
