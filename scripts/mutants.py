"""Change one thing in the code at a time, and see whether a test notices.

    python scripts/mutants.py [PACKAGE ...] [--number 30] [--seed 65] [--tests FOLDER_OR_REVISION]

A package is a folder of ``grader``, or ``lab``. Its mutants are drawn by a fixed seed, at most one in a
function: one operator, bound, constant, ``all`` or ``any``, ``min`` or ``max``, ``and`` or ``or``, or return
is changed. Each is tried in a copy of the tree, against those of the package's tests that start no process
and reach the function (one run with probes tells which), up to the first that fails. ``--tests`` takes the
tests of another tree or revision: the same mutants can be tried before and after tests have changed.

Not mutated: what runs in boxes only, data, docstrings, annotations, decorators, texts, and what is logged.
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import importlib.util
import json
import os
import queue
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = ("inside", "sandbox")
"""Packages whose code runs in boxes: they are left to the hostile programs."""
AT_ONCE = 2
ALL_FILES = -1
"""The probe of what stands outside of functions, which any test may reach."""
COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
FOUND = {"in": "not in", "not in": "in", "is": "is not", "is not": "is"}
COUNTED = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "//", "&": "|", "|": "&"}
JOINED = {"and": "or", "or": "and"}
CALLED = {"all": "any", "any": "all", "min": "max", "max": "min"}
TEXTS = (ast.Constant, ast.JoinedStr)
SMALL = 9
"""Numbers above are doubled, since one more makes no difference to most limits."""
LOGGED = ("debug", "info", "warning", "error", "exception")


@dataclass(frozen=True)
class Mutant:
    """One change of a file: other bytes for those at ``start`` to ``end``; ``function`` is where it lies."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str
    function: int
    """The place of the first statement of its function, or ``ALL_FILES``."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old} -> {self.new or '(nothing)'}"

    def applied(self, source: bytes) -> bytes:
        """Return the file with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


class Finder:
    """Finds all mutants of one file."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []
        self.look(ast.parse(source), ALL_FILES)

    def place(self, node: Any, *, end: bool = False) -> int:
        """Return where in the file a node begins or ends."""
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return int(self.starts[line - 1] + column)

    def add(self, start: int, end: int, new: str, function: int) -> None:
        """Add a mutant that has other text between two places."""
        old = self.source[start:end].decode()
        line = self.source[:start].count(b"\n") + 1
        self.found.append(Mutant(self.path, line, start, end, " ".join(old.split()), new, function))

    def add_between(self, left: ast.expr, right: ast.expr, changes: dict[str, str], function: int) -> None:
        """Change the operator that stands between two operands."""
        begin, end = self.place(left, end=True), self.place(right)
        gap = re.sub(rb"#.*", lambda comment: b" " * len(comment[0]), self.source[begin:end])
        operator = re.search(rb"not\s+in|is\s+not|[a-z]+|[^\s()\\]+", gap)
        if operator and (new := changes.get(" ".join(operator[0].decode().split()))):
            self.add(begin + operator.start(), begin + operator.end(), new, function)

    def look(self, node: ast.AST, function: int) -> None:
        """Add the mutants of a node and of all below it that may be changed."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = self.place(_first_statement(node))
            children: Sequence[ast.AST] = [
                *filter(None, node.args.defaults + node.args.kw_defaults),
                *node.body,
            ]
        elif isinstance(node, ast.AnnAssign):
            children = [node.value] if node.value else []
        elif isinstance(node, ast.ClassDef):
            children = node.body
        else:
            children = [*ast.iter_child_nodes(node)]
        if _is_kept(node) or (
            function == ALL_FILES and isinstance(node, ast.Assign) and not _is_number(node.value)
        ):
            return
        self.change(node, function)
        is_outside = function == ALL_FILES and isinstance(node, ast.AnnAssign)
        for child in children:
            if not is_outside or _is_number(child):
                self.look(child, function)

    def change(self, node: ast.AST, function: int) -> None:
        """Add the mutants of one node."""
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in CALLED:
                self.add(self.place(node.func), self.place(node.func, end=True), CALLED[name], function)
            case ast.Constant(value=bool() | int() as value):
                new = not value if isinstance(value, bool) else 2 * value if value > SMALL else value + 1
                self.add(self.place(node), self.place(node, end=True), str(new), function)
            case ast.Return(value=ast.expr() as returned) if not isinstance(returned, TEXTS):
                self.add(self.place(returned), self.place(returned, end=True), "None", function)
            case _:
                self.change_operators(node, function)

    def change_operators(self, node: ast.AST, function: int) -> None:
        """Add the mutants of one node that has operators."""
        match node:
            case ast.Compare():
                for left, right in pairwise([node.left, *node.comparators]):
                    self.add_between(left, right, COMPARED | FOUND, function)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    self.add_between(left, right, JOINED, function)
            case ast.BinOp():
                self.add_between(node.left, node.right, COUNTED, function)
            case ast.AugAssign(op=ast.Add() | ast.Sub()):
                self.add_between(node.target, node.value, {"+=": "-=", "-=": "+="}, function)
            case ast.UnaryOp(op=ast.Not()):
                self.add(self.place(node), self.place(node) + len("not"), "", function)


def _first_statement(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """Return the first statement of a function, after its docstring."""
    is_documented = ast.get_docstring(function, clean=False) is not None
    return function.body[1 if is_documented and len(function.body) > 1 else 0]


def _is_kept(node: ast.AST) -> bool:
    """Tell whether a node, with all below it, is not for mutants."""
    match node:
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in LOGGED
        case ast.keyword(arg=name):
            return name == "strict"
    return False


def _is_number(node: ast.AST) -> bool:
    """Tell whether a value is a number, or is calculated from numbers: a bound, not a table."""
    kept = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    return all(isinstance(each, kept) for each in ast.walk(node))


def mutants(package: str, number: int, seed: int) -> list[Mutant]:
    """Draw mutants of a package, at most one in a function, and return them in the order of its files."""
    folder = ROOT / ("lab" if package == "lab" else f"grader/{package}")
    paths = sorted(path for path in _listed(ROOT) if path.suffix == ".py" and path.is_relative_to(folder))
    shipped = [path for path in paths if not {"submissions", "right", "wrong"} & {*path.parts}]
    found = [
        mutant for path in shipped for mutant in Finder(str(path.relative_to(ROOT)), path.read_bytes()).found
    ]
    Random(f"{seed} {package}").shuffle(found)
    places = {
        (mutant.path, mutant.line if mutant.function < 0 else mutant.function): mutant for mutant in found
    }
    return sorted([*places.values()][:number], key=lambda mutant: (mutant.path, mutant.start))


def _listed(tree: Path) -> list[Path]:
    """Return the files of a checkout, those that are not committed yet among them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=tree, check=True, capture_output=True).stdout.decode().split("\0")
    return [tree / name for name in filter(None, names) if (tree / name).is_file()]


def _copy(tree: Path, target: Path, part: str = "") -> None:
    for path in _listed(tree):
        if path.is_relative_to(tree / part):
            (target / path.relative_to(tree)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target / path.relative_to(tree), follow_symlinks=False)


def _copy_with_tests(target: Path, tests: str | None) -> Path:
    """Make a copy of this tree, with its own tests or those of another folder or revision."""
    _copy(ROOT, target)
    if tests is not None:
        shutil.rmtree(target / "tests")
    if tests is not None and Path(tests).is_dir():
        _copy(Path(tests).resolve(), target, "tests")
    elif tests is not None:
        archive = subprocess.run(
            ["git", "archive", tests, "tests"], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "-x"], cwd=target, input=archive.stdout, check=True)
    return target


def _write(path: Path, content: bytes) -> None:
    """Write a source, and see that no older bytecode is taken for its."""
    path.write_bytes(content)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def _tests_of(package: str, tree: Path) -> list[str]:
    """Return the folder of a package's tests, or else the files that import it."""
    folder = "tests/lab" if package == "lab" else f"tests/grader/{package}"
    if (tree / folder).is_dir():
        return [folder]
    imported = re.compile(rf"^(from|import) grader\.{package}\b", flags=re.MULTILINE)
    paths = sorted((tree / "tests/grader").rglob("test_*.py"))
    return [
        str(path.relative_to(tree)) for path in paths if imported.search(path.read_text(encoding="utf-8"))
    ]


def _pytest(tree: Path, *arguments: str, seconds: int = 3600) -> int:
    """Run tests that start no process, which may use the processor so long; return the status."""
    options = ["--quick", "-q", "-n", "0", "-p", "no:cacheprovider", "-o", "timeout=300", *arguments]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    silent = subprocess.DEVNULL
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *options], cwd=tree, env=kept, stdout=silent, stderr=silent
    ) as process:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
        return process.wait()


REACHED: dict[int, set[str]] = {}
SECONDS: defaultdict[str, float] = defaultdict(float)
FAILED: list[str] = []
_now = [""]
"""What a run with probes notes: this module is a plugin of it."""


def reach(number: int) -> None:
    """Note that the function of a mutant is called by the tests of the present file."""
    REACHED.setdefault(number, set()).add(_now[0])


def _begin(path: str) -> None:
    """Note whose tests run now, and forget what those before have computed."""
    if _now[0] != path:
        _now[0] = path
        for each in gc.get_objects():
            if isinstance(each, functools._lru_cache_wrapper) and each.__module__.startswith(
                ("grader", "lab")
            ):
                each.cache_clear()


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Take what a module does when it is imported for its tests'."""
    if isinstance(collector, pytest.Module):
        _now[0] = collector.nodeid


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin with a test."""
    _begin(item.nodeid.partition("::")[0])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how a test ended."""
    SECONDS[report.nodeid.partition("::")[0]] += report.duration
    if report.failed:
        FAILED.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down what was noted."""
    reached = {number: sorted(files) for number, files in REACHED.items()}
    noted = {"reached": reached, "seconds": SECONDS, "failed": sorted({*FAILED})}
    (session.config.rootpath / "reached.json").write_text(json.dumps(noted), encoding="utf-8")


def _probed(tree: Path, drawn: Sequence[Mutant], tests: Sequence[str]) -> Any:
    """Run a package's tests once with a probe in the function of each mutant, and return what was noted."""
    before = {path: (tree / path).read_bytes() for path in {mutant.path for mutant in drawn}}
    for path, source in before.items():
        probes = [
            (each.function, n) for n, each in enumerate(drawn) if each.path == path and each.function >= 0
        ]
        for place, number in sorted(probes, reverse=True):
            indent = source[source.rfind(b"\n", 0, place) + 1 : place]
            probe = f"__import__('scripts.mutants').mutants.reach({number})"
            between = b"\n" + indent if not indent.strip() else b"; "
            source = source[:place] + probe.encode() + between + source[place:]
        _write(tree / path, source)
    status = _pytest(tree, "-p", "scripts.mutants", *tests)
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"expected tests that run, without a mutant; pytest ended with {status}: {tests}")
    for path, source in before.items():
        _write(tree / path, source)
    return json.loads((tree / "reached.json").read_bytes())


def _survives(tree: Path, mutant: Mutant, files: Sequence[str], noted: Any) -> bool:
    """Try a mutant against test files, the quick ones first; tell whether all pass."""
    if not files:
        return True
    before = (tree / mutant.path).read_bytes()
    try:
        _write(tree / mutant.path, mutant.applied(before))
        known = [argument for test in noted["failed"] for argument in ("--deselect", test)]
        seconds = 60 + 5 * int(sum(noted["seconds"].get(file, 0) for file in files))
        quick_first = sorted(files, key=lambda file: noted["seconds"].get(file, 0))
        return _pytest(tree, "-x", *known, *quick_first, seconds=seconds) in (
            0,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        )
    finally:
        _write(tree / mutant.path, before)


def survivors(package: str, drawn: Sequence[Mutant], trees: Sequence[Path]) -> Iterator[Mutant]:
    """Yield the mutants that no test of their package notices."""
    tests = _tests_of(package, trees[0])
    noted = _probed(trees[0], drawn, tests)
    for test in noted["failed"]:
        print(f"  fails without a mutant, and is left out: {test}", file=sys.stderr, flush=True)
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def tried(number: int) -> bool:
        mutant = drawn[number]
        tree = free.get()
        try:
            reached = (
                noted["reached"].get(str(number), []) if mutant.function >= 0 else sorted(noted["seconds"])
            )
            return _survives(tree, mutant, reached, noted)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        for mutant, survives in zip(drawn, pool.map(tried, range(len(drawn))), strict=True):
            if survives:
                yield mutant


def packages() -> list[str]:
    """Return the names of all packages that are mutated."""
    names = {path.parent.name for path in ROOT.glob("grader/*/*.py")}
    return [*sorted(names.difference(LEFT_OUT)), "lab"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants of packages, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(packages()))
    parser.add_argument("--number", type=int, default=30, help="how many in each")
    parser.add_argument("--seed", type=int, default=65)
    parser.add_argument("--tests", metavar="FOLDER_OR_REVISION", help="another tree, whose tests are taken")
    options = parser.parse_args(arguments)
    if unknown := {*options.packages} - {*packages()}:
        parser.error(f"expected packages among {', '.join(packages())}; got {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [_copy_with_tests(Path(folder, str(number)), options.tests) for number in range(AT_ONCE)]
        print("| package | mutants | killed | survivors |\n| --- | --- | --- | --- |", flush=True)
        for package in options.packages or packages():
            drawn = mutants(package, options.number, options.seed)
            left = [*survivors(package, drawn, trees)]
            told = "<br>".join(f"`{mutant}`" for mutant in left)
            print(f"| {package} | {len(drawn)} | {len(drawn) - len(left)} | {told} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
