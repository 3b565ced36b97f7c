"""What stands in for ``docker compose``."""

from __future__ import annotations

import pytest
import yaml

from scripts.compose import filled_in, run_options
from tests.grader.command import ROOT

READ = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_values_stand_in_their_places() -> None:
    grader = filled_in(READ, {"SITE": "mazes.example.edu", "JOBS": "4"})["services"]["grader"]
    assert "--url https://mazes.example.edu " in grader["command"]
    assert "--jobs 4" in grader["command"]
    assert grader["mem_limit"] == "3g"


def test_a_value_that_has_to_be_there_is_asked_for() -> None:
    with pytest.raises(SystemExit, match="SITE is missing: the name of the site"):
        filled_in(READ, {})


def test_a_key_that_is_not_known_is_refused() -> None:
    with pytest.raises(KeyError, match="privileged"):
        run_options({"privileged": True}, "mazes")


def test_only_caddy_can_be_reached_and_neither_has_more_rights_than_it_needs() -> None:
    services = filled_in(READ, {"SITE": "localhost"})["services"]
    grader, caddy = (run_options(services[name], "mazes") for name in ("grader", "caddy"))
    assert "ports" not in grader
    assert caddy["ports"] == {"80/tcp": 80, "443/tcp": 443, "443/udp": 443}
    assert grader["security_opt"] == ["no-new-privileges:true", "seccomp=unconfined", "apparmor=unconfined"]
    assert (grader["cap_drop"], grader.get("cap_add")) == (["ALL"], None)
    assert caddy["cap_add"] == ["NET_BIND_SERVICE"]
