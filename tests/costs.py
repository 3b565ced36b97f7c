"""What tests cost: processor seconds by file, of children that have ended too, told at the end of a run."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Iterator

import pytest

_Reporting = Generator[None, pytest.TestReport, pytest.TestReport]
_NAME = "processor seconds"
_COLLECTION = "(start and collection, in all workers)"


def _seconds() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Costs:
    """A plugin that measures each test where it runs, and adds up where the run is told of."""

    def __init__(self, shown: int) -> None:
        self._shown = shown
        self._by_file: defaultdict[str, float] = defaultdict(float)
        self._began = 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note what was used before a test begins."""
        self._began = _seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> _Reporting:
        """Send along with the last report of a test what it has used."""
        report = yield
        if call.when == "teardown":
            report.user_properties.append((_NAME, _seconds() - self._began))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up, where the run is told of: in the controller, of all workers."""
        self._by_file[report.nodeid.partition("::")[0]] += sum(
            float(str(seconds)) for name, seconds in report.user_properties if name == _NAME
        )

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Have a worker send what it has used for all that is no test."""
        if (sent := getattr(session.config, "workeroutput", None)) is not None:
            sent[_NAME] = _seconds() - sum(self._by_file.values())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Add what a worker has used for all that is no test."""
        self._by_file[_COLLECTION] += getattr(node, "workeroutput", {}).get(_NAME, 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell the files that took most."""
        if self._shown:
            whole = sum(self._by_file.values())
            terminalreporter.section(f"what took most of {whole:.0f} processor seconds")
            for name, seconds in sorted(self._by_file.items(), key=lambda each: -each[1])[: self._shown]:
                terminalreporter.write_line(f"{seconds:7.1f} s  {name}")
