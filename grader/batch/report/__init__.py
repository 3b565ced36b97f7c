"""The reports of a class for staff, and the templates of their pages, which load nothing from elsewhere."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from lab.render.page import sha256, theme


def render(template: str, **values: Any) -> str:
    """Render a page with the style and the script that all staff pages share."""
    style, script = theme() + _asset("staff.css"), _asset("staff.js")
    return standalone("grader.batch.report", f"pages/{template}", style, script, **values)


def standalone(package: str, template: str, style: str, script: str, **values: Any) -> str:
    """Render a page with every value escaped, whose policy allows only this style and this script."""
    folder, _, name = template.partition("/")
    hashes = {"style_hash": sha256(style), "script_hash": sha256(script)}
    found = _environment(package, folder).get_template(name)
    return found.render(style=style, script=script, **hashes, **values)


@cache
def _environment(package: str, folder: str) -> Environment:
    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath("pages", name).read_text(encoding="utf-8")
