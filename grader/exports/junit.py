"""JUnit XML: a test suite per submission, a test case per check."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Final

from grader.disk import write_whole
from grader.exports.grades_csv import read_all_results
from grader.exports.registry import ExportRequest
from grader.model import CheckJson, ExerciseJson, ResultsJson

_TAGS: Final = {
    **dict.fromkeys(("failed", "missing", "not-asked"), "failure"),
    **dict.fromkeys(("skipped", "unmarked"), "skipped"),
}
"""What becomes of a check that did not pass; any other status is an error."""
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(request: ExportRequest) -> str:
    """Write the report on a submission or a class; return a message."""
    write_whole(request.out, junit_report(read_all_results(request.folder())))
    return f"{request.out}: written"


def junit_report(submissions: Iterable[ResultsJson]) -> bytes:
    """Return the report on these results as XML."""
    root = ET.Element("testsuites")
    for results in submissions:
        root.append(_suite(results))
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(results: ResultsJson) -> ET.Element:
    checks = [(exercise, check) for exercise in results["exercises"] for check in exercise["checks"]]
    tags = [_tag(_status(results, check)) for _, check in checks]
    suite = ET.Element(
        "testsuite",
        name=_text(results["submission"]),
        tests=str(len(checks)),
        failures=str(tags.count("failure")),
        errors=str(tags.count("error")),
        skipped=str(tags.count("skipped")),
        time=f"{results['timing'].get('total', 0.0):g}",
    )
    properties = ET.SubElement(suite, "properties")
    for key in ("score", "max_score"):
        ET.SubElement(properties, "property", name=key, value=f"{results[key]:g}")
    for exercise, check in checks:
        suite.append(_case(results, exercise, check))
    return suite


def _case(results: ResultsJson, exercise: ExerciseJson, check: CheckJson) -> ET.Element:
    where = f"{results['submission']}.{exercise['id']}"
    case = ET.Element("testcase", classname=_text(where), name=_text(check["title"]), time="0")
    status = _status(results, check)
    tag = _tag(status)
    if not tag:
        return case
    outcome = ET.SubElement(case, tag, type=status, message=_text(check["message"])[:300])
    if tag != "skipped":
        outcome.text = _text("\n\n".join(part for part in (check["message"], check["hint"]) if part))
    return case


def _tag(status: str) -> str:
    """Return the element that says how a check went; empty if it passed."""
    return "" if status == "passed" else _TAGS.get(status, "error")


def _status(results: ResultsJson, check: CheckJson) -> str:
    """Return the status of a check; a withdrawn check counts as passed."""
    withdrawn = results.get("withdrawn", {}).get("checks", {})
    return "passed" if check["id"] in withdrawn else check["status"]


def _text(text: str) -> str:
    """Replace characters that XML does not allow."""
    return _NOT_XML.sub("\ufffd", text)
