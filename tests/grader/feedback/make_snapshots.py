"""Writes what is made of a hostile result: ``python tests/grader/feedback/make_snapshots.py``.

No command shows such a result, so no golden file holds it. Read the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path

from grader.feedback import render_markdown, render_text
from tests.grader.languages.whole import WHOLE

DATA = Path(__file__).parent / "data"

if __name__ == "__main__":
    path = DATA / "hostile.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    for language in WHOLE:
        for form, render in (("txt", render_text), ("md", render_markdown)):
            text = render(results, language=language)
            path.with_suffix(f".{language}.{form}").write_text(text, encoding="utf-8")
