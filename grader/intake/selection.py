"""Selects the files of a submission from the entries of a folder or archive.

What the student meant is graded. A submission that has all six files in their places is read as it is. If
some are missing, every Python file and notebook in the submission is examined, wherever it lies; repairs are
remarked, and where more than one file could be meant, a person is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

from grader.intake.archives import open_inner_archives
from grader.intake.attempt_names import read_attempt_name
from grader.intake.attempts import check_is_one_attempt, keep_last
from grader.intake.candidates import (
    choose,
    comparable_content,
    exercise_named_like,
    is_named_like_exercise,
    is_template,
    lab_names,
    unsettled_exercises,
)
from grader.intake.files import Entry, LeftOut, Sieve, number_duplicates
from grader.intake.names import collision_key, describe_files, is_leftover, may_be_work, refusal_message
from grader.intake.notebooks import is_notebook_name
from grader.intake.placement import Places
from grader.intake.readable import make_readable
from grader.intake.source_files import find_sources
from grader.languages import said
from grader.model import Remark
from grader.text import in_bytes, shown
from lab.came import HEAD_BYTES, kind_of
from lab.exercises import EXERCISES, FILES, Exercise
from lab.own_mazes import FOLDER, MOST, own_mazes_among

MOST_TWINS = 8
"""Up to 8 files of one name are compared; if there are more, none is read."""


def select(entries: Iterable[Entry], sieve: Sieve, *, are_loose: bool = False) -> dict[str, bytes]:
    """Read the files that belong to the submission, the most important first, up to the caps.

    Missing files of the six are taken from wherever they seem to be. If none is found, the submission is
    empty, and a remark says what was handed in. Loose files (``are_loose``) may have lost their folders on a
    platform. Raises Undecided if it is not clear which of several attempts counts.
    """
    by_path = keep_last(_without_collisions(open_inner_archives(entries, sieve), sieve), sieve)
    root, others = _root(by_path, sieve)
    inside = {
        path.removeprefix(root): entry
        for path, entry in by_path.items()
        if path.startswith(root) and not is_leftover(path)
    }
    files = _read(inside, sieve)
    completed = complete(files, root, by_path, sieve, are_loose=are_loose)
    check_is_one_attempt(root, by_path, sieve)
    found = make_readable(completed, sieve)
    found |= _own_mazes(found, root, by_path, sieve)
    _note_left_out(by_path, root, others, sieve)
    _ask_about_others(found, root, by_path, sieve)
    is_there = any(file in found for file in FILES)
    _forget_unused_archives(root if is_there else "", sieve)
    if is_there:
        _ask_about_unread(found, by_path, sieve)
    else:
        sieve.remarks.append(Remark("refused", "", "", refusal_message(by_path, _damaged(by_path, sieve))))
    return dict(sorted(found.items()))


def _damaged(paths: Iterable[str], sieve: Sieve) -> set[str]:
    """Return the notebooks that could not be read."""
    left_out = {remark.source for remark in sieve.notes}
    return {path for path in paths if is_notebook_name(path) and shown(path) in left_out}


def _own_mazes(
    files: Mapping[str, bytes], root: str, by_path: Mapping[str, Entry], sieve: Sieve
) -> dict[str, bytes]:
    """Return the student's test mazes that lie elsewhere than expected, or in a folder of nearly that name.

    They are taken from one folder, the one nearest to what is graded.
    """
    if own_mazes_among(files):
        return {}
    found = {
        path: name
        for path in by_path
        for folder, _, name in [path.rpartition("/")]
        if folder.rpartition("/")[2].casefold() == FOLDER and own_mazes_among([f"{FOLDER}/{name}"])
    }
    nearest = min(found, key=lambda path: (not path.startswith(root), path.count("/"), path), default="")
    folder = nearest.rpartition("/")[0]
    chosen = sorted(path for path in found if path.rpartition("/")[0] == folder)[: MOST + 1]
    read = {path: read_entry(by_path[path], path, sieve) for path in chosen}
    sieve.taken.update(path for path, content in read.items() if content is not None)
    return {f"{FOLDER}/{found[path]}": content for path, content in read.items() if content is not None}


def _forget_unused_archives(root: str, sieve: Sieve) -> None:
    """Remove the remarks on archives that were opened and from which nothing was taken."""
    taken = [root, *(remark.source for remark in sieve.remarks if remark.kind != "opened")]
    for remark in [remark for remark in sieve.remarks if remark.kind == "opened"]:
        if not any(path.startswith(f"{remark.source}/") for path in taken):
            sieve.remarks.remove(remark)


def _read(by_path: Mapping[str, Entry], sieve: Sieve) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    paths = sorted(by_path, key=reading_order)
    for number, path in enumerate(paths):
        content = read_entry(by_path[path], path, sieve)
        total += len(content or b"")
        if number >= sieve.caps.files or total > sieve.caps.total_bytes:
            size = in_bytes(sieve.caps.total_bytes)
            sieve.note(said("intake_full", count=len(paths) - number, files=sieve.caps.files, size=size))
            break
        if content is not None:
            files[path] = content
    return files


def _without_collisions(entries: Iterable[Entry], sieve: Sieve) -> dict[str, Entry]:
    """Return the entries by path, without those that cannot lie side by side on every system."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in number_duplicates(entries):
        groups[collision_key(entry.path)].append(entry)
    folders = {key[:cut] for key in groups for cut, character in enumerate(key) if character == "/"}
    kept: dict[str, Entry] = {}
    for key, group in groups.items():
        exercise = next((each for each in EXERCISES if f"/{key}".endswith(f"/{each.file}")), None)
        chosen = None if key in folders else _choose(group, exercise, sieve)
        if chosen:
            kept[chosen.path] = chosen
        if chosen is None or exercise is None:
            for path in sorted({entry.path for entry in group} - {chosen and chosen.path}):
                sieve.refuse(path, said("left_same_name"))
    return kept


def _choose(group: list[Entry], exercise: Exercise | None, sieve: Sieve) -> Entry | None:
    """Return the one entry that is meant among those whose names collide; None if that is not clear.

    Several of the same content, which a tool may have packed twice, are one. Of an exercise, those as they
    were handed out do not count; the lab's own name is preferred, and of that, the last that was worked on.
    """
    if len(group) == 1:
        return group[0]
    if len(group) > MOST_TWINS:
        return None
    contents = {entry: read_entry(entry, entry.path, sieve) for entry in group}
    if exercise is None or None in contents.values():
        return group[0] if len({*contents.values()}) == 1 else None
    own = [each for each in group if not is_template(contents[each] or b"", exercise)]
    found = own or group
    chosen = [*found, *(each for each in found if exercise_roots(each.path))][-1]
    rivals = [each.path for each in own if contents[each] != contents[chosen]]
    if chosen.path in rivals:
        count = len({contents[each] for each in own})
        names = {"source": shown(chosen.path), "file": exercise.file}
        message = said("intake_twice", count=count, **names)
        sieve.remarks.append(Remark("unsure", **names, message=message))
    elif rivals:
        ask_which_file(exercise.file, chosen.path, tuple(rivals), sieve)
        for path in rivals:
            sieve.refuse(path, said("left_same_name"))
    return chosen


def _root(by_path: Mapping[str, Entry], sieve: Sieve) -> tuple[str, list[str]]:
    """Return the folder that is graded, and others that hold exercises; folders with mere templates are
    avoided, and of equal depth those that are called examples, tests or the like."""
    roots = sorted(find_roots(by_path), key=lambda root: (root.count("/"), _is_aside(root)))
    if len(roots) > 1:
        roots = [root for root in roots if not _is_handed_out(root, by_path, sieve)] or roots
    return roots[0], roots[1:]


def _is_aside(root: str) -> bool:
    return any(read_attempt_name(folder).is_aside for folder in root.split("/"))


def _is_handed_out(root: str, by_path: Mapping[str, Entry], sieve: Sieve) -> bool:
    """Tell whether all of the six files that a folder holds are still as in the template."""
    here = [(exercise, by_path[path]) for exercise in EXERCISES if (path := root + exercise.file) in by_path]
    return all(is_template(read_entry(entry, entry.path, sieve) or b"", exercise) for exercise, entry in here)


def _note_left_out(by_path: Iterable[str], root: str, others: Iterable[str], sieve: Sieve) -> None:
    """Note what lies outside of the graded folder and is not graded."""
    untaken = [other for other in others if not any(path.startswith(other) for path in sieve.taken)]
    if untaken:
        where = ", ".join(map(shown, untaken[:3]))
        sieve.note(said("intake_roots", root=shown(root) or said("top_folder"), others=where))
    outside = sum(
        not path.startswith(root) and path not in sieve.taken and not is_leftover(path) for path in by_path
    )
    if outside:
        sieve.note(said("intake_outside", root=shown(root), count=outside))


def _ask_about_others(
    files: Mapping[str, bytes], root: str, by_path: Mapping[str, Entry], sieve: Sieve
) -> None:
    """Ask a person where files outside of the root, or with a cleaned name, are other versions of what is
    graded."""
    names = lab_names()
    outside = [
        path
        for path, entry in by_path.items()
        if (not path.startswith(root) and path.rsplit("/", 1)[-1] in names)
        or (entry.is_cleaned and is_named_like_exercise(path))
    ]
    taken = {remark.source for remark in sieve.remarks}
    others = [path for path in outside if path not in taken][: sieve.caps.files]
    contents = {path: read_entry(by_path[path], path, sieve) for path in others}
    ask_about_twins(
        files, {path: content for path, content in contents.items() if content is not None}, sieve
    )


def _ask_about_unread(files: Mapping[str, bytes], by_path: Mapping[str, Entry], sieve: Sieve) -> None:
    """Ask a person about what may hold the work in a form that is not read, where nothing is written.

    Where some exercises are, it is about what is called as one of the others.
    """
    absent = [each for each in EXERCISES if each.file not in files]
    unwritten = [
        *absent,
        *(each for each in EXERCISES if each.file in files and is_template(files[each.file], each)),
    ]
    untaken = [path for path in by_path if path not in sieve.taken]
    named = {path: each for path in untaken if (each := _exercise_by_stem(path)) in unwritten}
    unread = [path for path in untaken if path in named or not is_leftover(path)]
    is_none = len(unwritten) == len(EXERCISES)
    found = [
        path
        for path in (unread if is_none else named)
        if may_be_work(path, is_named=path in named, is_absent=named.get(path) in absent)
    ]
    if not found and absent:
        found = [path for path in unread if may_be_work(path, is_named=False, is_absent=True)]
    if found:
        by_name = [named[path] for path in found if path in named]
        wanted = unwritten if is_none else by_name or absent
        missing = ", ".join(dict.fromkeys(each.file for each in wanted))
        kinds = {path: kind_of(path, _head(by_path[path])) for path in found}
        message = said("intake_unwritten", files=missing, came=describe_files(kinds))
        sieve.remarks.append(Remark("unsure", shown(found[0]), "", message))


def _head(entry: Entry) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    with suppress(LeftOut):
        return entry.read(HEAD_BYTES)
    return b""


def _exercise_by_stem(path: str) -> Exercise | None:
    """Return the exercise that a file is called as, whatever its suffixes are, or words behind its name."""
    stem = path.rsplit("/", 1)[-1].partition(".")[0]
    return exercise_named_like(f"{stem}.py") or exercise_named_like(f"{stem.partition(' ')[0]}.py")


def read_entry(entry: Entry, path: str, sieve: Sieve) -> bytes | None:
    """Return the bytes of an entry; None, with a note, if they cannot be read or are too many."""
    try:
        content = sieve.read(entry, sieve.caps.file_bytes + 1)
    except LeftOut as error:
        sieve.refuse(path, error.reason)
        return None
    return content if sieve.fits(path, len(content)) else None


# --- where a submission starts: students wrap their files in a folder, or in several ----------------


def find_roots(paths: Collection[str]) -> list[str]:
    """Return the folders that hold any of the six files, the shallowest first, and of equal depth the
    fullest.

    A root is "" or ends with "/". If no folder holds one: the folder around a folder of the lab, or else the
    innermost folder that holds all files.
    """
    counts: dict[str, int] = {}
    for path in paths:
        for root in exercise_roots(path):
            counts[root] = counts.get(root, 0) + 1
    if counts:
        return sorted(counts, key=lambda root: (root.count("/"), -counts[root], root))
    return sorted(_guess_roots(paths), key=lambda root: (root.count("/"), root))[:1] or [
        _common_folder(paths)
    ]


def reading_order(path: str) -> tuple[int, str]:
    """Return a key that sorts paths by importance: the six files, then other code, then the rest."""
    return (0 if path in FILES else 1 if path.endswith(".py") else 2, path)


def exercise_roots(path: str) -> list[str]:
    """Return the roots below which a path is one of the six files."""
    return [path.removesuffix(file) for file in FILES if path.endswith(f"/{file}") or path == file]


def _guess_roots(paths: Collection[str]) -> set[str]:
    known = {file.split("/")[0] for file in FILES if "/" in file}
    guesses = set()
    for path in paths:
        *folders, _ = path.split("/")
        for depth, folder in enumerate(folders):
            if folder.casefold() in known:
                guesses.add("".join(f"{part}/" for part in folders[:depth]))
                break
    return guesses


def _common_folder(paths: Collection[str]) -> str:
    folders = [path.split("/")[:-1] for path in paths]
    common: list[str] = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return "".join(f"{part}/" for part in common)


# --- what is missing is looked for -----------------------------------------------------------------


def complete(
    files: dict[str, bytes], root: str, by_path: Mapping[str, Entry], sieve: Sieve, *, are_loose: bool = False
) -> dict[str, bytes]:
    """Return the files below the root, with missing ones of the six taken from the files that are meant.

    Loose files from a platform have lost their folders: helpers are then found by imports, without a remark,
    since the student may have had all of them in place.
    """
    missing = unsettled_exercises(files)
    if not missing and not are_loose:
        return files
    sources = list(find_sources(by_path, sieve))
    chosen = {each: choose(each, sources) for each in missing}
    choices = {
        each: choice
        for each, choice in chosen.items()
        if choice and choice.source.content != files.get(each.file)
    }
    places = Places(dict(files), root, sources, sieve.remarks if missing else [])
    places.place_all(choices)
    sieve.taken.update(places.taken)
    for exercise, choice in choices.items():
        sieve.withdraw(choice.source.name)
        if choice.rivals:
            ask_which_file(exercise.file, choice.source.name, choice.rivals, sieve)
    return places.files


def ask_about_twins(files: Mapping[str, bytes], others: Mapping[str, bytes], sieve: Sieve) -> None:
    """Ask a person where another file has nearly the name of an exercise's file, but a different content."""
    asked = {remark.file for remark in sieve.remarks if remark.kind == "unsure"}
    for exercise in EXERCISES:
        rivals = [
            path
            for path, content in others.items()
            if exercise_named_like(path) is exercise
            and not is_template(content, exercise)
            and comparable_content(content) != comparable_content(files.get(exercise.file, content))
        ]
        if rivals and exercise.file not in asked:
            ask_which_file(exercise.file, exercise.file, tuple(rivals), sieve)


def ask_which_file(file: str, source: str, rivals: tuple[str, ...], sieve: Sieve) -> None:
    """Ask a person which file is meant, the source that is graded or its rivals."""
    names = {"source": shown(source), "file": file}
    others = ", ".join(map(shown, rivals[:3]))
    sieve.remarks.append(Remark("unsure", **names, message=said("intake_unsure", others=others, **names)))
