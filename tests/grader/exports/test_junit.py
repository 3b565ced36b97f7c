"""Results for programs that read JUnit."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import get_args

from grader.exports.junit import junit_report
from grader.model import Status
from tests.grader.exports.results_json import check, results


def test_junit_counts_what_it_says_of_each_and_is_xml_whatever_students_print() -> None:
    checks = [check(status, status) for status in get_args(Status)]
    for each in checks[1:]:
        each["message"] = "bad \x00 \x1b[31m \ud800 <&>"
    suite = ET.fromstring(junit_report([results(*checks)]))[0]
    told = {tag: len(suite.findall(f"testcase/{tag}")) for tag in ("failure", "error", "skipped")}
    assert (told["failure"], told["skipped"]) == (3, 2)
    assert {suite.get(key) for key in ("name", "tests")} == {"ada", str(len(checks))}
    assert [suite.get(key) for key in ("failures", "errors", "skipped")] == [*map(str, told.values())]
