"""The ways that imports may go: from what students hold towards the command line, never back."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("lab", "reference", "grader")

FORBIDDEN = {
    "lab": ("reference", "grader"),
    "reference": ("grader",),
    "grader.inside": ("reference", "grader"),
    "grader.oracle": ("grader.checks", "grader.cases", "grader.grading", "grader.batch", "grader.commands"),
    "grader.cases": ("grader.checks", "grader.grading", "grader.batch", "grader.commands"),
    "grader.checks": (
        "grader.grading",
        "grader.session",
        "grader.sandbox",
        "grader.batch",
        "grader.commands",
    ),
    "grader.feedback": (
        "grader.grading",
        "grader.checks",
        "grader.oracle",
        "grader.session",
        "reference",
    ),
    "grader.exports": (
        "grader.grading",
        "grader.checks",
        "grader.oracle",
        "grader.session",
        "reference",
    ),
    "grader.sandbox": ("grader.grading", "grader.checks", "grader.oracle", "reference"),
    "grader.grading": ("grader.batch", "grader.commands"),
}
"""What a package must not import; the runner may import its own package only."""

SHARED = (
    ("grader.session.wire", "grader.inside.wire"),
    ("grader.session.wire", "grader.inside.time_budget"),
    ("grader.sandbox", "grader.inside.guard"),
    ("grader.sandbox", "grader.inside.landlock"),
    ("grader.sandbox", "grader.inside.seccomp"),
)
"""Who on the trusted side may import what of the box: the messages, and the locks that both sides use."""


def modules() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def imports(name: str, path: Path, *, top_level: bool = False) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("package", FORBIDDEN)
def test_no_import_goes_the_wrong_way(package: str) -> None:
    wrong = [
        f"{name} imports {imported}"
        for name, path in modules().items()
        if within(name, package)
        for imported in imports(name, path)
        if any(within(imported, forbidden) for forbidden in FORBIDDEN[package])
        and not (package == "grader.inside" and within(imported, "grader.inside"))
    ]
    assert wrong == []


def test_only_the_command_line_imports_its_commands() -> None:
    wrong = [
        f"{name} imports {imported}"
        for name, path in modules().items()
        if not within(name, "grader.commands") and name not in ("grader.cli", "grader.__main__")
        for imported in imports(name, path)
        if within(imported, "grader.commands") or within(imported, "grader.cli")
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["lab", "grader.inside"])
def test_what_enters_the_box_needs_the_standard_library_only(package: str) -> None:
    own = {*sys.stdlib_module_names, "lab", "wire", "inside", "grader"}
    wrong = [
        f"{name} imports {imported}"
        for name, path in modules().items()
        if within(name, package)
        for imported in imports(name, path, top_level=True)
        if imported.split(".")[0] not in own
    ]
    assert wrong == []


def test_nothing_on_the_trusted_side_imports_the_runner() -> None:
    wrong = [
        f"{name} imports {imported}"
        for name, path in modules().items()
        if not within(name, "grader.inside")
        for imported in imports(name, path)
        if within(imported, "grader.inside")
        and not any(within(name, user) and within(imported, module) for user, module in SHARED)
    ]
    assert wrong == []


def test_there_are_no_cycles() -> None:
    known = modules()
    graph = {
        name: {
            target
            for imported in imports(name, path, top_level=True)
            for target in [imported if imported in known else imported.rpartition(".")[0]]
            if target in known and target != name
        }
        for name, path in known.items()
    }
    assert cycle(graph) == []


def cycle(graph: dict[str, set[str]]) -> list[str]:
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return []
        path.append(name)
        for imported in sorted(graph[name]):
            if found := visit(imported):
                return found
        path.pop()
        done.add(name)
        return []

    return next((found for name in graph if (found := visit(name))), [])
