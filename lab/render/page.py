"""What all pages share: the style of the feedback, and a content security policy."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from importlib.resources import files


def page_style() -> str:
    """Return the style of the pages, in light and dark, on paper and on phones."""
    return theme() + asset("page.css")


def theme() -> str:
    """Return the colours and fonts of all pages, including those for staff, from ``theme.css``."""
    return asset("theme.css")


@cache
def asset(name: str) -> str:
    """Return the text of a style or script beside this file."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def sha256(text: str) -> str:
    """Return the digest by which a Content-Security-Policy allows a style or a script."""
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def policy(style: str, script: str, *, asks: bool = False) -> str:
    """Return the Content-Security-Policy that allows this style and this script, and nothing else.

    With ``asks``, a page may send requests to its own server.
    """
    connect = "connect-src 'self'; " if asks else ""
    return (
        f"default-src 'none'; script-src 'sha256-{sha256(script)}'; style-src 'sha256-{sha256(style)}'; "
        f"{connect}base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )


def data(value: object) -> str:
    """Return plain data in a form that is safe inside a page's script element."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c")
