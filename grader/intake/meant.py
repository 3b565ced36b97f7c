"""What was meant is graded: where files of the lab are missing, others are looked for that are they.

A submission that has all six files in their places never comes this far. For the others, every
Python file and notebook that was handed in is looked at, wherever it lies; what is put right is
remarked, and where more than one file could be meant, a person is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from grader.intake import notebooks
from grader.intake.candidates import choose, is_template, named_like, same, unsettled
from grader.intake.entries import Entry, Sieve, Unreadable
from grader.intake.magics import exported_cells, is_exported, without_ipython
from grader.intake.names import NameRefused, clean_path
from grader.intake.notes import shown
from grader.intake.places import Places
from grader.intake.python_source import Source, as_utf8
from grader.languages import said
from grader.model import Remark
from lab.exercises import EXERCISES

_LOOKED_AT: Final = 300
"""Python files that are looked at."""


def completed(
    files: dict[str, bytes], root: str, by_path: Mapping[str, Entry], sieve: Sieve, *, are_loose: bool = False
) -> dict[str, bytes]:
    """The files from the root, with what is missing of the six taken from whatever is meant.

    Where a platform has handed them out without their folders, other files are found by imports all the same,
    and nobody hears of it: the student may have had all of them in place.
    """
    missing = unsettled(files)
    if not missing and not are_loose:
        return files
    sources = list(_sources(by_path, sieve))
    chosen = {each: choose(each, sources) for each in missing}
    choices = {
        each: choice
        for each, choice in chosen.items()
        if choice and choice.source.content != files.get(each.file)
    }
    places = Places(dict(files), root, sources, sieve.remarks if missing else [])
    places.put(choices)
    sieve.taken.update(places.taken)
    for exercise, choice in choices.items():
        sieve.take_back(choice.source.name)
        if choice.rivals:
            ask(exercise.file, choice.source.name, choice.rivals, sieve)
    return places.files


def readable(files: Mapping[str, bytes], sieve: Sieve) -> dict[str, bytes]:
    """The files, those of Python's in an encoding that it reads."""
    found = dict(files)
    for path, content in files.items():
        if not path.endswith(".py"):
            continue
        better = as_utf8(content)
        if better is not None:
            found[path], encoding = better
            message = said("intake_encoding", file=shown(path), encoding=encoding)
            sieve.remarks.append(Remark("encoding", shown(path), shown(path), message))
        text = Source(path, content).text
        if is_exported(text):
            found[path] = without_ipython(text).encode("utf-8", "replace")
    return found


def ask_about_twins(files: Mapping[str, bytes], others: Mapping[str, bytes], sieve: Sieve) -> None:
    """Ask a person where another file is called nearly like that of an exercise, and is not the same."""
    asked = {remark.file for remark in sieve.remarks if remark.kind == "unsure"}
    for exercise in EXERCISES:
        rivals = [
            path
            for path, content in others.items()
            if named_like(path) is exercise
            and not is_template(content, exercise)
            and same(content) != same(files.get(exercise.file, content))
        ]
        if rivals and exercise.file not in asked:
            ask(exercise.file, exercise.file, tuple(rivals), sieve)


def ask(file: str, source: str, rivals: tuple[str, ...], sieve: Sieve) -> None:
    """Ask a person which file was meant, the source that is graded or its rivals."""
    names = {"source": shown(source), "file": file}
    others = ", ".join(map(shown, rivals[:3]))
    sieve.remarks.append(Remark("unsure", **names, message=said("intake_unsure", others=others, **names)))


# --- what there is to choose from ---------------------------------------------------------------


def _sources(by_path: Mapping[str, Entry], sieve: Sieve) -> Iterator[Source]:
    """The Python files and the notebooks, those with a name of the lab first, up to the caps."""
    total = 0
    for path in sorted(filter(_may_be_python, by_path), key=_turn)[:_LOOKED_AT]:
        for source in _read(path, by_path[path], sieve):
            total += len(source.content)
            if total > 2 * sieve.caps.total_bytes:
                return
            yield source


def _turn(path: str) -> tuple[bool, int, str]:
    return named_like(path) is None, path.count("/"), path


def _may_be_python(path: str) -> bool:
    return path.lower().endswith((".py", ".py.txt", notebooks.SUFFIX))


def _read(path: str, entry: Entry, sieve: Sieve) -> Iterator[Source]:
    is_notebook = path.lower().endswith(notebooks.SUFFIX)
    most = notebooks.MOST_BYTES if is_notebook else sieve.caps.file_bytes
    try:
        content = sieve.read(entry, most + 1)
    except Unreadable as error:
        sieve.refuse(path, str(error))
        return
    if len(content) > most:
        return
    source = Source(path, content)
    if is_notebook:
        notebook = notebooks.read_notebook(content)
    elif source.classes and is_exported(source.text):
        notebook = notebooks.of_cells(exported_cells(source.text))
    else:
        yield source
        return
    if notebook is not None:
        yield from _of_notebook(path, notebook, sieve)


def _of_notebook(path: str, notebook: notebooks.Notebook, sieve: Sieve) -> Iterator[Source]:
    """What a notebook defines, and the files that its cells would write."""
    folder = path.rpartition("/")[0]
    for name, code in notebook.written:
        try:
            parts = clean_path(name, sieve.caps)
        except NameRefused:
            continue
        if len(code) <= sieve.caps.file_bytes:
            yield Source("/".join([*filter(None, [folder]), *parts]), code, notebook=path)
    if notebook.code.strip() and len(notebook.code) <= sieve.caps.file_bytes:
        yield Source(path, notebook.code, is_notebook=True)
    if notebook.broken and len(notebook.broken) <= sieve.caps.file_bytes:
        yield Source(f"{path}/cells.py", notebook.broken, notebook=path)
