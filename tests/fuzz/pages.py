"""A target for everything that shows results: pages, texts and exports, from a changed results.json."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from grader.errors import InputError
from grader.exports.gradescope import format_results
from grader.exports.junit import junit_report
from grader.feedback import render_html, render_markdown, render_maze, render_text
from grader.feedback.text import format_result
from grader.languages import languages
from grader.results import read
from tests.fuzz.samples import changed

SAMPLES: Final = Path(__file__).parents[1] / "grader" / "feedback" / "data"
_CAP: Final = 1024 * 1024


def renderers(data: bytes) -> None:
    """Everything that shows results shows this one, or reports that it was changed."""
    results = changed(data, _sample)
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "results.json")
        path.write_text(json.dumps(results), encoding="utf-8")
        with suppress(InputError):
            show(path)


def show(path: Path) -> None:
    """Render the result in every form. Raises InputError."""
    results = read(path)
    texts = [render_html(results), format_result(results)]
    for language in languages():
        texts.append(render_markdown(results, language=language))
        texts.append(render_text(results, language=language, source="results"))
    for text in texts:
        assert len(text.encode()) < _CAP
        assert "\x1b" not in text
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            with suppress(InputError):
                render_maze(results, check["id"])
    ET.fromstring(junit_report([results]))
    with suppress(InputError):
        json.loads(format_results(results), parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def _sample(name: str) -> Any:
    path = SAMPLES / f"{name}.json"
    known = path if path in SAMPLES.glob("*.json") else SAMPLES / "wrong.json"
    return json.loads(known.read_bytes())
