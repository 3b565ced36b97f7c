"""Removes a person from a service, together with all data about the person."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from grader.batch.changes.forget import remove_submission
from grader.batch.journal import FILE, Journal
from grader.batch.lock import hold
from grader.batch.report.class_facts import FILE as FACTS
from grader.disk import writing
from grader.errors import InputError
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, courses, people
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.people import Person


def is_service_folder(folder: Path) -> bool:
    """Tell whether a folder is the data folder of a service."""
    return DataFolder(folder).database.is_file()


def forget_person(folder: Path, who: str) -> str:
    """Remove a person from all courses, while the service may run; return a message. Raises InputError."""
    data = DataFolder(folder)
    with closing(Store(data.database)) as store:
        found = _find_people(store, folder, who)
        messages = [line for person in found for line in _forget(data, store, person)]
        store.rows("vacuum")
        store.rows("pragma wal_checkpoint(truncate)")
    return "\n".join([f"forgotten: {who}", *messages])


def _find_people(store: Store, folder: Path, who: str) -> list[Person]:
    """Return the person with that name, folder, e-mail address or id in each course. Raises InputError."""
    wanted, found = who.casefold(), list[Person]()
    for course in courses.load_titles(store):
        everybody = people.list_for_course(store, course)
        exact = [each for each in everybody if each.folder == who]
        meant = exact or [each for each in everybody if wanted in _names_of(each)]
        if len(meant) > 1:
            names = ", ".join(each.folder for each in meant)
            raise InputError(f"{who} may be any of {names}: write one of these", path=folder)
        found += meant
    if not found:
        raise InputError(
            f"{who} is nobody here: write the name, the folder, or the e-mail address", path=folder
        )
    return found


def _names_of(person: Person) -> set[str]:
    return {each.casefold() for each in (person.name, person.email, person.external) if each}


def _forget(data: DataFolder, store: Store, person: Person) -> list[str]:
    """Remove the files first, and the person's row last, so that the command can be repeated if it is killed.

    The lock keeps out the updater of the class folder, which would restore the files as long as the row
    exists.
    """
    folder = data.course(person.course)
    with writing(folder):
        folder.mkdir(exist_ok=True)
    with hold(folder):
        messages = _forget_in_class(folder, person)
        _remove_files(data, attempts.list_for_person(store, person.id))
        with store.transaction():
            handed_in = attempts.list_for_person(store, person.id)
            store.rows(
                "delete from audit where course = ? and (whom in (?, ?) or actor = ?)",
                (person.course, person.name, person.folder, person.name),
            )
            people.remove(store, person.id)
    _remove_files(data, handed_in)  # what came of one, or was handed in, meanwhile
    return messages


def _remove_files(data: DataFolder, handed_in: Iterable[Attempt]) -> None:
    for attempt in handed_in:
        shutil.rmtree(data.attempt(attempt.id), ignore_errors=True)
        shutil.rmtree(data.upload(attempt.id), ignore_errors=True)


def _forget_in_class(folder: Path, person: Person) -> list[str]:
    """Remove a person from the class folder, which also lists people who have handed in nothing."""
    if not (folder / FILE).is_file():
        return []
    words = {person.folder, person.name, person.email, person.external}
    with Journal(folder) as journal:
        if person.folder in journal.entries() or (folder / FACTS).is_file():
            return remove_submission(folder, person.folder, words, journal)
    return []
