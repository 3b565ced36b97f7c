"""What the pages share: the style of the feedback, and a policy under which nothing else runs."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from importlib.resources import files


def page_style() -> str:
    """The style of the pages, in light and dark, on paper and on phones."""
    return theme() + asset("page.css")


def theme() -> str:
    """The colours and the fonts of all pages, those for staff too: their one home is ``theme.css``."""
    return asset("theme.css")


@cache
def asset(name: str) -> str:
    """A style or script that lies beside this file."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def sha256(text: str) -> str:
    """The digest by which a Content-Security-Policy knows a style or a script."""
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def policy(style: str, script: str, *, asks: bool = False) -> str:
    """The Content-Security-Policy under which this style and this script run, and nothing else.

    A page that ``asks`` may ask the server that it came from.
    """
    connect = "connect-src 'self'; " if asks else ""
    return (
        f"default-src 'none'; script-src 'sha256-{sha256(script)}'; style-src 'sha256-{sha256(style)}'; "
        f"{connect}base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )


def data(value: object) -> str:
    """Write plain data so that it can stand in a script element of a page."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c")
