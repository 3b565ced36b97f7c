"""Lateness laid anew over results that are there: no submission is read, and no code is run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.batch.deadlines import lateness_of_class, not_among
from grader.batch.desk import at, settle
from grader.batch.pseudonyms import undisguised
from grader.batch.report.facts import ClassFacts, check_batch, load, save
from grader.batch.report.write import write_reports
from grader.course.rubric import load_rubric
from grader.errors import InputError
from grader.exercises.registry import titles
from grader.exports.sheet import join_some
from grader.exports.unfinished import marked_unfinished


def lay_again(out: Path, rubric: Path | None, times: Path | None, extensions: Path | None) -> str:
    """Lay lateness by these files, or else those of the last run; return whose marks have changed.

    Raises GraderError where the rubric asks for another grading.
    """
    with at(out) as journal:
        facts = load(out)
        check_batch(facts, out)
        given = {"rubric": rubric, "times": times, "extensions": extensions}
        asked = {**facts.asked, **{name: str(path.resolve()) for name, path in given.items() if path}}
        facts = replace(facts, asked=asked)
        files = {name: Path(path) if (path := asked.get(name)) else None for name in given}
        read = load_rubric(files["rubric"], checks=titles(), explain=facts.explain)
        _check_same(facts, read.digest, read.path)
        hand_ins = facts.found.hand_ins
        own = undisguised(hand_ins, asked.get("pseudonyms"))
        lates = lateness_of_class([*own.values()], read.late, files["times"], files["extensions"])
        with marked_unfinished(out):
            changed = settle(out, journal, {name: lates[each.name] for name, each in own.items()})
            save(out, facts)
            write_reports(out, facts, journal)
    strangers = not_among([*own.values()], files["times"], files["extensions"])
    told = [f"in the tables of times, without a submission here: {join_some(strangers)}"] if strangers else []
    return "\n".join([f"{len(changed)} of {len(hand_ins)} marks changed", *changed, *told])


def _check_same(facts: ClassFacts, digest: str, path: Path) -> None:
    if digest != facts.digest:
        raise InputError(
            "expected the rubric of these results, but for its key 'late': with another, use grader batch",
            path=path,
        )
