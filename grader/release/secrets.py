"""What keeps a kit from being handed out: a secret of the course in one of its files, or an answer.

The proof that it ships no answer is that none of its functions earns points in the place of an exercise.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from grader.course.plan import Plan
from grader.disk import write_whole
from grader.errors import GraderError
from grader.exercises.kit.folders.code import JUDGE
from grader.exercises.kit.trees import JUDGES_OF_MAZES
from grader.release import pasting
from grader.release.cases import FEW_CELLS, secret_mazes
from grader.release.handout import Rows, canonical, drawings, walls
from grader.release.kit import Kit
from grader.sandbox.contents import kept_folder
from grader.shipped import folder
from lab.exercises import BY_ID, exercise_of

CODE_LINES: Final = 3
"""This many identical statements in a row are no coincidence."""
_LEAST_CODE: Final = 60
"""Less code, in characters, may be the same by chance."""
_LEAST_TEXT: Final = 40
"""Less text, in characters, may be the same by chance."""


@dataclass(frozen=True)
class Secrets:
    """The secrets to search for, each described for people."""

    mazes: Mapping[Rows, str]
    words: Mapping[str, str]
    """Ids of hidden checks, names and purposes of hidden mazes, sentences of the reference."""
    code: Mapping[tuple[str, ...], str]
    told: tuple[str, ...] = field(default=())
    """Lines with the number of secrets of each kind."""


def collect_secrets(plan: Plan) -> Secrets:
    """Collect what students must not see of a course."""
    mazes, words = dict(secret_mazes(plan)), dict(_secret_words(plan))
    answers = list(_answers(plan))
    code, texts = dict(_secret_code(answers)), dict(_secret_texts(answers))
    count = sum(maze.visibility == "hidden" for maze in plan.rubric.mazes)
    told = (
        f"{count} hidden mazes, and all others of more than {FEW_CELLS} cells that hidden checks ask about, "
        "turned and mirrored as well",
        f"names and purposes of the hidden mazes, ids of {len(_hidden(plan))} hidden checks",
        f"code and texts of the answers, {len(set(code.values()) | set(texts.values()))} functions and files",
    )
    return Secrets(mazes, {**words, **texts}, code, told)


def _hidden(plan: Plan) -> list[str]:
    return [check for check, planned in plan.points.items() if planned.visibility == "hidden"]


def _secret_words(plan: Plan) -> Iterator[tuple[str, str]]:
    for check in _hidden(plan):
        yield check, f"the id of the hidden check {check}"
    for maze in plan.rubric.mazes:
        if maze.visibility == "hidden":
            for text in (maze.name, *maze.caught):
                if len(text.split()) > 2:
                    yield text, f"what is said of the hidden maze “{maze.name}”"


# --- the answers ----------------------------------------------------------------------------------


_Answers = Sequence[tuple[str, ast.Module]]


def _answers(plan: Plan) -> Iterator[tuple[str, ast.Module]]:
    root = folder("reference")
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root).as_posix(), ast.parse(path.read_bytes())
    for own in plan.rubric.own_exercises:
        yield own.file, ast.parse(own.reference)
        if not own.judge_is_public:
            yield f"{own.id}/{JUDGE}", ast.parse(own.judge)


def _secret_functions(file: str, tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a reference file that students do not get."""
    search = exercise_of("script")
    own = search.methods if search is not None and file == search.file else None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (own is None or node.name in own):
            yield node


def _secret_code(answers: _Answers) -> Iterator[tuple[tuple[str, ...], str]]:
    for file, tree in answers:
        for function in _secret_functions(file, tree):
            lines = statements(function)
            for start in range(len(lines) - CODE_LINES + 1):
                window = lines[start : start + CODE_LINES]
                if len("".join(window)) >= _LEAST_CODE:
                    yield window, f"code of the answers, {function.name} of reference/{file}"


def statements(function: ast.FunctionDef) -> tuple[str, ...]:
    """Return the normalised lines of a function's body without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    text = ast.unparse(ast.Module(body, []))
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _secret_texts(answers: _Answers) -> Iterator[tuple[str, str]]:
    """Yield the first sentences of the reference's longer docstrings, which no skeleton contains."""
    for file, tree in answers:
        documented: list[ast.Module | ast.FunctionDef] = [tree, *_secret_functions(file, tree)]
        for node in documented:
            _, _, more = (ast.get_docstring(node) or "").partition("\n\n")
            sentence = " ".join(more.split("\n\n")[0].split()).split(". ")[0]
            if len(sentence) >= _LEAST_TEXT:
                yield sentence, f"a text of the answers, of reference/{file}"


_NEVER_IMPORTED: Final = ("grader", "reference")
_MARKS: Final = re.compile(r"^[#>*\s]+")
"""Marks of comments and quotations at the beginning of a line."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in a file of the kit."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def find_leaks(files: Mapping[str, bytes], secrets: Secrets) -> list[Leak]:
    """Return the secrets found in a kit's files, given by path; each place is named once."""
    found: dict[tuple[str, int, str], Leak] = {}
    for name, content in files.items():
        for line, what in _find_in_file(name, content, secrets):
            found.setdefault((name, line, what), Leak(name, line, what))
    return list(found.values())


def opened(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files with what is in their archives, and each text of a JSON file, in the place of these.

    Leaves out Pyodide, each file of which is known by its digest.
    """
    found: dict[str, bytes] = {}
    for name, content in files.items():
        if name.endswith("/kit.zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                inside = {f"{name}/{each}": archive.read(each) for each in archive.namelist()}
            found |= opened(inside)
        elif name.endswith(".json"):
            found |= {f"{name}/{key}": text.encode() for key, text in _texts(json.loads(content))}
        elif "/pyodide/" not in name:
            found[name] = content
    return found


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, f"{key}{'/' * bool(key)}{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts(each, f"{key}/{number}")
    elif isinstance(value, str):
        yield key, value


def drawn_in(files: Mapping[str, bytes]) -> dict[Rows, str]:
    """Return the canonical forms of all mazes drawn in files, each with the first file that shows it."""
    found: dict[Rows, str] = {}
    for name, content in files.items():
        for _, rows in drawings(content.decode("utf-8", "replace")):
            for form in (rows, walls(rows)):
                found.setdefault(canonical(form), name)
    return found


def _find_in_file(name: str, content: bytes, secrets: Secrets) -> Iterator[tuple[int, str]]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        yield 1, "is not text in UTF-8, so it cannot be checked"
        return
    for line, rows in drawings(text):
        for form in (rows, walls(rows)):
            if (what := secrets.mazes.get(canonical(form))) is not None:
                yield line, what
    yield from _find_words(text, secrets)
    lines = [(number, _MARKS.sub("", line).strip()) for number, line in enumerate(text.split("\n"), 1)]
    yield from _find_statements([(number, line) for number, line in lines if line], secrets)
    if name.endswith(".py"):
        yield from _find_in_code(name, text, secrets)


def _find_words(text: str, secrets: Secrets) -> Iterator[tuple[int, str]]:
    """Yield secret texts, ignoring line breaks and comment marks between their words."""
    starts, joined = [], ""
    for line in text.split("\n"):
        starts.append(len(joined))
        joined += " ".join(_MARKS.sub("", line).split()) + " "
    for words, what in secrets.words.items():
        if words not in joined:
            continue
        for found in re.finditer(rf"(?<![\w.-]){re.escape(words)}(?![\w-])", joined):
            yield sum(start <= found.start() for start in starts), what


def _find_in_code(name: str, text: str, secrets: Secrets) -> Iterator[tuple[int, str]]:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        yield error.lineno or 1, "is not valid Python, so it cannot be checked"
        return
    for node in ast.walk(tree):
        for module in _imported_modules(node):
            if module in _NEVER_IMPORTED:
                yield getattr(node, "lineno", 1), f"imports {module}, which students do not get"
        if isinstance(node, ast.FunctionDef):
            yield from _find_statements([(node.lineno, line) for line in statements(node)], secrets)
    yield from _find_written_methods(name, tree)


def _imported_modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield (node.module or "").split(".")[0]


def _find_statements(lines: Sequence[tuple[int, str]], secrets: Secrets) -> Iterator[tuple[int, str]]:
    """Yield places with consecutive statements of the reference."""
    for start in range(len(lines) - CODE_LINES + 1):
        window = lines[start : start + CODE_LINES]
        if (what := secrets.code.get(tuple(line for _, line in window))) is not None:
            yield window[0][0], what


def _find_written_methods(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield methods of exercises that are more than a skeleton."""
    for exercise in BY_ID.values():
        if not name.endswith(f"/{exercise.file}"):
            continue
        names = exercise.methods or {exercise.name}
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef) or node.name not in names:
                continue
            if statements(node) != ("raise NotImplementedError",):
                yield node.lineno, f"{node.name} is implemented, although students are to write it"


_MINUTES: Final = 30
_HIDDEN: Final = (
    "A maze that students have cannot be hidden: change its drawing, make it public, or leave it out"
)
_SHOWN: Final = 20
"""The most leaks that are named."""


def refusal(kit: Kit, secrets: Secrets, page: Mapping[str, bytes] = MappingProxyType({})) -> str:
    """Return why a kit is not to be handed out, and what to do; "" if it may.

    ``page`` has the files of the lab in a browser tab, which run the kit's functions and no others. Raises
    GraderError where that could not be tried.
    """
    beside = {f"browser/{name}": content for name, content in page.items()}
    if leaks := find_leaks(opened({**kit.files, **beside}), secrets):
        more = [f"… and {len(leaks) - _SHOWN} more"] if len(leaks) > _SHOWN else []
        places = "".join(f"\n  {line}" for line in (*map(str, leaks[:_SHOWN]), *more))
        mazes = {leak.what for leak in leaks} & {*secrets.mazes.values()}
        advice = f"\n{_HIDDEN}" if mazes else ""
        return f"the kit would reveal secrets:{places}{advice}"
    answers = find_answers(kit.files)
    return f"the kit would ship answers: {'; '.join(answers)}" if answers else ""


def find_answers(files: Mapping[str, bytes]) -> list[str]:
    """Return a sentence for each function of a kit that earns points where it stands in for an exercise, or
    that judges a generator's maze whole and is not known to the grade.

    What was found stays known, until something changes that it may hang on. Raises GraderError where that
    could not be tried.
    """
    kept = kept_folder("answers") / f"{_digest_of_functions(files)}.json"
    try:
        told = json.loads(kept.read_bytes())
    except (OSError, ValueError):
        told = _try_functions(files)
        write_whole(kept, json.dumps(told).encode())
    return [
        *(f"{name} earns points in {BY_ID[exercise].title}" for name, exercise in told["earning"]),
        *(
            f"{name} tells perfect mazes by their passages, and is none of those whose copies the grade knows"
            for name in told["judging"]
            if name not in JUDGES_OF_MAZES
        ),
    ]


_NO_PART = re.compile(rb'(?m)^ +"title": .*$|^ +""".*"""$|^SAID = \{\n(?:    .*\n)*\}$')
"""What a course's words are in lab/course.py and in public tests; these decide nothing."""
_NUMBER = re.compile(rb'(?m)^( +"[\w-]+": )(?!0,)[\d.]+(?=,$)')
"""Points that are not zero."""


def _digest_of_functions(files: Mapping[str, bytes]) -> str:
    """Return a digest of what decides which functions of a kit earn points, however many: its Python files
    and cases, without titles and points, what tries them, and the version of Python."""
    seen = hashlib.sha256(sys.version.encode() + Path(pasting.__file__).read_bytes())
    for name, content in sorted(files.items()):
        if name.endswith((".py", ".json", ".txt")):
            is_of_course = name == "lab/course.py" or "/tests/test_" in name
            plain = _NUMBER.sub(rb"\1 1", _NO_PART.sub(b"", content)) if is_of_course else content
            seen.update(f"{name}\0{len(plain)}\0".encode() + plain)
    return seen.hexdigest()


def _try_functions(files: Mapping[str, bytes]) -> Any:
    """Put the functions of a kit into its exercises in a process of its own; return what that told."""
    with tempfile.TemporaryDirectory(prefix="grader-kit-") as folder:
        kit, scratch = Path(folder) / "kit", Path(folder) / "scratch"
        scratch.mkdir()
        for name, content in files.items():
            path = kit / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        environment = {**os.environ, "PYTHONPATH": str(kit), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-P", pasting.__file__, str(kit), str(scratch)]
        try:
            done = subprocess.run(  # noqa: S603 - our own code, and the course's
                command, cwd=scratch, env=environment, capture_output=True, text=True, check=True,
                timeout=60 * _MINUTES,
            )  # fmt: skip
        except subprocess.SubprocessError as error:
            told = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1]
            raise GraderError(f"the functions of the kit could not be tried: {told}") from None
    return json.loads(done.stdout.splitlines()[-1])
