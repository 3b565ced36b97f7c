"""The handout as an HTML page, to read or print where editors show Markdown as plain text.

On paper, folded answers stay folded.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files

from grader.feedback.handout import to_html
from lab.render.page import theme

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<main>
{text}</main>
</html>
"""


def handout_page(text: str, language: str) -> str:
    """Render the handout as a page, with pictures from the folder ``pictures`` beside it."""
    title = text.partition("\n")[0].removeprefix("# ")
    shown = str(to_html(text)).replace("<table>", '<div class="wide" tabindex="0"><table>')
    shown = shown.replace("</table>", "</table></div>")
    style = theme() + files(__package__).joinpath("handout.css").read_text(encoding="utf-8")
    return _PAGE.format(language=language, title=escape(title), style=style, text=shown)
