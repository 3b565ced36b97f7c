"""Tells what came with which Python, of what work may use and the Python that grades it may lack."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Final, NamedTuple

Version = tuple[int, int]

_NEW: Final[dict[Version, str]] = {
    (3, 12): "calendar.Day calendar.Month collections.abc.Buffer inspect.getasyncgenstate "
    "inspect.markcoroutinefunction itertools.batched math.sumprod random.binomialvariate sys.monitoring "
    "threading.setprofile_all_threads threading.settrace_all_threads types.get_original_bases "
    "typing.TypeAliasType typing.override",
    (3, 13): "base64.z85decode base64.z85encode builtins.PythonFinalizationError copy.replace dbm.sqlite3 "
    "enum.EnumDict glob.translate math.fma os.process_cpu_count pathlib.UnsupportedOperation queue.ShutDown "
    "re.PatternError statistics.kde statistics.kde_random types.CapsuleType typing.NoDefault "
    "typing.ReadOnly typing.TypeIs typing.get_protocol_members typing.is_protocol warnings.deprecated",
    (3, 14): "annotationlib ast.Interpolation ast.TemplateStr compression compression.zstd "
    "concurrent.futures.InterpreterPoolExecutor concurrent.interpreters functools.Placeholder "
    "heapq.heapify_max heapq.heappop_max heapq.heappush_max heapq.heappushpop_max heapq.heapreplace_max "
    "inspect.ispackage operator.is_none operator.is_not_none os.reload_environ pathlib.types "
    "string.templatelib typing.evaluate_forward_ref uuid.uuid6 uuid.uuid7 uuid.uuid8",
}
SINCE: Final = {name: version for version, names in _NEW.items() for name in names.split()}
"""Modules, and what is in modules, with the Python with which they came."""
_WORDS: Final = {
    "TypeAlias": "a type statement",
    "TypeVar": "a parameter in brackets",
    "ParamSpec": "a parameter in brackets",
    "TypeVarTuple": "a parameter in brackets",
    "TemplateStr": "a t-string",
}
_SYNTAX: Final[tuple[tuple[Version, str, str], ...]] = (
    ((3, 12), "a type statement", r"type \w+(\[.*\])? *="),
    ((3, 12), "a parameter in brackets", r"(class|(async )?def) \w+\["),
    ((3, 12), "a quote within an f-string", r".*\b[fF][rR]?(['\"]).*\{[^}]*\1[^}]*\}"),
    ((3, 14), "except without parentheses", r"except\*? +[\w.]+ *, *[A-Z][^()]*:"),
    ((3, 14), "a t-string", r".*\b[tT][rR]?['\"]"),
)
"""What an older Python cannot read: since when it can, what it is, and how the line looks."""


class Newer(NamedTuple):
    """One use of something, with the Python with which it came."""

    what: str
    since: Version
    line: int = 0

    @property
    def version(self) -> str:
        """The version as people write it."""
        return "{}.{}".format(*self.since)


def newer_name(*parts: str) -> Newer | None:
    """Return with which Python a module or a name in it came; None for what is not new."""
    name = ".".join(filter(None, parts))
    return Newer(name, SINCE[name]) if name in SINCE else None


def newer_syntax(line: str) -> Newer | None:
    """Return what in a line, which a Python could not read, a newer one can; None if there is nothing."""
    found = (Newer(what, since) for since, what, pattern in _SYNTAX if re.match(pattern, line.strip()))
    return next(found, None)


def newer_than(version: Version, text: str) -> Iterator[Newer]:
    """Yield what a text uses that came after this Python, in the order of the lines; the text compiles."""
    tree = ast.parse(text)
    found = [*_names(tree), *_nodes(tree), *_nested_quotes(text), *_excepts(tree, text)]
    found += [
        Newer(f"the annotation {each.name} above its definition", (3, 14), each.line)
        for each in early_names(tree)
    ]
    yield from sorted((each for each in found if each.since > version), key=lambda each: each.line)


def _names(tree: ast.Module) -> Iterator[Newer]:
    """Yield new modules and names: imported, taken from an imported module, or built in."""
    modules: dict[str, str] = {}
    for node in _unguarded(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute):
            module = modules.get(ast.unparse(node.value))
            names = [f"{module}.{node.attr}"] if module else []
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names = [f"builtins.{node.id}"]
        yield from (Newer(name, SINCE[name], node.lineno) for name in names if name in SINCE)  # type: ignore[attr-defined]


def _unguarded(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but those that another Python, or no Python at all, may run."""
    for node in ast.iter_child_nodes(tree):
        yield node
        handlers = node.handlers if isinstance(node, ast.Try) else []
        caught = " ".join(ast.unparse(each.type) if each.type else "Exception" for each in handlers)
        handles = re.search("ImportError|ModuleNotFoundError|AttributeError|NameError|Exception", caught)
        asks = isinstance(node, ast.If) and re.search("TYPE_CHECKING|version_info", ast.unparse(node.test))
        if not handles and not asks:
            yield from _unguarded(node)


def _nodes(tree: ast.Module) -> Iterator[Newer]:
    for node in ast.walk(tree):
        kind = type(node).__name__
        if kind in _WORDS:
            has_default = getattr(node, "default_value", None) is not None
            since = (3, 14) if kind == "TemplateStr" else (3, 13) if has_default else (3, 12)
            yield Newer(_WORDS[kind], since, node.lineno)  # type: ignore[attr-defined]


def _nested_quotes(text: str) -> Iterator[Newer]:
    """Yield f-strings that hold their own quote, a backslash or a line break within braces."""
    start = getattr(tokenize, "FSTRING_START", None)
    if start is None:
        return
    quotes: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        quote = token.string.lstrip("fFrRbBuU")
        is_nested = token.type in (start, tokenize.STRING) and bool(quotes)
        if is_nested and (quote.startswith(quotes[-1]) or "\\" in quote):
            yield Newer("a quote within an f-string", (3, 12), token.start[0])
        if token.type == start:
            quotes.append(quote)
        elif token.type == tokenize.FSTRING_END:  # type: ignore[attr-defined]
            quotes.pop()


def _excepts(tree: ast.Module, text: str) -> Iterator[Newer]:
    lines = text.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
            found = newer_syntax(lines[node.lineno - 1])
            if found is not None and found.since == (3, 14):
                yield found._replace(line=node.lineno)


# --- names that are not there yet ---------------------------------------------------------------


class Early(NamedTuple):
    """A name in an annotation that is not there yet when Python, before 3.14, evaluates it."""

    name: str
    line: int
    below: int
    """The line in which it is defined; 0 where only a type checker imports it."""


def early_names(tree: ast.Module) -> Iterator[Early]:
    """Yield the names that annotations of functions and classes use too early."""
    futures = (s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__")
    if any(alias.name == "annotations" for s in futures for alias in s.names):
        return
    checked, bound = _checked_names(tree), _bound_from(tree)
    for annotation in _annotations(tree.body):
        for node in ast.walk(annotation):
            if isinstance(node, ast.Name):
                begins, ends = bound.get(node.id, (0, 0))
                if ends >= node.lineno:
                    yield Early(node.id, node.lineno, begins)
                elif node.id in checked and not ends:
                    yield Early(node.id, node.lineno, 0)


def why_not_there(tree: ast.Module, name: str, line: int, *, at_import: bool) -> Early | None:
    """Return why a name of a file is not there in a line that runs; None if the file does not tell."""
    begins, ends = _bound_from(tree).get(name, (0, 0))
    if not ends and name in _checked_names(tree):
        return Early(name, line, 0)
    return Early(name, line, begins) if at_import and ends >= line else None


def _checked_names(tree: ast.Module) -> set[str]:
    """Return the names that are imported for type checkers only."""
    blocks = (s for s in tree.body if isinstance(s, ast.If) and "TYPE_CHECKING" in ast.unparse(s.test))
    inside = (node for block in blocks for s in block.body for node in ast.walk(s))
    imports = (node for node in inside if isinstance(node, ast.Import | ast.ImportFrom))
    return {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}


def _bound_from(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """Return the lines of the first statement that binds each name at the top of a module."""
    bound: dict[str, tuple[int, int]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            names = [each for other in statement.orelse for each in _stored(other)]
        else:
            names = _stored(statement)
        for name in names:
            bound.setdefault(name, (statement.lineno, statement.end_lineno or statement.lineno))
    return bound


def _stored(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
    inner = [s for s in ast.iter_child_nodes(statement) if isinstance(s, ast.stmt)]
    inner += [s for s in ast.walk(statement) if isinstance(s, ast.Import | ast.ImportFrom)]
    names = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and _is_stored(node)]
    return [*names, *(name for each in inner for name in _stored(each))]


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _annotations(body: list[ast.stmt]) -> Iterator[ast.expr]:
    """Yield the annotations that are evaluated while a module is loaded."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _annotations(node.body)
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = node.args
            given = [*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg]
            yield from (each.annotation for each in given if each and each.annotation)
            if node.returns is not None:
                yield node.returns
