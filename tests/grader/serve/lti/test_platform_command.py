"""``grader serve platform``."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.store.database import Store
from tests.grader.serve.lti.world import ISSUER

_ADD = [
    *("--issuer", ISSUER, "--client-id", "client-1", "--auth-url", f"{ISSUER}/auth"),
    *("--token-url", f"{ISSUER}/token", "--jwks-url", f"{ISSUER}/jwks"),
]


def _platform(data: DataFolder, act: str, *arguments: str) -> int:
    return main(["serve", "platform", act, "--data", str(data.folder), *arguments])


def test_a_platform_is_added_listed_and_removed(
    data: DataFolder, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _platform(data, "list") == 0
    assert "No platform is registered" in capsys.readouterr().out
    assert _platform(data, "add", *_ADD, "--deployment", "d-1", "--deployment", "d-2") == 0
    told = capsys.readouterr().out
    assert "/lti/login" in told
    assert "d-1, d-2" in told
    assert _platform(data, "list") == 0
    assert f"platform 1  {ISSUER}" in capsys.readouterr().out
    assert _platform(data, "remove", "1") == 0
    assert platforms.list_platforms(store) == []


def test_a_deployment_more_is_added_to_the_same_platform(data: DataFolder, store: Store) -> None:
    for deployment in ("d-1", "d-2"):
        _platform(data, "add", *_ADD, "--deployment", deployment)
    (platform,) = platforms.list_platforms(store)
    assert platform.deployments == {"d-1", "d-2"}


def test_a_course_more_is_let_in(data: DataFolder, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    _platform(data, "add", *_ADD, "--deployment", "d-1")
    assert _platform(data, "allow", "1", "link link-4", "mazes") == 0
    assert platforms.list_bindings(store) == [platforms.CourseBinding("mazes", 1, "link link-4", "")]
    assert _platform(data, "list") == 0
    assert "mazes is launched from link link-4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("allow", "7", "c", "mazes"), "number of a platform, got 7"),
        (("allow", "1", "c", "trees"), "served here (none yet), got trees"),
        (("remove", "7"), "number of a platform, got 7"),
        (("add", *_ADD, "--deployment", ""), "expected a deployment id"),
        (("add", *_ADD, "--deployment", "d", "--issuer", " "), "expected an issuer"),
        (("add", *_ADD, "--deployment", "d", "--jwks-url", "http://p.example.org"), "--jwks-url"),
    ],
)
def test_what_cannot_be_done_is_told(
    data: DataFolder, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    _platform(data, "add", *_ADD, "--deployment", "d-1")
    assert _platform(data, *arguments) == 1
    assert why in capsys.readouterr().err


def test_the_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    _platform(DataFolder(tmp_path / "data"), "add", *_ADD, "--deployment", "d-1")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
