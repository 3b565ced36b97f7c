"""Extracts from a notebook the code that defines something, without the trials around it.

IPython magics are removed, also where nbconvert and Colab have written them into Python files.

The statements that its classes need are those that define or change what they use. One that only changes
something is left out if it is a trial, or uses what came of one: it may ask for input, read a missing file,
or run code that is wrong.
"""

from __future__ import annotations

import ast
import json
import re
import symtable
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import lab
from grader.intake.names import Source, bound_names, parse_source, scope_statements
from grader.reader import check_reading
from lab.exercises import BY_NAME, EXERCISES, LAB_FILES

_EVERY_CLASS: Final = "*"
"""This name stands for what every class needs: settings of Python, changes of the lab's classes, ``import
*``."""
_SETTINGS: Final = ("setrecursionlimit", "stack_size")
_TRIAL_CALLS: Final = ("input", "open", "from_file", "read_text", "sleep", "exit", "quit", *BY_NAME)
"""Calls of these need a person or a file, take time, or run what an exercise asks for."""
_AVAILABLE_MODULES: Final = {
    *("lab", *sys.stdlib_module_names, *(each.stem for each in EXERCISES)),
    *(each.module.partition(".")[0] for each in EXERCISES),
}
"""Modules of these names can be imported where submissions are graded."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_CODE: Final = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_IMPORTS: Final = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of one statement; ``f()`` stands for all that the function ``f`` changes."""

    binds: set[str]
    changes: set[str]
    """The names of what it may change when it runs."""
    uses: set[str]
    """The module's names that it uses, or functions in it, and does not bind itself."""
    by_call: set[str]
    """The names of what a function may change when it is called."""


def needed_statements(tree: ast.Module) -> set[int]:
    """Return the indices of the statements that the classes of the exercises need."""
    imported = {name for each in tree.body if isinstance(each, _IMPORTS) for name in bound_names(each)}
    facts = [_examine(statement, imported) for statement in tree.body]
    # drop the changes of statements that are trials or use the results of trials
    tried = set[str]()
    for statement, each in zip(tree.body, facts, strict=True):
        is_class = isinstance(statement, ast.ClassDef)
        if is_class or not (_is_trial(statement) or tried & each.uses):
            tried -= each.binds
            continue
        tried |= each.binds
        each.changes.intersection_update(map(_root_name, getattr(statement, "targets", ())))
    kept, needed = set[int](), {_EVERY_CLASS, *BY_NAME}
    while True:
        needed |= {f"{name}()" for each in facts if each.by_call & needed for name in each.binds}
        fresh = {number for number, each in enumerate(facts) if (each.binds | each.changes) & needed} - kept
        if not fresh:
            return kept
        kept |= fresh
        needed.update(name for number in fresh for name in facts[number].uses)


def _examine(statement: ast.stmt, imported: Collection[str]) -> _Facts:
    inner = [statement] if isinstance(statement, _CODE) else [statement, *scope_statements(statement)]
    binds = {name for each in inner for name in bound_names(each)}
    uses, by_call = _names_used(statement), set[str]()
    changes = set(_changes(statement, imported))
    if isinstance(statement, _FUNCTIONS):
        inside = {name for each in statement.body for name in _changes(each, imported)}
        shared = (each.names for each in ast.walk(statement) if isinstance(each, ast.Global))
        by_call = {name for name in inside if name in uses or name.endswith("()")}.union(*shared)
    if isinstance(statement, ast.For) and changes & set(bound_names(statement)):
        changes.update(node.id for node in ast.walk(statement.iter) if isinstance(node, ast.Name))
    return _Facts(binds, changes, uses - binds, by_call)


def _names_used(statement: ast.stmt) -> set[str]:
    """Return the module's names that a statement uses, at once or when its functions are called."""
    try:
        waiting, used = [symtable.symtable(ast.unparse(statement), "cell", "exec")], set[str]()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    while waiting:
        table = waiting.pop()
        is_top = table.get_type() == "module"
        used |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (is_top or s.is_global())}
        waiting += table.get_children()
    return used


# --- what it changes ----------------------------------------------------------------------------


def _nodes_that_run(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run when it does: of a definition, only its decorators."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        decorators = getattr(node, "decorator_list", [])
        waiting += decorators if isinstance(node, _CODE) else ast.iter_child_nodes(node)


def _changes(statement: ast.stmt, imported: Collection[str]) -> Iterator[str]:
    """Yield the names of what a statement stores into, what its decorators use, and what its calls may
    change."""
    for node in _nodes_that_run(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            name = _root_name(node)
            yield from (name, _EVERY_CLASS) if name in {"lab", *lab.__all__} else (name,)
        elif isinstance(node, ast.Call):
            yield from _changed_by_call(node, imported)
        for decorator in getattr(node, "decorator_list", []):
            yield from (each.id for each in ast.walk(decorator) if isinstance(each, ast.Name))


def _changed_by_call(call: ast.Call, imported: Collection[str]) -> Iterator[str]:
    name, is_method = _root_name(call.func), isinstance(call.func, ast.Attribute)
    if _callee_name(call) in _SETTINGS or (name == "sys" and is_method):
        yield _EVERY_CLASS
    elif name in imported or name in ("setattr", "delattr"):
        yield from filter(None, map(_root_name, call.args[:1]))
    elif name:
        yield name if is_method else f"{name}()"


def _root_name(node: ast.AST) -> str:
    """Return the first name of ``name.part[0].part``; "" if there is none."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _callee_name(call: ast.Call) -> str:
    """Return the last part of the name of the function that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else _root_name(call.func)


def _is_trial(statement: ast.stmt) -> bool:
    """Tell whether a statement uses something that is not available when grading."""
    nodes = ast.walk(statement) if isinstance(statement, _FUNCTIONS) else _nodes_that_run(statement)
    return any(
        _callee_name(node) in _TRIAL_CALLS
        if isinstance(node, ast.Call)
        else not {name.partition(".")[0] for name in _modules(node)} <= _AVAILABLE_MODULES
        for node in nodes
    )


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


SUFFIX: Final = ".ipynb"
MOST_BYTES: Final = 8 * 1024 * 1024
"""At most 8 MiB of a notebook are read, since notebooks hold pictures."""
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
"""This matches a JSON string, terminated or not, in one pass without backtracking."""


@dataclass(frozen=True, slots=True)
class Notebook:
    """The code that is extracted from a notebook."""

    code: bytes
    """What its cells define for the six classes, as one file."""
    written: tuple[tuple[str, bytes], ...]
    """The files that cells with ``%%writefile`` would write, by name."""
    broken: bytes
    """The cells that evidently define one of the six classes but cannot be parsed."""


_RENAMED: Final = (".json", ".txt", ".py")
"""Notebooks arrive with these endings, too."""
_LONG_TEXT: Final = 64 * 1024
"""A text of 64 KiB or more is a picture or what a cell printed: no code is that long."""


def is_notebook_name(path: str) -> bool:
    """Tell whether a name is that of a notebook, also with an ending that a browser has appended."""
    return path.lower().removesuffix(".txt").removesuffix(".json").endswith(SUFFIX)


def may_hold_notebook(path: str) -> bool:
    """Tell whether a file of this name may be a notebook."""
    return is_notebook_name(path) or path.lower().endswith(_RENAMED)


def looks_like_notebook(content: bytes) -> bool:
    """Tell whether content begins as a notebook does, and not as Python."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") and (
        b'"cells"' in content or b'"nbformat"' in content or b'"worksheets"' in content
    )


def without_outputs(content: bytes) -> bytes:
    """Return a large notebook without long texts, which are pictures and what cells printed."""
    return _STRING.sub(lambda text: b'""' if len(text[0]) >= _LONG_TEXT else text[0], content)


def read_notebook(content: bytes) -> Notebook | None:
    """Extract the code from a notebook; None if the content is no notebook.

    Raises RuntimeError outside of a reader.
    """
    check_reading()
    cells = _cells(content)
    return None if cells is None else notebook_from_cells(cells)


def notebook_from_cells(cells: Iterable[str]) -> Notebook:
    """Extract the code from the cells of a notebook."""
    written: dict[str, str] = {}
    codes: list[str] = []
    broken: list[str] = []
    for cell in cells:
        magic, argument, body = _cell_magic(cell)
        if not _store_written_file(written, magic, argument, body) and (not magic or magic in _TRANSPARENT):
            text = _without_magics(body)
            (codes if parse_source(text) is not None else broken).append(text)
    slips = [text for text in broken if Source("", _encoded(text)).classes]
    files = tuple((path, _encoded(text)) for path, text in written.items())
    text = "\n\n".join(codes)
    tree = parse_source(text)  # without what was only tried out, maybe on files that are not there
    code = "" if tree is None else standalone_module(text, keep=needed_statements(tree))
    return Notebook(_encoded(code), files, _encoded("\n\n".join(slips)))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _cells(content: bytes) -> list[str] | None:
    """Return the sources of the code cells, in order, from either form that notebooks have had."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(data, dict):
        return None
    sheets = [data, *(data["worksheets"] if isinstance(data.get("worksheets"), list) else [])]
    found = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and "cells" in sheet]
    cells = [cell for each in found if isinstance(each, list) for cell in each if isinstance(cell, dict)]
    return [_source(cell) for cell in cells if cell.get("cell_type") == "code"] if found else None


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def standalone_module(text: str, *, keep: Collection[int] | None = None) -> str:
    """Return the text as one module that does not import from itself, with unchanged line numbers.

    If ``keep`` is given, only the statements with these indices are kept. A needed ``from __future__`` import
    that stands too late is moved to the top.
    """
    tree = parse_source(text)
    if tree is None:
        return text
    own = {name for s in scope_statements(tree) if isinstance(s, _DEFINITIONS) for name in bound_names(s)}
    stays, goes, futures, is_opening = set[int](), set[int](), list[bool](), True
    for number, statement in enumerate(tree.body):
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(each.lineno for each in decorators)])
        last = statement.end_lineno or statement.lineno
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        is_opening &= is_future or (number == 0 and isinstance(statement, ast.Expr))
        futures += [is_opening] if is_future else []
        left_out = keep is not None and number not in keep and not (is_future and is_opening)
        gone = (is_future and not is_opening) or _imports_itself(statement, own) or left_out
        (goes if gone else stays).update(range(first, last + 1))
    lines = ["" if n in goes - stays else line for n, line in enumerate(_lines(text), 1)]
    is_late = bool(futures) and not any(futures)
    return "\n".join(["from __future__ import annotations"] * is_late + lines)


def _lines(text: str) -> list[str]:
    """Split a text into lines as Python counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _imports_itself(statement: ast.stmt, own: Collection[str]) -> bool:
    """Tell whether a statement imports from a file of the lab what this text defines itself."""
    return (
        isinstance(statement, ast.ImportFrom)
        and any((statement.module or "") in (each.module, each.stem) for each in EXERCISES)
        and all(alias.name in own for alias in statement.names)
    )


# --- magics ---------------------------------------------------------------------------------------

_TRANSPARENT: Final = ("time", "timeit", "capture", "prun")
"""Below these cell magics stands Python code."""
_WRITES: Final = ("writefile", "file")
_MAGIC: Final = re.compile(
    r"^([ \t]*)(?:[%!?](?:.*\\\r?\n)*.*|[\w.]+\?\??\s*|\w+\s*=\s*[%!](?:.*\\\r?\n)*.*)$", re.MULTILINE
)
_MARKS: Final = re.compile(
    r"^# In ?\[|^[ \t]*(?:\w+ = )?get_ipython\(\)|^Automatically generated by Colab", re.MULTILINE
)
_MAGIC_LINE: Final = re.compile(r"^[ \t]*[%!]", re.MULTILINE)
_APPENDS: Final = re.compile(r"(?:^|\s)(?:-a|--append)(?=\s|$)")
_ELSEWHERE: Final = re.compile(r"^[/~]|^[A-Za-z]:|\.\.|[${]")
_FOLDERS: Final = {file.partition("/")[0] for file in LAB_FILES if "/" in file}
_ROUNDS: Final = 20
"""At most 20 magics of a cell are found one by one; all lines that look like magics are replaced if there
are more."""


def _cell_magic(cell: str) -> tuple[str, str, str]:
    """Return the magic of a whole cell, its argument, and the text below it; "" for a cell without one."""
    cell = cell.lstrip("\n")
    indent = cell[: len(cell) - len(cell.lstrip(" \t"))]  # goes from all lines, as in Jupyter
    text = "\n".join(line.removeprefix(indent) for line in cell.split("\n"))
    if not text.startswith("%%"):
        return "", "", text
    first, _, body = text.partition("\n")
    name, _, argument = first[2:].strip().partition(" ")
    return name, argument.strip(), body


def _store_written_file(written: dict[str, str], magic: str, argument: str, body: str) -> bool:
    """Store the file that the magic of a cell would write; tell whether it would write one."""
    if magic not in _WRITES or not argument:
        return False
    path = _lab_path(_APPENDS.sub("", argument).strip("'\" "))
    before = written.get(path, "") if _APPENDS.search(argument) else ""
    written[path] = before + body + ("" if body.endswith("\n") else "\n")
    return True


def _lab_path(path: str) -> str:
    """Return a file's path in the lab, which a notebook may have put below a folder of its machine."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if not _ELSEWHERE.search(path):
        return "/".join(parts)
    start = next((n for n in range(len(parts) - 1, -1, -1) if parts[n] in _FOLDERS), len(parts) - 1)
    return "/".join(parts[start:])


def _without_magics(cell: str) -> str:
    """Replace the lines of a cell that only IPython understands; all others keep their line numbers."""
    text = cell
    for _ in range(_ROUNDS):
        line = _syntax_error_line(text)
        if line is None:
            return text
        start = sum(map(len, text.splitlines(keepends=True)[: line - 1]))
        found = _MAGIC.match(text, start)
        if found is None:
            break
        text = text[:start] + _as_pass(found) + text[found.end() :]
    return cell if parse_source(cell) is not None else _MAGIC.sub(_as_pass, cell)


def _as_pass(found: re.Match[str]) -> str:
    return f"{found[1]}pass" + "\n" * found[0].count("\n")


def _syntax_error_line(text: str) -> int | None:
    """Return the line of the first syntax error; None if the text is valid Python."""
    if parse_source(text) is not None:
        return None
    try:
        ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 0
    except (ValueError, RecursionError, MemoryError):
        return 0
    return None


# --- as nbconvert and Colab write them -----------------------------------------------------------

_CALL: Final = re.compile(r"^([ \t]*)(?:\w+ = )?get_ipython\(\)\..*$", re.MULTILINE)
_CELL_CALL: Final = re.compile(r"^get_ipython\(\)\.run_cell_magic\((.*)\)$", re.MULTILINE)


def is_exported(text: str) -> bool:
    """Tell whether a Python file seems to have been exported from a notebook."""
    is_marked = bool(_MARKS.search(text))
    if not is_marked and not (_MAGIC_LINE.search(text) and parse_source(text) is None):
        return False
    return parse_source(_without_magics(text)) is not None


def exported_cells(text: str) -> Iterator[str]:
    """Yield the cells of a Python file that was exported from a notebook."""
    for number, part in enumerate(_CELL_CALL.split(text)):
        if number % 2:
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                name, line, cell = ast.literal_eval(f"({part})")
                yield f"%%{name} {line}\n{cell}"
        else:
            yield without_ipython(part)


def without_ipython(text: str) -> str:
    """Return a file that was exported from a notebook as plain Python, with unchanged line numbers."""
    return _without_magics(_CALL.sub(r"\1pass", text))


# --- of marimo, which are Python files around an app ---------------------------------------------

_APP: Final = re.compile(r"^(\w+) = marimo\.App\(", re.MULTILINE)


def without_marimo(text: str) -> str | None:
    """Return the code of all cells, with unchanged line numbers; None if this is no notebook of marimo.

    The bodies of cells, and of the setup, become blocks of the module, as their names are the module's.
    """
    app = _APP.search(text)
    tree = parse_source(text) if app else None
    if app is None or tree is None:
        return None
    lines = _lines(text)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _open_cell(lines, statement, app[1])
        elif isinstance(statement, ast.With) and _is_of(app[1], statement.items[0].context_expr):
            _replace(lines, statement.lineno, statement.body[0].lineno - 1, "if True:")
        elif "marimo" in ast.unparse(statement) and isinstance(statement, ast.Assign):
            _blank(lines, statement)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and [alias.name for alias in node.names] == ["marimo"]:
            _blank(lines, node)
    return "\n".join(lines)


def _open_cell(
    lines: list[str], statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, app: str
) -> None:
    """Remove the app's decorators from a definition, and open it where it is a cell."""
    own = [each for each in statement.decorator_list if _is_of(app, each)]
    for decorator in own:
        _replace(lines, decorator.lineno, decorator.end_lineno or decorator.lineno, "")
    is_cell = any(re.match(rf"{app}\.cell\b", ast.unparse(each)) for each in own)
    if is_cell and not isinstance(statement, ast.ClassDef):
        _replace(lines, statement.lineno, statement.body[0].lineno - 1, "if True:")
        for inner in statement.body:
            if isinstance(inner, ast.Return):
                _blank(lines, inner)


def _is_of(app: str, node: ast.expr) -> bool:
    return ast.unparse(node).startswith(f"{app}.")


def _blank(lines: list[str], statement: ast.stmt) -> None:
    """Put ``pass`` in the place of a statement."""
    indent = " " * statement.col_offset
    _replace(lines, statement.lineno, statement.end_lineno or statement.lineno, f"{indent}pass")


def _replace(lines: list[str], first: int, last: int, text: str) -> None:
    lines[first - 1 : last] = [text, *[""] * (last - first)]
