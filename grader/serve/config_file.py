"""The configuration file of the service: options of ``grader serve`` as TOML, put before those given.

So its values are read by the parser of the command line, and an option that is given takes the place of the
file's. Paths are seen from the folder of the file. The tasks beside the service take what concerns them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from grader.errors import InputError
from lab.slips import nearest_name

OPTION: Final = "--config"
PATHS: Final = frozenset({"course", "data", "lab", "mail-password", "release"})
"""The options that are paths."""
LISTS: Final = frozenset({"course", "proxy", "release"})
"""The options that may be given several times."""
_BY_COURSE: Final = "release"
"""The option that may be a table, by the ids of courses."""
_PLAIN: Final = {"cluster", "demo", "host", "jobs", "language", "mail", "port", "sandbox", "sender", "url"}
OPTIONS: Final = PATHS | LISTS | _PLAIN
_OF_TASKS: Final[Mapping[str, frozenset[str]]] = {
    "invite": frozenset({"data", "url"}),
    **dict.fromkeys(("access", "backup", "platform", "restore"), frozenset({"data"})),
}
"""The tasks, with the options that each takes."""
_KINDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "demo": ((bool,), "true or false"),
    **dict.fromkeys(LISTS, ((str,), "a text, or a list of texts")),
    _BY_COURSE: ((str,), "a folder, or a table of folders by the ids of courses"),
}
"""What is not a text or a number, with the words for it."""
_ACTIONS: Final = ("add", "allow", "end", "list", "register", "remove")


def with_config(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of ``grader serve``, with the options of a file in the place of its name.

    Raises InputError with the line of what cannot be.
    """
    at = next((at for at, word in enumerate(arguments) if word.partition("=")[0] == OPTION), None)
    if at is None:
        return [*arguments]
    _, is_joined, name = arguments[at].partition("=")
    path = Path(name if is_joined else next(iter(arguments[at + 1 :]), ""))
    rest = [*arguments[:at], *arguments[at + (1 if is_joined else 2) :]]
    task = next(iter(rest), "")
    words = 0 if task not in _OF_TASKS else 2 if rest[1:2] and rest[1] in _ACTIONS else 1
    given = {word[2:].partition("=")[0] for word in rest if word.startswith("--")}
    wanted = _OF_TASKS.get(task, OPTIONS) - (given & LISTS)
    told = [option for key, option in _options(path) if key in wanted]
    return [*rest[:words], *told, *rest[words:]]


def _options(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the options of a file, each with its name."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"expected a configuration in TOML: {error.strerror}", path=path) from None
    except ValueError as error:
        raise InputError(f"expected a configuration in TOML: {error}", path=path) from None
    for key, value in data.items():
        if key not in OPTIONS:
            close = nearest_name(key, OPTIONS)
            meant = f": is {close} meant?" if close else f", expected some of {', '.join(sorted(OPTIONS))}"
            raise InputError(f"there is no option {key}{meant}", path=path, line=_line_of(key, text))
        kinds, told = _KINDS.get(key, ((str, int), "a text or a number"))
        for course, one in value.items() if isinstance(value, dict) and key == _BY_COURSE else [("", value)]:
            values = one if isinstance(one, list) and key in LISTS else [one]
            if not all(type(each) in kinds for each in values):
                wrong = f"{key}: expected {told}, got {_shown(one)}"
                raise InputError(wrong, path=path, line=_line_of(key, text))
            if one is not False:
                yield from ((key, _option(key, each, path, course)) for each in values)


def _option(key: str, value: object, path: Path, course: str) -> str:
    if value is True:
        return f"--{key}"
    shown = path.parent / str(value) if key in PATHS else value
    return f"--{key}={course}={shown}" if course else f"--{key}={shown}"


def _line_of(key: str, text: str) -> int | None:
    found = re.search(rf"^[\s\[\"']*{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else None


def _shown(value: object) -> str:
    return repr(value).lower() if isinstance(value, bool) else repr(value)
