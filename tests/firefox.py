"""Firefox as distributions ship it, which Playwright cannot control: driven by Mozilla's Marionette."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults

with warnings.catch_warnings():  # of parts that it does not need here
    warnings.simplefilter("ignore", DeprecationWarning)
    from marionette_driver import Wait
    from marionette_driver.keys import Keys as Keys
    from marionette_driver.marionette import Marionette

PATIENCE_SECONDS = 300.0
"""How long a page may take on a busy machine."""
_RUN_AXE = "const [options, done] = arguments; axe.run(options).then(done, error => done(String(error)));"
_ERRORS = """
    const prefix = arguments[0];
    return Services.console.getMessageArray()
        .filter(each => each instanceof Ci.nsIScriptError && each.sourceName.startsWith(prefix))
        .map(each => each.errorMessage);
"""


class Firefox:
    """One headless window, in which pages are opened one after another."""

    def __init__(self, driver: Marionette) -> None:
        self._driver = driver
        self._address = ""

    def open(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._address = address
        with self._driver.using_context("chrome"):
            self._driver.execute_script("Services.console.reset();")
        self._driver.navigate(address)

    def open_narrow(self, path: Path, *, width: int) -> None:
        """Open a page in a frame of this width in pixels, since no window is as narrow as a phone."""
        frame = f'<iframe src="{path.name}" title="page" style="border: 0; width: {width}px; height: 800px">'
        around = path.with_name(f"around-{path.name}")
        around.write_text(f"<!doctype html><title>around</title>{frame}</iframe>", encoding="utf-8")
        self.open(around.as_uri())
        self._driver.switch_to_frame(0)

    def press(self, key: str) -> None:
        """Press a key of ``marionette_driver.keys.Keys`` on the focused element."""
        self._driver.get_active_element().send_keys(key)

    def click(self, selector: str) -> None:
        """Click on the first element that the selector matches."""
        self._driver.find_element("css selector", selector).click()

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        return self._driver.execute_script(f"return {expression};")

    def wait_for(self, expression: str, expected: object) -> None:
        """Wait until the expression has that value."""
        Wait(self._driver, timeout=PATIENCE_SECONDS).until(lambda _: self.evaluate(expression) == expected)

    def axe(self, **options: Any) -> AxeResults:
        """Return axe's findings about the page."""
        self._driver.execute_script(AXE_SCRIPT, new_sandbox=False)
        return AxeResults(self._driver.execute_async_script(_RUN_AXE, [options], new_sandbox=False))

    def trouble(self) -> list[str]:
        """Return the page's errors and warnings, including those of its security policy."""
        with self._driver.using_context("chrome"):
            found: list[str] = self._driver.execute_script(_ERRORS, [self._address])
        return found


@contextmanager
def started() -> Iterator[Firefox]:
    """Start Firefox, and end it afterwards."""
    program = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))))
    with warnings.catch_warnings():  # of sockets that it forgets while it waits for Firefox
        warnings.simplefilter("ignore", ResourceWarning)
        driver = Marionette(
            bin=program, port=0, headless=True, startup_timeout=PATIENCE_SECONDS, gecko_log="-"
        )
    try:
        driver.start_session()
        driver.timeout.script = driver.timeout.page_load = PATIENCE_SECONDS
        yield Firefox(driver)
    finally:
        driver.cleanup()
        driver.instance = None  # its profile is removed now, not when Python ends and cannot any more
