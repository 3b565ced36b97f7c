"""A second marker: a sample of the class, marked blind, and how far both marks agree.

The sample is drawn by a seed, and each submission in it is named by a digest of the seed and its own name. So
the second marker sees neither whose it is nor the grader's marks, and a filled sheet is matched without a
key.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from grader.batch.changes.next_item import source_page
from grader.batch.marks.layers import without_layers
from grader.batch.open_results import open_results
from grader.batch.report.class_facts import load
from grader.disk import write_whole, writing
from grader.errors import InputError
from grader.exports.csv_cells import encode_csv
from grader.exports.grades_csv import explain_unreadable
from grader.grading.pipeline import RESULTS
from grader.model import ExerciseJson
from grader.platforms.base import Line
from grader.platforms.points import parse_points
from grader.results import read
from grader.text import visible

HEAD: Final = ("seed", "work", "exercise", "max_score", "second")
Pair = tuple[float, float]
"""The grader's points and those of the second marker."""


def draw_sample(out: Path, count: int, seed: int, sheet: Path) -> str:
    """Write a sheet to fill in, and a folder beside it with the code of each submission; return a report.

    Raises InputError if the folder exists already, so that two samples are never mixed.
    """
    pages = sheet.with_suffix("")
    with open_results(out) as journal:
        graded = [name for name, entry in journal.entries().items() if entry.status == "graded"]
        current = {hand_in.name for hand_in in load(out).found.hand_ins}
        works = sorted((_work(seed, name), name) for name in graded if name in current)[:count]
        codes = dict(journal.code([name for _, name in works]))
        if not works:
            raise InputError("expected results with graded submissions, found none", path=out)
        if pages.exists() or pages == sheet:
            raise InputError("expected the name of a new sheet that ends in .csv", path=sheet)
        with writing(pages):
            pages.mkdir()
        for work, name in works:
            write_whole(pages / f"{work}.html", source_page(work, codes.get(name, b"")).encode())
        lines: Iterator[Line] = (
            [str(seed), work, exercise["id"], exercise["max_score"], ""]
            for work, name in works
            for exercise in _exercises(out, name)
        )
        write_whole(sheet, encode_csv([HEAD, *lines]))
    drawn = f"{len(works)} of {len(current)} submissions, drawn by the seed {seed}"
    return f"{sheet}: {drawn}; their code: {pages}"


def tell_agreement(out: Path, sheet: Path) -> str:
    """Report how far a filled sheet agrees with the grader, by exercise and in total. Raises InputError."""
    pairs = _pairs(out, sheet)
    lines = ["exercise: works, equal points, mean difference (second - grader), weighted kappa"]
    everything = [pair for found in pairs.values() for pair in found]
    for name, found in (*pairs.items(), ("all", everything)):
        equal = fmean(abs(one - other) < 0.005 for one, other in found)
        difference, kappa = fmean(other - one for one, other in found), weighted_kappa(found)
        told = "–" if kappa is None else f"{kappa:.2f}"
        lines.append(f"{visible(name)}: {len(found)}, {equal:.0%}, {difference:+.2f}, {told}")
    return "\n".join(lines)


def weighted_kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa with quadratic weights: 1 is full agreement, 0 that of chance.

    Points are numbers, so a small difference weighs less than a large one, as in an intraclass correlation
    (J. L. Fleiss and J. Cohen, "The equivalence of weighted kappa and the intraclass correlation coefficient
    as measures of reliability", Educational and Psychological Measurement 33, 1973, 613-619). None if all
    points are the same, so that agreement by chance is full.
    """
    by_chance = fmean((one - other) ** 2 for one, _ in pairs for _, other in pairs)
    found = fmean((one - other) ** 2 for one, other in pairs)
    return 1 - found / by_chance if by_chance else None


def _work(seed: int, name: str) -> str:
    """Return a blind name; it begins with a letter, so that no spreadsheet takes it for a number."""
    return "w" + hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _exercises(out: Path, name: str) -> list[ExerciseJson]:
    """Return a submission's exercises as the grader marked them, before any decision."""
    return without_layers(read(out / name / RESULTS))["exercises"]


def _pairs(out: Path, sheet: Path) -> Mapping[str, list[Pair]]:
    """Return both marks of each submission, by exercise. Raises InputError with the line."""
    named = (hand_in.name for hand_in in load(out).found.hand_ins)
    names = [name for name in named if (out / name / RESULTS).is_file()]
    found: dict[str, list[Pair]] = defaultdict(list)
    for line, cells in _filled(sheet):
        name = next((name for name in names if _work(int(cells["seed"]), name) == cells["work"]), None)
        exercises = _exercises(out, name) if name else []
        exercise = next((each for each in exercises if each["id"] == cells["exercise"]), None)
        points = parse_points(cells["second"])
        if exercise is None:
            raise InputError("expected a work and an exercise of these results", path=sheet, line=line)
        if points is None or not 0 <= points <= exercise["max_score"]:
            most = f"{exercise['max_score']:g}"
            got = visible(cells["second"], limit=40)
            raise InputError(f"expected points from 0 to {most}, got {got}", path=sheet, line=line)
        found[exercise["id"]].append((exercise["score"], points))
    if not found:
        raise InputError("expected points in the column second, found none", path=sheet)
    return found


def _filled(sheet: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the filled-in lines of a sheet with their numbers. Raises InputError."""
    try:
        text = sheet.read_text(encoding="utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        lines = [(reader.line_num, {key: row.get(key) or "" for key in HEAD}) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"expected a sheet in UTF-8: {explain_unreadable(error)}", path=sheet) from None
    for number, cells in lines:
        if cells["second"].strip():
            if not cells["seed"].isdecimal():
                raise InputError(
                    "expected a sheet as grader review --sample wrote it", path=sheet, line=number
                )
            yield number, cells
