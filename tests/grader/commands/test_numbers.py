"""Numbers that no command can do anything with are wrong usage."""

from __future__ import annotations

import pytest

from tests.grader.command import grader

NEW = ("maze", "new", "a.yaml", "--catches", "x")
BATCH, SERVE, VERIFY = ("batch", "in", "--out", "out"), ("serve",), ("verify",)


@pytest.mark.parametrize(
    ("command", "option", "numbers", "said"),
    [
        (BATCH, "--jobs", ("0", "-1", "x", "1.5", ""), "from 1"),
        (SERVE, "--jobs", ("0",), "from 1"),
        (SERVE, "--port", ("-1", "65536"), "from 0 to 65535"),
        (VERIFY, "--jobs", ("0",), "from 1"),
        (VERIFY, "--mutants", ("0", "-5"), "from 1"),
        (("refresh", "--from", "in"), "--jobs", ("0",), "from 1"),
        (("refresh", "--from", "in"), "--seed", ("-1",), f"from 0 to {2**31 - 1}"),
        (NEW, "--rows", ("0",), "from 1"),
        (NEW, "-c", ("-3",), "from 1"),
        (NEW, "--cycles", ("-1",), "from 0"),
        (NEW, "--islands", ("-1",), "from 0"),
        (("maze", "edit", "a.yaml"), "--port", ("99999",), "from 0 to 65535"),
    ],
)
def test_a_number_out_of_range_is_wrong_usage(
    command: tuple[str, ...], option: str, numbers: tuple[str, ...], said: str
) -> None:
    for number in numbers:
        done = grader(*command, f"{option}={number}" if option.startswith("--") else f"{option}{number}")
        assert done.returncode == 2
        assert f"expected a whole number {said}, got {number!r}" in done.stderr
