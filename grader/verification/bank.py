"""A bank of submissions with known results, and how it is graded like a class.

``right.yaml`` and ``wrong.yaml`` say what each must get, and under ``mistake`` what its wrong answers share.
A submission is ``base/``, which is right, with one file replaced by ``<kind>/<name>.py`` or by what the edits
of ``<kind>/edits.yaml`` make, or with the files of the folder ``<kind>/<name>/``; a table may contain files
itself.
"""

from __future__ import annotations

import base64
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import cpu_count
from pathlib import Path, PurePosixPath
from typing import Any, Final

import yaml

from grader import shipped
from grader.batch.job import Course, Job
from grader.batch.journal import Journal
from grader.batch.orchestrator import Batch
from grader.batch.progress import Screen, display_for
from grader.batch.workers import LocalWorkers
from grader.course.course_folder import EDITS, edited_files
from grader.course.plan import Plan
from grader.course.yaml_source import read_yaml
from grader.course.yaml_values import Value, hint, quoted
from grader.disk import hold, writing
from grader.errors import InputError, SandboxError
from grader.exercises.kit.folders.code import KNOWN, OwnExercise
from grader.exercises.registry import shared_names
from grader.grading.engine import RESULTS, STAFF
from grader.intake import read_submission
from grader.intake.class_listing import HandIn
from grader.languages import AND
from grader.model import Submission
from grader.reader import reading_here
from grader.sandbox.base import BACKENDS
from lab.exercises import BY_ID, LAB_EXERCISES, LAB_FILES, SOLVER_IDS

# --- bank tables ------------------------------------------------------------------------------------
# Read the tables of a bank, ``right.yaml`` and ``wrong.yaml``; errors name file, line and column.


IDS: Final = tuple(exercise.id for exercise in LAB_EXERCISES)

_LONGEST: Final = 1000
"""The most characters of a text."""
_MOST_BYTES: Final = 1 << 30
"""The most bytes of a generated file."""
_NAME: Final = re.compile(r"\w[\w.-]*")
_KEYS: Final = ("description", "file", "base", "remove", "files", "may_lose", "slow")
_KEYS_OF_WRONG: Final = (*_KEYS, "mistake", "message_contains", "forbidden_text", *IDS)
_LISTS: Final = ("lost", "lost_at_least", "lost_one_of", "status")


def entries(path: Path) -> Iterator[tuple[str, Value, dict[str, Any]]]:
    """Yield a table's submissions, sorted by name: the name, its YAML value, and its settings.

    Raises InputError.
    """
    is_wrong = path.stem == "wrong"
    for key, value in sorted(
        read_yaml(path, error=InputError).entries(), key=lambda pair: pair[0].node.value
    ):
        name = key.node.value
        if not _NAME.fullmatch(name):
            key.expected("a name of letters, digits and hyphens")
        is_text = not is_wrong and isinstance(value.node, yaml.ScalarNode)
        yield name, value, {"description": _text(value)} if is_text else _settings(value, is_wrong)


def _settings(value: Value, is_wrong: bool) -> dict[str, Any]:
    fields = value.fields(required=(), optional=_KEYS_OF_WRONG if is_wrong else _KEYS)
    if is_wrong and not fields.keys() & set(IDS):
        value.refuse("expected an exercise in which it loses points, such as 'dfs: {}'")
    settings = {key: _READERS[key](field) for key, field in fields.items()}
    if "mistake" in settings:
        for exercise in (id_ for id_ in IDS if id_ in settings):
            known = [id_.partition(".")[2] for id_ in shared_names() if id_.startswith(f"{exercise}.")]
            for name in set(settings["mistake"].split(AND)) - {*known}:
                fields["mistake"].refuse(f"unknown mistake {quoted(name)} of {exercise}; {hint(name, known)}")
    return settings


def _text(value: Value) -> str:
    return value.text(most=_LONGEST)


def _yes_or_no(value: Value) -> bool:
    return value.choice(("true", "false")) == "true"


def _texts(value: Value) -> list[str]:
    return [_text(item) for item in value.items()]


def _loss(value: Value) -> dict[str, Any]:
    """Read how an exercise loses points; only the fact that it does matters here."""
    fields = value.fields(required=(), optional=(*_LISTS, "zero"))
    return {
        key: _yes_or_no(field)
        if key == "zero"
        else _texts(field)
        if isinstance(field.node, yaml.SequenceNode) or key != "status"
        else [_text(field)]
        for key, field in fields.items()
    }


def _path(value: Value) -> str:
    path = _text(value)
    if path.startswith("/") or ".." in PurePosixPath(path).parts:
        value.expected("a path inside of the submission, such as 'solvers/dfs.py'")
    return path


def _files(value: Value) -> dict[str, Any]:
    return {_path(key): _content(field) for key, field in value.entries()}


def _content(value: Value) -> str | dict[str, Any]:
    """Read a file's content: text, base64, or a size with a start and a filling."""
    if not value.is_mapping():
        return _raw(value)
    if any(key.node.value == "base64" for key, _ in value.entries()):
        encoded = value.fields(required=("base64",))["base64"]
        try:
            base64.b64decode(_raw(encoded))
        except ValueError:
            encoded.expected("base64")
        return {"base64": _raw(encoded)}
    fields = value.fields(required=("start", "fill", "bytes"))
    fill = _raw(fields["fill"])
    if not fill:
        fields["fill"].expected("a text to fill the file with")
    size = fields["bytes"].whole(least=0, most=_MOST_BYTES)
    return {"start": _raw(fields["start"]), "fill": fill, "bytes": size}


def _raw(value: Value) -> str:
    """Read a text, keeping its spaces and line endings."""
    if not isinstance(value.node, yaml.ScalarNode):
        value.expected("a text")
    return str(value.node.value)


_READERS: Final[Mapping[str, Callable[[Value], Any]]] = {
    "description": _text,
    "mistake": _text,
    "file": _path,
    "base": lambda value: value.choice(("none",)),
    "remove": _texts,
    "files": _files,
    "may_lose": lambda value: [item.choice(IDS) for item in value.items()],
    "slow": _yes_or_no,
    **dict.fromkeys(IDS, _loss),
    "message_contains": _texts,
    "forbidden_text": _texts,
}

SHIPPED: Final = shipped.bank()
"""The folder of the bank that ships with the grader."""
KINDS: Final = ("right", "wrong")
"""Each kind of submission has a table and a folder."""
_BY_FILE: Final = {
    exercise.file: frozenset((exercise.id, *SOLVER_IDS) if exercise.kind == "script" else (exercise.id,))
    for exercise in LAB_EXERCISES
}
"""The exercises that depend on a file; all solvers depend on that of the search."""


@dataclass(frozen=True, slots=True)
class KnownSubmission:
    """A submission whose results are known."""

    name: str
    files: Mapping[str, bytes]
    loses: frozenset[str] = frozenset()
    """The exercises in which it must lose points; empty for a right one."""
    may_lose: frozenset[str] = frozenset()
    """The exercises in which it may or may not lose points."""
    earns_nothing: bool = False
    """Whether it is the untouched template, which must get no points."""
    exercises: frozenset[str] = frozenset(IDS)
    """The exercises worth grading: in others, its files are those of the base."""
    mistakes: frozenset[str] = frozenset()
    """The ids of what its wrong answers share, such as ``dfs.west-first``."""


def load_bank(folder: Path) -> list[KnownSubmission]:
    """Load a bank's submissions, with the reference and the untouched template.

    These two include the course's own exercises. Raises InputError if the bank is missing or wrong.
    """
    own = [code.exercise for code in KNOWN.values() if code.exercise.is_by_grader]
    reference, template, *of_course = course_submissions(own)
    known = (known for kind in KINDS for known in _from_tables(folder, kind))
    return [reference, template, *known, *of_course]


def course_submissions(own: Sequence[OwnExercise]) -> list[KnownSubmission]:
    """Return the reference, the untouched template, and the submissions in the folders of exercises."""
    ids = frozenset((*IDS, *(each.id for each in own)))
    answers = {each.file: each.reference.encode() for each in own}
    skeletons = {each.file: each.skeleton.encode() for each in own}
    reference = KnownSubmission(
        "reference",
        {file: (shipped.folder("reference") / file).read_bytes() for file in LAB_FILES} | answers,
        exercises=ids,
    )
    handed_out = dict(zip(LAB_FILES, shipped.template(), strict=True))
    template = KnownSubmission("template", handed_out | skeletons, earns_nothing=True, exercises=ids)
    return [reference, template, *(known for each in own for known in _from_exercise(each, reference))]


def _from_exercise(own: OwnExercise, reference: KnownSubmission) -> Iterator[KnownSubmission]:
    """Yield the submissions in an exercise's folder, with all other files from the reference."""
    for kind in KINDS:
        for name, files in submissions_in(own.folder / kind, own.file).items():
            loses = frozenset({own.id}) if kind == "wrong" else frozenset()
            yield KnownSubmission(
                f"{kind}--{own.id}-{name}", {**reference.files, **files}, loses, exercises=frozenset({own.id})
            )


def submissions_in(folder: Path, file: str) -> dict[str, Mapping[str, bytes]]:
    """Return the submissions in a folder by name: files, folders of files, and edits of a file."""
    edited = {name: {file: content} for name, content in edited_files(folder).items()}
    alone = {path.stem: {file: path.read_bytes()} for path in folder.glob("*.py")}
    folders = (path for path in folder.glob("*/") if path.name != "__pycache__")
    found = {**edited, **alone, **{path.name: read_files(path) for path in folders if path.is_dir()}}
    return dict(sorted(found.items()))


def _from_tables(folder: Path, kind: str) -> Iterator[KnownSubmission]:
    path = folder / f"{kind}.yaml"
    if not path.exists():
        raise InputError(f"expected a bank with {kind}.yaml, found none", path=path)
    base, edited = read_files(folder / "base"), edited_files(folder / kind)
    if not base:
        raise InputError("expected a bank with a right submission in its folder base", path=folder / "base")
    known = [*entries(path)]
    if unknown := sorted(edited.keys() - {name for name, _, _ in known}):
        raise InputError(
            f"{unknown[0]}: no submission of {path.name} has this name", path=folder / kind / EDITS
        )
    for name, place, settings in known:
        loses = frozenset(id_ for id_ in IDS if id_ in settings)
        may_lose = frozenset(settings.get("may_lose", ()))
        for missing in set(settings.get("remove", ())) - base.keys():
            place.refuse(f"remove: base has no file {quoted(missing)}; {hint(missing, list(base))}")
        try:
            files = files_of(base, folder / kind / name, settings, edited)
        except InputError as error:
            place.source.refuse(str(error), place.line, place.column)
        if loses and files == base:
            place.expected(f"{kind}/{name}.py, or a folder {kind}/{name}", "nothing that differs from base")
        told = _affected_exercises(base, files)
        yield KnownSubmission(
            *(f"{kind}--{name}", files, loses, may_lose),
            exercises=told | loses | may_lose,
            mistakes=frozenset(
                f"{id_}.{name}" for id_ in loses for name in settings.get("mistake", "").split(AND) if name
            ),
        )


def _affected_exercises(base: Mapping[str, bytes], files: Mapping[str, bytes]) -> frozenset[str]:
    """Return the exercises whose files differ from the base; all if other files differ, or none does."""
    changed = {path for path in base.keys() | files.keys() if base.get(path) != files.get(path)}
    if not changed or not changed <= _BY_FILE.keys():
        return frozenset(IDS)
    return frozenset().union(*(_BY_FILE[path] for path in changed))


def files_of(
    base: Mapping[str, bytes], place: Path, settings: Mapping[str, Any], edited: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return a submission's files by path, including those of the base, but no symbolic links."""
    found = {} if settings.get("base") == "none" else dict(base)
    for path in settings.get("remove", ()):
        found.pop(path, None)
    own = _own_files(place, settings, edited)
    return {path: data for path, data in found.items() if not _collides(path, own)} | own


def _own_files(place: Path, settings: Mapping[str, Any], edited: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the submission's own files by path, from its file, its edits, its folder and its table."""
    alone = place.with_name(f"{place.name}.py")
    one = alone.read_bytes() if alone.is_file() else edited.get(place.name)
    found = read_files(place) if one is None else {_target(place.name, settings): one}
    return found | {path: _decode_content(value) for path, value in settings.get("files", {}).items()}


def _target(name: str, settings: Mapping[str, Any]) -> str:
    """Return the file that ``<name>.py`` replaces: that of the exercise in its name, or of the only one it
    loses.

    Raises InputError if neither is clear.
    """
    if "file" in settings:
        return str(settings["file"])
    first = name.partition("-")[0]
    exercises = [first] if first in BY_ID else [id_ for id_ in IDS if id_ in settings]
    if len(exercises) != 1:
        raise InputError(f"{name}: expected the key file, since the name does not begin with an exercise")
    return BY_ID[exercises[0]].file


def _decode_content(value: str | Mapping[str, Any]) -> bytes:
    """Return the bytes of a text, of base64, or of a start followed by a repeated filling."""
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    start, fill, size = str(value["start"]).encode(), str(value["fill"]).encode(), int(value["bytes"])
    return (start + fill * (size // len(fill) + 1))[:size]


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the files in a folder by path, without Python's caches."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _collides(path: str, own: Mapping[str, bytes]) -> bool:
    """Return whether a path of the base collides with a folder or file of the submission."""
    return any(path.startswith(other + "/") or other.startswith(path + "/") for other in own)


@dataclass(frozen=True, slots=True)
class Graded:
    """The results of one of the bank's submissions."""

    known: KnownSubmission
    scores: dict[str, tuple[float, float]]
    """Score and maximum by exercise."""
    lost: dict[str, tuple[str, ...]]
    """The failed checks, by exercise."""
    messages: dict[str, str]
    """The messages of failed checks, by check."""
    wrong_mazes: dict[str, list[str]]
    """The test mazes on which a check failed, by check."""
    margins: dict[str, Any]
    wrong_shares: dict[str, float] = field(default_factory=dict)
    """By exercise, the share of cases it gets wrong, among those that students would try."""


@dataclass(frozen=True, slots=True)
class Grading:
    """How a bank's submissions are graded, and into which folder."""

    sandbox: str
    out: Path
    jobs: int | None = None
    quiet: bool = False

    def grade(self, bank: Sequence[KnownSubmission], plan: Plan, part: str) -> list[Graded]:
        """Grade each submission in the exercises that matter, into the subfolder ``part``; reuse valid
        results.

        Raises SandboxError if the machine fails on any of them.
        """
        folder = self.out / part
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        asked = {exercise.id for exercise in plan.exercises}
        telling = [known for known in bank if _relevant_exercises(known, asked)]
        todo = [_job(known, asked) for known in telling]
        display = display_for(Screen(stderr=True), len(todo), quiet=self.quiet)
        course = Course(_without_ladders(plan), self.sandbox)
        with hold(folder), Journal(folder) as journal, display:
            executor = LocalWorkers(course, BACKENDS[self.sandbox], self.jobs or cpu_count() or 1)
            try:
                tally = Batch(todo, course, journal, display.tell).run(executor, display.tick)
            finally:
                executor.close()
        if tally.faults:
            raise SandboxError(f"the grader failed on {', '.join([*tally.faults][:5])}: try again")
        return [_load_graded(known, folder / known.name) for known in telling]


def _job(known: KnownSubmission, asked: set[str]) -> Job:
    return Job(
        HandIn(known.name, ()), submission=_read_as_intake(known), exercises=_relevant_exercises(known, asked)
    )


def _relevant_exercises(known: KnownSubmission, asked: set[str]) -> frozenset[str]:
    """Return which exercises of a submission to grade.

    If the plan lacks an exercise in which it is wrong, only those in which it must lose are graded: solvers
    on a wrong Search count as right only if the search is graded, too.
    """
    return (known.exercises if known.loses <= asked else known.loses) & asked


def _read_as_intake(known: KnownSubmission) -> Submission:
    """Return the submission as intake would read and repair it."""
    with tempfile.TemporaryDirectory(prefix="maze-grader-") as name:
        folder = Path(name, known.name)
        for path, content in known.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        with reading_here():
            return read_submission(folder, name=known.name)


def _without_ladders(plan: Plan) -> Plan:
    """Drop the search for smallest mazes from the plan, which is slow and decides nothing here, and what
    persons mark."""
    exercises = (
        replace(
            exercise,
            checks=tuple(
                replace(check, ladder=None, control_ladder=None)
                for check in exercise.checks
                if not check.by_person
            ),
        )
        for exercise in plan.exercises
    )
    return replace(plan, exercises=tuple(each for each in exercises if each.checks), gallery={})


def _load_graded(known: KnownSubmission, folder: Path) -> Graded:
    results = json.loads((folder / RESULTS).read_bytes())
    staff = json.loads((folder / STAFF).read_bytes())
    failed = {
        each["id"]: [c for c in each["checks"] if c["status"] != "passed"] for each in staff["exercises"]
    }
    return Graded(
        known,
        {each["id"]: (each["score"], each["max_score"]) for each in results["exercises"]},
        {id_: tuple(check["id"] for check in checks) for id_, checks in failed.items()},
        {check["id"]: check["message"] for checks in failed.values() for check in checks},
        staff["wrong_mazes"],
        staff["margins"],
        staff["wrong_shares"],
    )
