"""What an exception of a student's code means, and what might be meant instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.commands.reasons import place, reason


def test_nobody_answers() -> None:
    assert reason(EOFError("EOF when reading a line")).startswith("asks for input()")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("while True\n    pass\n", '  File "bfs.py", line 1\n    while True\n              ^'),
        ("x = 1\n\tif x:\n", '  File "bfs.py", line 2\n    if x:\n'),
    ],
)
def test_what_cannot_be_read_is_shown_with_a_caret(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(text, str(tmp_path / "bfs.py"), "exec")
    assert place(caught.value, tmp_path).startswith(said)
    assert place(caught.value, tmp_path).splitlines()[-1].strip("^ ") == ""


def test_a_file_that_is_no_text_has_no_line(tmp_path: Path) -> None:
    file = tmp_path / "bfs.py"
    file.write_bytes(b"\xff\xfex\x00")
    with pytest.raises((SyntaxError, ValueError)) as caught:
        compile(file.read_bytes(), str(file), "exec")
    error: Any = caught.value
    error.filename = str(file)  # as an import names it
    assert "UTF-8" in reason(caught.value)
    assert place(caught.value, Path()) == ""
    assert place(ValueError(), Path()) == ""
