"""The folder of an exercise that a course adds: read whole, and refused where anything is missing or wrong.

exercise.yaml         its id, its file, the class in it, and its checks, each with the mazes it asks about
skeleton.py           what students are given
public_tests.py       what ``maze check`` runs
reference.py          the right answer
judge.py              ``judge(maze, moves, expected)``: what is wrong with an answer
texts/en.toml         its title, the titles of its checks, the sentences of the judge; other languages beside
handout/en.md         its section of the handout; other languages beside
mazes/                test mazes of its own, where it has any
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.checks.own_exercises import FAMILIES, STANDARD
from grader.course.maze_files import load_maze_folder
from grader.course.yaml.source import read_yaml
from grader.course.yaml.value import Value
from grader.errors import InputError, RubricError
from grader.languages import texts_in
from grader.oracle.own_exercises import JUDGE, REFERENCE, OwnExercise
from grader.shipped import folder
from lab.exercises import LAB_EXERCISES

SETTINGS: Final = "exercise.yaml"
SHIPPED: Final = folder("grader") / "exercises"
_ID: Final = re.compile(r"[a-z][a-z0-9_]{1,30}")
_FILE: Final = re.compile(r"([a-z][a-z0-9_]*/)?[a-z][a-z0-9_]*\.py")
_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]{1,40}")
_CHECK: Final = re.compile(r"[a-z][a-z0-9-]{1,30}")
_MOST: Final = 256 * 1024


def shipped_folders() -> dict[str, Path]:
    """The exercises that ship with the grader, by id; a rubric may hold them."""
    return {path.parent.name: path.parent for path in sorted(SHIPPED.glob(f"*/{SETTINGS}"))}


def own_exercises(exercises: Value, named: Value | None) -> tuple[OwnExercise, ...]:
    """The exercises of a rubric that are not the lab's: of folders that it names, or shipped with the grader.

    Raises InputError.
    """
    asked = [key.node.value for key, _ in exercises.entries()]
    found: dict[str, OwnExercise] = {}
    for item in named.items() if named is not None else ():
        place = item.source.path.parent / item.text(most=1000)
        if not os.path.isfile(place / SETTINGS):  # noqa: PTH113 - no error where the name is too long for any
            item.refuse(f"expected a folder with {SETTINGS} at {place}, found none")
        own = load_own_exercise(place)
        if own.id in found:
            item.refuse(f"the exercise '{own.id}' comes from another folder already")
        if own.id not in asked:
            item.refuse(f"the exercise '{own.id}' has no points: add it to 'exercises', or take it out here")
        found[own.id] = own
    shipped = {id_: path for id_, path in shipped_folders().items() if id_ in asked and id_ not in found}
    return (*found.values(), *map(load_own_exercise, shipped.values()))


def check_ids(own: Sequence[OwnExercise]) -> dict[str, list[str]]:
    """The checks of each exercise, by its id."""
    return {each.id: [f"{each.id}.{name}" for name in (*each.checks, *STANDARD)] for each in own}


def load_own_exercise(path: Path) -> OwnExercise:
    """Read the folder of an exercise. Raises InputError."""
    fields = read_yaml(path / SETTINGS, error=RubricError).fields(required=("id", "file", "class", "checks"))
    id_ = _matching(fields["id"], _ID, "an id of small letters, digits and _")
    file = _matching(fields["file"], _FILE, "a file such as solvers/my_solver.py")
    name = _matching(fields["class"], _NAME, "a class such as MySolver")
    for field, given, known in (
        ("id", id_, [each.id for each in LAB_EXERCISES]),
        ("file", file, [each.file for each in LAB_EXERCISES]),
        ("class", name, [each.name for each in LAB_EXERCISES]),
    ):
        if given in known:
            fields[field].expected("one that no exercise of the lab has")
    checks = _checks(fields["checks"])
    texts = _texts(path, checks)
    mazes = load_maze_folder(path / "mazes") if (path / "mazes").is_dir() else ()
    return OwnExercise(
        id=id_,
        file=file,
        name=name,
        checks=checks,
        skeleton=_text(path / "skeleton.py"),
        public_tests=_text(path / "public_tests.py"),
        reference=_text(path / REFERENCE),
        judge=_text(path / JUDGE),
        texts=texts,
        handouts={each: _text(path / "handout" / f"{each}.md") for each in _handouts(path)},
        mazes=tuple((maze.name, maze.text, maze.visibility == "hidden") for maze in mazes),
        folder=path,
    )


def _checks(value: Value) -> dict[str, tuple[str, ...]]:
    found = {}
    for key, families in value.entries():
        name = _matching(key, _CHECK, "a name of small letters, digits and -")
        if name in STANDARD:
            key.refuse(f"every exercise has the check {name}: take it out")
        listed = tuple(item.choice(tuple(FAMILIES)) for item in families.items())
        if not listed or len(set(listed)) < len(listed):
            families.expected(f"some of {', '.join(FAMILIES)}, each once")
        found[name] = listed
    if not found:
        value.expected("at least one check")
    return found


def _texts(path: Path, checks: dict[str, tuple[str, ...]]) -> dict[str, dict[str, str]]:
    """The texts by language; the other languages have those of the English ones, or fewer."""
    place = path / "texts"
    try:
        found = {code: dict(texts) for code, texts in texts_in(place).items()}
    except (OSError, ValueError) as error:
        raise InputError(f"the texts cannot be read: {error}", path=place) from None
    if "en" not in found:
        raise InputError("expected the English texts in a file of this name", path=place / "en.toml")
    for key in ("title", "row", *(f"checks.{name}" for name in checks)):
        if key not in found["en"]:
            raise InputError(f"expected a text with the key {key}", path=place / "en.toml")
    for code, texts in found.items():
        if unknown := sorted(set(texts) - set(found["en"])):
            raise InputError(f"no English text has the key {unknown[0]}", path=place / f"{code}.toml")
    return found


def _handouts(path: Path) -> list[str]:
    """The languages of the handout, English among them."""
    return sorted({"en", *(each.stem for each in (path / "handout").glob("*.md"))})


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST + 1)
        if len(content) > _MOST:
            raise InputError("expected a file of 256 KiB at the most", path=path)
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"expected a text in UTF-8: {error}", path=path) from None


def _matching(value: Value, form: re.Pattern[str], what: str) -> str:
    text = value.text(most=80)
    if not form.fullmatch(text):
        value.expected(what)
    return text
