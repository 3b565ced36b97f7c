"""The folder of an exercise, and the checks that a rubric adds: read whole, or refused.

exercise.yaml         its id, its file, what is called in it with what, and its checks
reference.py          the right answer; none where a person marks all checks
model.md              a model answer, for those who mark alone
judge.py              ``judge(arguments, returned, expected)``: what is wrong with an answer; without it, what
                      does not equal the reference's
cases.py              functions that draw arguments, where mazes of families will not do
skeleton.py           what students are given; without it, it is made of exercise.yaml
public_tests.py       what ``maze check`` runs; without it, tests are made of the public checks
texts/en.toml         its title, the titles of its checks, the sentences of the judge; other languages beside
handout/en.md         its section of the handout; other languages beside
mazes/                test mazes of its own
right/, wrong/        submissions for ``grader verify``
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast, get_args

from msgspec import Meta

from grader.course.criteria import BY_PERSON, is_by_person, read_criteria
from grader.course.maze_files import MazeFile, load_maze_folder
from grader.course.skeletons import skeleton_of
from grader.course.statements import STATEMENTS, read_check_statements, refuse_untrue
from grader.course.yaml_source import read_yaml
from grader.course.yaml_values import Value, fields_of, hint, quoted
from grader.errors import InputError, RubricError
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.folders.cases import FAMILIES, FROM_MAZES
from grader.exercises.kit.folders.checks import standard_checks
from grader.exercises.kit.folders.code import (
    CASES,
    JUDGE,
    JUDGES,
    REFERENCE,
    Asked,
    OwnExercise,
    Returns,
    Signature,
    names_in,
)
from grader.exercises.kit.small_mazes import FixedMaze, Stated
from grader.languages import DEFAULT, read_exercise_texts
from grader.shipped import folder
from lab.exercises import LAB_EXERCISES, SOLVER_IDS

SETTINGS: Final = "exercise.yaml"
SHIPPED: Final = folder("grader") / "exercises"
"""The folder of the exercises that ship with the grader."""
_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,30}")
_FILE: Final = re.compile(r"([A-Za-z][A-Za-z0-9_]*/)?[A-Za-z][A-Za-z0-9_]*\.py")
_CLASS: Final = re.compile(r"[A-Z][A-Za-z0-9_]{0,40}")
_TEXT_FILE: Final = re.compile(r"([A-Za-z][A-Za-z0-9_]*/)?[A-Za-z][A-Za-z0-9_]*\.md")
_FUNCTION: Final = re.compile(r"[a-z][A-Za-z0-9_]{0,40}")
_CHECK: Final = re.compile(r"[a-z][a-z0-9-]{0,30}")
_FILES: Final = frozenset({REFERENCE, JUDGE, CASES, "skeleton.py", "public_tests.py"})
_MOST: Final = 256 * 1024
"""The most bytes of one of its files."""
_READ: Final = {"": Signature((), "anything")}
"""The call for a file that is parsed, not run: nothing, without arguments."""


@dataclass(frozen=True, slots=True)
class ExerciseKeys:
    """The keys of exercise.yaml."""

    id: Annotated[Any, Meta(description="its id, of at most 31 letters, digits and _")]
    file: Annotated[Any, Meta(description="the file to hand in, such as solvers/my_solver.py")]
    checks: Annotated[Any, Meta(description="its checks by name, each with families of mazes or functions")]
    class_: Annotated[Any, Meta(description="the class to hand in, with its method or methods")] = None
    function: Annotated[Any, Meta(description="the function to hand in, in the place of a class")] = None
    method: Annotated[Any, Meta(description="the only method that is called")] = None
    methods: Annotated[Any, Meta(description="several methods, each with its arguments and returns")] = None
    arguments: Annotated[Any, Meta(description="a list of names of what it is called with")] = None
    returns: Annotated[Returns, Meta(description="the form of the answer")] = "anything"
    judge: Annotated[
        Literal["hidden", "public"],
        Meta(description="with public, the kit has judge.py and the right answers to public cases"),
    ] = "hidden"
    literals: Annotated[Any, Meta(description="names of values in the file, which is read and not run")] = (
        None
    )
    text: Annotated[
        Literal["true", "false"],
        Meta(description="with true, the file is a text in Markdown, .md, which a person marks"),
    ] = "false"


def shipped_folders() -> dict[str, Path]:
    """Return, by id, the folders of exercises that ship with the grader but are none of the lab's."""
    lab = [each.id for each in LAB_EXERCISES]
    found = {path.parent.name: path.parent for path in sorted(SHIPPED.glob(f"*/{SETTINGS}"))}
    return {id_: path for id_, path in found.items() if id_ not in lab}


def load_own_exercises(
    exercises: Value, named: Value | None, language: str = DEFAULT
) -> tuple[OwnExercise, ...]:
    """Load a rubric's exercises that are not the lab's, from folders that it names or from shipped ones.

    The rubric's ``language`` stands for others where English is missing.

    Raises InputError.
    """
    asked = [key.node.value for key, _ in exercises.entries()]
    found: dict[str, OwnExercise] = {}
    for item in named.items() if named is not None else ():
        place = item.source.path.parent / item.text(most=1000)
        if not os.path.isfile(place / SETTINGS):  # noqa: PTH113 - no error where the name is too long for any
            item.refuse(f"expected a folder with {SETTINGS} at {place}, found none")
        own = load_own_exercise(place, language)
        if own.id in found:
            item.refuse(f"the exercise '{own.id}' comes from another folder already")
        if own.id not in asked:
            item.refuse(f"the exercise '{own.id}' has no points: add it to 'exercises', or take it out here")
        found[own.id] = own
    folders = shipped_folders()
    shipped = {id_: folders[id_] for id_ in asked if id_ in folders and id_ not in found}
    return (*found.values(), *map(load_own_exercise, shipped.values()))


def check_ids(own: Sequence[OwnExercise]) -> dict[str, list[str]]:
    """Return the ids of checks by exercise id."""
    return {
        each.id: [f"{each.id}.{name}" for name in (*each.checks, *standard_checks(each.calls))]
        for each in own
    }


def load_own_exercise(path: Path, language: str = DEFAULT) -> OwnExercise:
    """Read the folder of an exercise of a rubric in this language. Raises InputError."""
    fields = fields_of(read_yaml(path / SETTINGS, error=RubricError), ExerciseKeys)
    _check_names(path)
    id_ = _matching(fields["id"], _ID, "an id of at most 31 letters, digits and _")
    is_text = "text" in fields and fields["text"].choice(("true", "false")) == "true"
    form, example = (_TEXT_FILE, "essay.md") if is_text else (_FILE, "solvers/my_solver.py")
    file = _matching(fields["file"], form, f"a file such as {example}")
    literals = _literals(fields, is_text=is_text)
    name, calls = (next(iter(literals), id_), _READ) if literals or is_text else _calls(fields)
    for field, given, known in (
        ("id", id_, [each.id for each in LAB_EXERCISES]),
        ("file", file, [each.file for each in LAB_EXERCISES]),
        ("class", name, [each.name for each in LAB_EXERCISES]),
    ):
        if given in known:
            fields[field].expected("one that no exercise of the lab has")
    cases = _optional_text(path / CASES)
    checks = _checks(fields["checks"], calls, literals, has_cases=bool(cases), is_text=is_text)
    by_grader = [name for name, asked in checks.items() if not asked.criteria]
    mazes = load_maze_folder(path / "mazes") if (path / "mazes").is_dir() else ()
    texts = _texts(path, checks, language)
    read = OwnExercise(
        id=id_,
        file=file,
        name=name,
        calls=calls,
        checks=checks,
        skeleton=_optional_text(path / ("skeleton.md" if is_text else "skeleton.py")),
        public_tests=_optional_text(path / "public_tests.py"),
        reference=_text(path / REFERENCE) if by_grader else _optional_text(path / REFERENCE),
        judge=_optional_text(path / JUDGE),
        cases=cases,
        texts=texts,
        language=DEFAULT if DEFAULT in texts else language,
        handouts=read_handouts(path / "handout"),
        mazes=tuple(_own_maze(id_, maze) for maze in mazes),
        folder=path,
        literals=literals,
        judge_is_public=_is_judge_public(fields, path),
        is_text=is_text,
        model=_optional_text(path / "model.md"),
    )
    return replace(read, skeleton=read.skeleton or skeleton_of(read))


def _own_maze(own: str, maze: MazeFile) -> FixedMaze:
    """Return a maze of an exercise's folder; what it states of costs, it states of that exercise."""
    stated = {id_: (maze.stated[""],) for id_ in (own,) if "" in maze.stated}
    return FixedMaze(maze.name, maze.text, maze.visibility == "hidden", (own,), stated)


def _check_names(path: Path) -> None:
    """Refuse a misspelt file, such as Judge.py, in the place of one that is not there."""
    names = {entry.name for entry in path.iterdir()}
    for name in sorted(names - _FILES):
        meant = get_close_matches(name.casefold(), _FILES - names, n=1, cutoff=0.8)
        if meant and name.endswith(".py"):
            told = f"no file of an exercise has this name: did you mean {meant[0]}?"
            raise InputError(told, path=path / name)


def _is_judge_public(fields: Mapping[str, Value], path: Path) -> bool:
    is_public = "judge" in fields and fields["judge"].choice(("hidden", "public")) == "public"
    if is_public and not (path / JUDGE).is_file():
        fields["judge"].refuse(f"there is no {JUDGE} to be public: write it, or take this out")
    return is_public


def _literals(fields: Mapping[str, Value], *, is_text: bool) -> tuple[str, ...]:
    """Return the names of the literals to hand in; empty if there are none."""
    if "literals" not in fields and not is_text:
        return ()
    what = "text" if is_text else "file of literals"
    for key in ("class", "function", "method", "methods", "arguments", "returns", "judge"):
        if key in fields:
            fields[key].refuse(f"nothing is called in a {what}: take this out")
    if is_text:
        if "literals" in fields:
            fields["literals"].refuse("a text has no literals: take one of the two out")
        return ()
    return fields["literals"].distinct(
        lambda item: _matching(item, _FUNCTION, "the name of a literal"), "the names of the literals"
    )


def _calls(fields: Mapping[str, Value]) -> tuple[str, dict[str, Signature]]:
    """Return the name of the function or class to hand in, and the signatures of the calls."""
    if ("class" in fields) == ("function" in fields):
        fields["file"].refuse("expected either a class, with its method or methods, or a function")
    if "class" in fields:
        return _matching(fields["class"], _CLASS, "a class such as MySolver"), _methods(fields)
    for key in ("method", "methods"):
        if key in fields:
            fields[key].refuse("a function has no methods: take this out, or name a class")
    name = _matching(fields["function"], _FUNCTION, "a function such as count_dead_ends")
    return name, {"": _signature(fields, fields["function"])}


def _methods(fields: Mapping[str, Value]) -> dict[str, Signature]:
    """Return the signatures of the called methods: a single one, or several with keys of their own."""
    if ("method" in fields) == ("methods" in fields):
        fields["class"].refuse("expected either a method of the class, or methods, each with its arguments")
    if "method" in fields:
        method = _matching(fields["method"], _FUNCTION, "a method such as solve")
        return {method: _signature(fields, fields["method"])}
    for name in ("arguments", "returns"):
        if name in fields:
            fields[name].refuse("each of the methods has its own: take this out")
    calls: dict[str, Signature] = {}
    for key, value in fields["methods"].entries():
        method = _matching(key, _FUNCTION, "a method such as adjacency_list")
        calls[method] = _signature(value.fields(required=("arguments",), optional=("returns",)), key)
    return calls or fields["methods"].refuse("expected at least one method")


def _signature(fields: Mapping[str, Value], place: Value) -> Signature:
    if "arguments" not in fields:
        place.refuse("expected 'arguments', the list of what it is called with")
    names = tuple(
        _matching(item, _FUNCTION, "the name of an argument, such as maze")
        for item in fields["arguments"].items()
    )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice or any(map(iskeyword, names)) or "self" in names:
        fields["arguments"].expected("names of arguments, each once, and no word of Python's")
    returns = fields["returns"].choice(get_args(Returns)) if "returns" in fields else "anything"
    return Signature(names, cast(Returns, returns))


def _checks(
    value: Value,
    calls: Mapping[str, Signature],
    literals: Sequence[str],
    *,
    has_cases: bool,
    is_text: bool,
) -> dict[str, Asked]:
    found = {}
    for key, body in value.entries():
        name = _matching(key, _CHECK, "a name of small letters, digits and -")
        if name in standard_checks(calls):
            key.refuse(f"every exercise has the check {name}: take it out")
        if is_text or is_by_person(body):
            found[name] = _read_by_person(body, literals)
        elif literals:
            found[name] = Asked("", tuple(item.choice(literals) for item in body.items()))
        else:
            found[name] = _read_check(key, body, calls, has_cases=has_cases)
    if not found:
        value.expected("at least one check")
    return found


def _read_by_person(body: Value, literals: Sequence[str]) -> Asked:
    """Return what a person marks: of literals, those that are named, or else all."""
    if not is_by_person(body):
        body.expected("'marked_by: person' and 'criteria', since no program reads a text")
    fields = body.fields(required=BY_PERSON, optional=("literals",) if literals else ())
    shown = (
        fields["literals"].distinct(lambda item: item.choice(literals), "names of literals")
        if ("literals" in fields)
        else ()
    )
    return Asked("", shown, read_criteria(fields))


def _read_check(key: Value, body: Value, calls: Mapping[str, Signature], *, has_cases: bool) -> Asked:
    """Return what a check asks: cases of the only method, or of the method that it names."""
    method, families = next(iter(calls)), body
    judged_by = JUDGES
    if body.is_mapping():
        required = ("method", "cases") if len(calls) > 1 else ("cases",)
        fields = body.fields(required=required, optional=("method", "judged_by"))
        families = fields["cases"]
        method = fields["method"].choice(tuple(calls)) if "method" in fields else method
        if "judged_by" in fields:
            judged_by = _matching(fields["judged_by"], _FUNCTION, "a function of judge.py")
    elif len(calls) > 1:
        key.refuse(f"say which method it asks, with the keys 'method' ({', '.join(calls)}) and 'cases'")
    read = partial(_family, signature=calls[method], has_cases=has_cases)
    return Asked(method, families.distinct(read, f"some of {', '.join(FAMILIES)}"), judged_by=judged_by)


def _family(item: Value, signature: Signature, *, has_cases: bool) -> str:
    name = item.text(most=80)
    if name not in FAMILIES and has_cases:
        return _matching(item, _FUNCTION, "a function of cases.py")
    item.choice(tuple(FAMILIES))
    drawn = [each for each in signature.arguments if each not in FROM_MAZES]
    if drawn:
        item.refuse(
            f"mazes alone do not give the argument {drawn[0]}: name a function of {CASES} that draws it"
        )
    return name


def _texts(path: Path, checks: Mapping[str, Asked], language: str) -> dict[str, dict[str, str]]:
    """Return the texts by language, if there are any: English ones, or else those of the rubric's language.

    No other language may have texts that this one lacks.
    """
    place = path / "texts"
    if not place.is_dir():
        return {}
    try:
        found = {code: dict(texts) for code, texts in read_exercise_texts(place).items()}
    except (OSError, ValueError) as error:
        raise InputError(f"the texts cannot be read: {error}", path=place) from None
    first = next((code for code in (DEFAULT, language) if code in found), None)
    if first is None:
        told = (
            "the English texts" if language == DEFAULT else "texts in the rubric's language, or in English,"
        )
        raise InputError(f"expected {told} in a file of this name", path=place / f"{language}.toml")
    for key in found[first]:
        owner, _, name = key.partition(".")
        if owner == "checks" and name not in checks:
            raise InputError(
                f"{key}: no check has this name; {hint(name, list(checks))}", path=place / f"{first}.toml"
            )
    for code, texts in found.items():
        if wrong := next((key for key, text in texts.items() if not isinstance(text, str)), None):
            raise InputError(f"{wrong}: expected a text in quotation marks", path=place / f"{code}.toml")
        _compare(place / f"{code}.toml", texts, found[first], first)
    return found


def _compare(path: Path, texts: Mapping[str, str], first: Mapping[str, str], language: str) -> None:
    """Refuse texts that the first language lacks, or that use other placeholders than those of it."""
    name = "English" if language == DEFAULT else f"{language}.toml"
    if unknown := sorted(set(texts) - set(first)):
        told = "no English text has" if language == DEFAULT else f"no text of {name} has"
        raise InputError(f"{told} the key {unknown[0]}", path=path)
    for key, text in texts.items():
        try:
            names, wanted = names_in(text), names_in(first[key])
        except ValueError as error:
            raise InputError(f"{key}: {error} in {text!r}", path=path) from None
        if names != wanted:
            told = f"expected the values {sorted(wanted)}, as in {name}, got {sorted(names)}"
            raise InputError(f"{key}: {told}", path=path)


def read_handouts(folder: Path) -> dict[str, str]:
    """Return the texts of a folder of handouts by language; none if it is not there."""
    return {each.stem: _text(each) for each in sorted(folder.glob("*.md"))}


def _optional_text(path: Path) -> str:
    """Return the text of a file; "" if it does not exist."""
    return _text(path) if path.is_file() else ""


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST + 1)
        if len(content) > _MOST:
            raise InputError("expected a file of 256 KiB at the most", path=path)
        return content.decode("utf-8")
    except FileNotFoundError:
        raise InputError(
            f"expected this file in the exercise's folder: write {path.name}", path=path
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"expected a text in UTF-8: {error}", path=path) from None


def _matching(value: Value, form: re.Pattern[str], what: str) -> str:
    text = value.text(most=80)
    if not form.fullmatch(text):
        value.expected(what)
    return text


KEYS: Final = ("title", "mazes", *STATEMENTS)
"""Keys that declare a check; an existing check has only points and a visibility."""
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 40
"""The most characters of a check's name."""


@dataclass(frozen=True, slots=True)
class OwnCheck:
    """A check as the rubric declares it."""

    title: str
    mazes: tuple[str, ...]
    """The names of its mazes."""
    stated: Stated
    """Its statements about all of these mazes, in addition to those of each maze file."""


def is_declared(body: Value) -> bool:
    """Return whether this declares a check, rather than giving points to an existing one."""
    keys = (*KEYS, "marked_by")
    return body.is_mapping() and any(key.node.value in keys for key, _ in body.entries())


def check_own_id(key: Value, exercise: str) -> None:
    """Refuse the id of a declared check unless it is one of its exercise."""
    owner, _, name = key.node.value.partition(".")
    if owner != exercise or not _NAME.fullmatch(name) or len(name) > _LONGEST:
        found = f"got {quoted(key.node.value)}"
        key.refuse(
            f"expected an id such as '{exercise}.my-check', in small letters, digits and hyphens, {found}"
        )


def read_own_check(key: Value, fields: Mapping[str, Value], exercise: str) -> OwnCheck:
    """Read a declared check; it is compared with its mazes once they are loaded."""
    if exercise not in SOLVER_IDS:
        key.refuse(
            f"a check can be declared for {', '.join(SOLVER_IDS)} only, since no other exercise has visits, "
            "unless a person marks it: 'marked_by: person' with 'criteria'"
        )
    check_own_id(key, exercise)
    mazes = fields["mazes"].distinct(
        lambda item: item.text(most=80), "at least one name of a maze", shown=quoted
    )
    return OwnCheck(fields["title"].text(most=80), mazes, read_check_statements(fields))


def check_against_mazes(exercises: Value, mazes: Sequence[MazeFile]) -> None:
    """Refuse a declared check with a maze that does not exist, is not for its exercise, or contradicts it."""
    for exercise, value in exercises.entries():
        checks = {key.node.value: body for key, body in value.entries()}["checks"]
        for _, body in checks.entries():
            if is_declared(body) and not is_by_person(body):
                _check_mazes(
                    exercise.node.value, {key.node.value: part for key, part in body.entries()}, mazes
                )


def _check_mazes(exercise: str, fields: Mapping[str, Value], mazes: Sequence[MazeFile]) -> None:
    known = {maze.name: maze for maze in mazes}
    is_hidden = "visibility" in fields and fields["visibility"].node.value == "hidden"
    for item in fields["mazes"].items():
        name = item.text(most=80)
        if name not in known:
            item.refuse(f"no maze has the name {quoted(name)}; {hint(name, list(known))}")
        _check_maze(exercise, item, fields, known[name], is_hidden=is_hidden)


def _check_maze(
    exercise: str, item: Value, fields: Mapping[str, Value], maze: MazeFile, *, is_hidden: bool
) -> None:
    name = quoted(maze.name)
    if exercise not in maze.exercises:
        item.refuse(f"the maze {name} is not for {exercise}: see the key 'exercises' in {maze.path}")
    if maze.visibility == "hidden" and not is_hidden:
        item.refuse(f"the maze {name} is hidden: add 'visibility: hidden' to the check, or take a public one")
    given = [key for key in STATEMENTS if key in fields]
    if not given and exercise not in maze.stated:
        item.refuse(f"nothing is stated of {exercise} on {name}: add one of {', '.join(STATEMENTS)}")
    for key in given:
        refuse_untrue(key, fields[key], exercise, facts_of(maze.text), f"on the maze {name}, ")
