"""New examples: what makes a property fail stands in its test afterwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROFILE = 'from hypothesis import settings\n\nsettings.register_profile("fuzz", max_examples=200)\n'
PROPERTY = """
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(0, 99))
def test_it(number: int) -> None:
    assert number < 60
"""


def test_what_is_found_is_kept_as_an_example(tmp_path: Path) -> None:
    scripts, tests = tmp_path / "scripts", tmp_path / "tests"
    scripts.mkdir()
    tests.mkdir()
    shutil.copy(ROOT / "scripts" / "fuzz.py", scripts)
    (tests / "conftest.py").write_text(PROFILE)
    test = tests / "test_it.py"
    test.write_text(PROPERTY)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    command = [sys.executable, "scripts/fuzz.py", "0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("\nRounds: 1. Something was found: see git diff tests\n")
    assert "from hypothesis import example, given\n" in test.read_text()
    assert "@example(\n    number=60,\n)" in test.read_text()
