"""Read the tables of a bank, ``right.yaml`` and ``wrong.yaml``; errors name file, line and column."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

import yaml

from grader.course.yaml.source import read_yaml
from grader.course.yaml.value import Value, hint, quoted
from grader.errors import InputError
from grader.exercises.registry import misconceptions
from lab.exercises import LAB_EXERCISES

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
        _check_mistake(fields["mistake"], settings)
    return settings


def _check_mistake(value: Value, settings: dict[str, Any]) -> None:
    for exercise in (id_ for id_ in IDS if id_ in settings):
        if f"{exercise}.{settings['mistake']}" not in misconceptions():
            known = [id_.partition(".")[2] for id_ in misconceptions() if id_.startswith(f"{exercise}.")]
            name = quoted(settings["mistake"])
            value.refuse(f"unknown misconception {name} of {exercise}; {hint(settings['mistake'], known)}")


def _text(value: Value) -> str:
    return value.text(most=_LONGEST)


def _yes_or_no(value: Value) -> bool:
    return value.choice(("true", "false")) == "true"


def _none(value: Value) -> str:
    return value.choice(("none",))


def _texts(value: Value) -> list[str]:
    return [_text(item) for item in value.items()]


def _exercises(value: Value) -> list[str]:
    return [item.choice(IDS) for item in value.items()]


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
    "base": _none,
    "remove": _texts,
    "files": _files,
    "may_lose": _exercises,
    "slow": _yes_or_no,
    **dict.fromkeys(IDS, _loss),
    "message_contains": _texts,
    "forbidden_text": _texts,
}
