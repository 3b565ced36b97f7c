"""``grader late``: recompute lateness for existing results, without reading submissions or running code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.batch.deadlines import lateness_of_class, unknown_students
from grader.batch.marks.update import update_marks
from grader.batch.open_results import open_results
from grader.batch.pseudonyms import with_real_names
from grader.batch.report.class_facts import ClassFacts, check_batch, load, save
from grader.batch.report.write import write_reports
from grader.course.rubric import load_rubric
from grader.errors import InputError
from grader.exercises.registry import titles
from grader.exports.result_files import marked_unfinished
from grader.exports.sheet import join_some


def recompute_lateness(out: Path, rubric: Path | None, times: Path | None, extensions: Path | None) -> str:
    """Apply lateness from these files, or from those of the last run; return a report of changed marks.

    Raises GraderError if more of the rubric has changed than its late policy.
    """
    with open_results(out) as journal:
        facts = load(out)
        check_batch(facts, out)
        given = {"rubric": rubric, "times": times, "extensions": extensions}
        asked = {**facts.asked, **{name: str(path.resolve()) for name, path in given.items() if path}}
        facts = replace(facts, asked=asked)
        files = {name: Path(path) if (path := asked.get(name)) else None for name in given}
        read = load_rubric(files["rubric"], checks=titles(), explain=facts.explain)
        _check_same(facts, read.digest, read.path)
        hand_ins = facts.found.hand_ins
        own = with_real_names(hand_ins, asked.get("pseudonyms"))
        lates = lateness_of_class([*own.values()], read.late, files["times"], files["extensions"])
        with marked_unfinished(out):
            changed = update_marks(out, journal, {name: lates[each.name] for name, each in own.items()})
            save(out, facts)
            write_reports(out, facts, journal)
    strangers = unknown_students([*own.values()], files["times"], files["extensions"])
    told = [f"in the tables of times, without a submission here: {join_some(strangers)}"] if strangers else []
    return "\n".join([f"{len(changed)} of {len(hand_ins)} marks changed", *changed, *told])


def _check_same(facts: ClassFacts, digest: str, path: Path) -> None:
    """Raise InputError if more of the rubric than its late policy differs from that of the results."""
    if digest != facts.digest:
        raise InputError(
            "expected the rubric of these results, changed only in its key 'late': "
            "to use another, run grader batch",
            path=path,
        )
