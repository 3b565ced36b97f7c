"""All keys of a course's files with their defaults: as comments to paste, and as a page of the docs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin

from grader.course.exercise_folder import ExerciseKeys
from grader.course.late_work import Allowance
from grader.course.maze_files import MazeKeys
from grader.course.rubric import MazeBonus, RubricKeys
from grader.course.yaml_values import Key, keys_of
from grader.text import in_bytes, in_full

_BY_HAND: Final[Mapping[str, type]] = MappingProxyType({"attempts": Allowance, "my_mazes": MazeBonus})
"""Keys with keys below them whose readers look at other keys as well."""
_FILES: Final[Mapping[str, type]] = MappingProxyType(
    {"rubric.yaml": RubricKeys, "exercise.yaml": ExerciseKeys, "mazes/*.yaml": MazeKeys}
)
_COLUMN: Final = 34
"""Where a comment begins."""


def commented_defaults() -> str:
    """Return all keys of a rubric with their defaults, as comments of YAML."""
    return "\n".join(
        line for key in keys_of(RubricKeys).values() if not key.is_required for line in _commented(key, "")
    )


def reference_page() -> str:
    """Return the page of the keys of a rubric, an exercise and a test maze, in Markdown."""
    parts = [
        "# The keys of a course's files\n\n"
        "Made from the code by `python scripts/rubric_reference.py`. "
        "`grader explain --defaults` prints the keys of a rubric, ready to paste.\n"
    ]
    for file, record in _FILES.items():
        rows = [row for key in keys_of(record).values() for row in _rows(key, "")]
        head = "| key | what may stand there | default | what it is for |\n| --- | --- | --- | --- |"
        parts.append(f"## {file}\n\n{head}\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _commented(key: Key, indent: str) -> Iterator[str]:
    below = _below(key)
    default = "" if below else _default(key) or "…"
    entry = f"# {indent}{key.name}:{default and ' '}{default}"
    told = "; ".join(filter(None, (key.meta.description, "" if below else _values(key))))
    yield f"{entry:<{_COLUMN}}# {told}" if told else entry
    for each in below:
        yield from _commented(each, indent + "  ")


def _rows(key: Key, label: str) -> Iterator[str]:
    below, name = _below(key), f"{label}{key.name}"
    default = "required" if key.is_required else "" if below else _default(key)
    cells = (f"`{name}`", "keys of its own" if below else _values(key), default, key.meta.description or "")
    yield f"| {' | '.join(cells)} |"
    for each in below:
        yield from _rows(each, f"{name}.")


def _below(key: Key) -> list[Key]:
    kind = _BY_HAND.get(key.name, key.kind)
    return [*keys_of(kind).values()] if is_dataclass(kind) and isinstance(kind, type) else []


def _values(key: Key) -> str:
    """Return what may stand there, in words; "" where the description says it."""
    if get_origin(key.kind) is Literal:
        return ", ".join(get_args(key.kind))
    if key.meta.max_length is not None:
        return f"a text of {key.meta.max_length} characters at the most"
    if key.meta.ge is None:
        return ""
    least, most = (None if each is None else _number(key, each) for each in (key.meta.ge, key.meta.le))
    return f"from {least} to {most}" if most else f"from {least}"


def _default(key: Key) -> str:
    if key.is_required or key.default is None:
        return ""
    return _number(key, key.default) if isinstance(key.default, int | float) else str(key.default)


def _number(key: Key, number: Any) -> str:
    return in_bytes(int(number)) if key.is_size else in_full(number)
