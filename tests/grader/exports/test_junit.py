"""Results for programs that read JUnit."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from grader.exports.junit import junit_report
from tests.grader.exports.results_json import check, results


def test_junit_counts_and_is_xml_whatever_students_print() -> None:
    checks = [check(s, s) for s in ("passed", "failed", "crashed", "timeout", "missing", "skipped")]
    checks[1]["message"] = "bad \x00 \x1b[31m \ud800 <&>"
    suite = ET.fromstring(junit_report([results(*checks)]))[0]
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "ada",
        "tests": "6",
        "failures": "2",
        "errors": "2",
        "skipped": "1",
    }
